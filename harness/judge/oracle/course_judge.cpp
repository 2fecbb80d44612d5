#include "harness/judge/oracle/course_judge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "harness/assignments/toml_table.h"
#include "harness/judge/oracle/course_guard.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

// Time limit of a call into an assignment's judge.cpp, as a multiple of the rubric's call_seconds: larger
// than for a student's function, because judge.cpp generates large inputs and computes their answers.
constexpr int kCallLimits = 6;

// Calls a function of an assignment's judge.cpp. Converts its exceptions to AssignmentFault, except
// AssignmentFault itself and std::bad_alloc, which pass.
template <class Call>
auto called(const CourseLibrary& library, const char* function, const Call& call) {
  CourseCall running(library, function);
  try {
    return call(running);
  } catch (const AssignmentFault&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failure) {
    throw AssignmentFault(
        fmt::format("{}/judge.cpp: `{}` of the assignment {} threw an exception: {}; this is a fault of the "
                    "assignment, not of a submission",
                    library.folder, function, library.name, failure.what()));
  }
}

class GuardedProblem final : public Problem {
 public:
  GuardedProblem(const CourseLibrary& library, std::unique_ptr<Problem> problem)
      : library_(library), problem_(std::move(problem)) {}
  GuardedProblem(const GuardedProblem&) = delete;
  GuardedProblem& operator=(const GuardedProblem&) = delete;
  ~GuardedProblem() override {
    const CourseCall running(library_, "~Problem");
    problem_.reset();
  }

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return called(library_, "buffers", [&](CourseCall&) { return problem_->buffers(); });
  }
  [[nodiscard]] std::vector<std::uint64_t> scalars() const override {
    return called(library_, "scalars", [&](CourseCall&) { return problem_->scalars(); });
  }
  void fill(std::size_t buffer, std::span<std::byte> target) override {
    called(library_, "fill", [&](CourseCall&) { problem_->fill(buffer, target); });
  }
  [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer,
                                              std::span<const std::byte> actual) const override {
    return called(library_, "check", [&](CourseCall&) { return problem_->check(buffer, actual); });
  }
  [[nodiscard]] bool checks_parts(std::size_t buffer) const override {
    return called(library_, "checks_parts", [&](CourseCall&) { return problem_->checks_parts(buffer); });
  }
  [[nodiscard]] std::optional<Mismatch> check_part(std::size_t buffer, std::size_t offset,
                                                   std::span<const std::byte> part) const override {
    return called(library_, "check_part",
                  [&](CourseCall&) { return problem_->check_part(buffer, offset, part); });
  }
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    auto patches =
        called(library_, "patch", [&](CourseCall&) { return problem_->patch(seed, count, contents); });
    for (const Patch& patch : patches) {
      if (patch.bytes > sizeof patch.value || patch.offset > contents.size() ||
          patch.bytes > contents.size() - patch.offset)
        fault("patch",
              fmt::format("it changes {} bytes at {} of a buffer of {}; at most {} within it can change",
                          patch.bytes, patch.offset, contents.size(), sizeof patch.value));
    }
    return patches;
  }
  [[nodiscard]] Work work() const override {
    const Work work = called(library_, "work", [&](CourseCall&) { return problem_->work(); });
    if (!(work.bytes >= 0) || !(work.operations >= 0) || !std::isfinite(work.bytes + work.operations))
      fault("work", fmt::format("it returned {} bytes and {} operations; they must be numbers of 0 or more",
                                work.bytes, work.operations));
    return work;
  }
  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<GuardedProblem>(
        library_, called(library_, "clone", [&](CourseCall&) { return problem_->clone(); }));
  }

 private:
  [[noreturn]] void fault(const char* function, const std::string& why) const {
    throw AssignmentFault(fmt::format("{}/judge.cpp: `{}` of the assignment {}: {}", library_.folder,
                                      function, library_.name, why));
  }

  const CourseLibrary& library_;
  std::unique_ptr<Problem> problem_;
};

// Experiment on a submission that an assignment's judge.cpp requests during a guarded call. Its duration
// depends on the submission, so the call's time limit is stopped meanwhile.
class PausingExperiment final : public Experiment {
  template <class Call>
  auto paused(const Call& call) {
    course_.pause();
    auto result = call();
    course_.resume();
    return result;
  }

 public:
  PausingExperiment(Experiment& experiment, CourseCall& call) : experiment_(experiment), course_(call) {}
  std::optional<Contents> call(const Case& which, const Problem& problem, const Contents& inputs,
                               std::byte before) override {
    return paused([&] { return experiment_.call(which, problem, inputs, before); });
  }
  [[nodiscard]] std::vector<Size> sizes() const override { return experiment_.sizes(); }

 private:
  Experiment& experiment_;
  CourseCall& course_;
};

class GuardedAssignment final : public Assignment {
 public:
  GuardedAssignment(const CourseLibrary& library, std::unique_ptr<Assignment> assignment)
      : library_(library), assignment_(std::move(assignment)) {}
  GuardedAssignment(const GuardedAssignment&) = delete;
  GuardedAssignment& operator=(const GuardedAssignment&) = delete;
  ~GuardedAssignment() override {
    const CourseCall running(library_, "~Assignment");
    assignment_.reset();
  }

  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return called(library_, "data_classes", [&](CourseCall&) { return assignment_->data_classes(type); });
  }
  [[nodiscard]] std::vector<std::string> clean_classes(std::string_view type) const override {
    return called(library_, "clean_classes", [&](CourseCall&) { return assignment_->clean_classes(type); });
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    auto problem = called(library_, "make", [&](CourseCall&) { return assignment_->make(which); });
    if (problem == nullptr)
      throw AssignmentFault(
          fmt::format("{}/judge.cpp: `make` of the assignment {} returned no problem at size {}",
                      library_.folder, library_.name, to_text(which.sizes())));
    return std::make_unique<GuardedProblem>(library_, std::move(problem));
  }
  [[nodiscard]] std::vector<std::string> size_names() const override {
    return called(library_, "size_names", [&](CourseCall&) { return assignment_->size_names(); });
  }
  [[nodiscard]] Size ladder_size(std::uint64_t n) const override {
    return called(library_, "ladder_size", [&](CourseCall&) { return assignment_->ladder_size(n); });
  }
  [[nodiscard]] std::uint64_t values_at(const Size& size) const override {
    return called(library_, "values_at", [&](CourseCall&) { return assignment_->values_at(size); });
  }
  [[nodiscard]] std::optional<std::uint64_t> bytes_to_host(const Size& size) const override {
    return called(library_, "bytes_to_host", [&](CourseCall&) { return assignment_->bytes_to_host(size); });
  }
  [[nodiscard]] std::vector<std::uint64_t> shifts() const override {
    return called(library_, "shifts", [&](CourseCall&) { return assignment_->shifts(); });
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return called(library_, "value_bytes", [&](CourseCall&) { return assignment_->value_bytes(type); });
  }
  [[nodiscard]] std::string_view wrong_answer() const override {
    return called(library_, "wrong_answer", [&](CourseCall&) { return assignment_->wrong_answer(); });
  }
  [[nodiscard]] std::optional<Explanation> explain(const Case& which, Experiment& experiment) const override {
    return called(library_, "explain", [&](CourseCall& call) {
      PausingExperiment pausing(experiment, call);
      return assignment_->explain(which, pausing);
    });
  }
  [[nodiscard]] LadderPowers ladder_powers() const override {
    return called(library_, "ladder_powers", [&](CourseCall&) { return assignment_->ladder_powers(); });
  }
  [[nodiscard]] Result<OwnData> with_files(const DataFiles& files) const override {
    auto own = called(library_, "with_files", [&](CourseCall&) { return assignment_->with_files(files); });
    if (own) own->assignment = std::make_unique<GuardedAssignment>(library_, std::move(own->assignment));
    return own;
  }
  [[nodiscard]] Result<std::vector<fs::path>> write_files(const DataShape& shape,
                                                          const fs::path& folder) const override {
    return called(library_, "write_files",
                  [&](CourseCall&) { return assignment_->write_files(shape, folder); });
  }

 private:
  const CourseLibrary& library_;
  std::unique_ptr<Assignment> assignment_;
};

// Reads which C++ files belong to the judge.cpp of the assignment that `rules` describes. Throws
// AssignmentFault.
std::vector<std::string> sources_of_judge(const fs::path& rules) {
  const auto read = read_toml<std::vector<std::string>>(rules, [](TomlTable top) {
    std::vector<std::string> sources;
    if (top.find("judge_sources") != nullptr) sources = top.texts("judge_sources");
    for (const std::string& source : sources) {
      const fs::path file = source;
      if ((file.extension() != ".cpp" && file.extension() != ".inl") || file.is_absolute() ||
          std::ranges::count(file, "..") > 0 || source == "judge.cpp")
        top.refuse(top.need("judge_sources"),
                   fmt::format("judge_sources names \"{}\"; it must name .cpp files of the assignment's "
                               "folder, other than judge.cpp, or .inl files of the installed headers",
                               source));
    }
    return sources;
  });
  if (!read) throw AssignmentFault(read.error().message);
  return *read;
}

using Make = Assignment* (*)();
struct LoadedAssignment {
  CourseLibrary library;
  Make make = nullptr;
};

// Loads a course's library at the first request; never unloads it.
Result<const LoadedAssignment*> loaded(const Rubric& rubric, const fs::path& file) {
  static std::mutex mutex;
  static std::map<fs::path, LoadedAssignment> all;
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] = all.try_emplace(file);
  LoadedAssignment& made = found->second;
  if (is_new) {
    void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const symbol = handle == nullptr ? nullptr : ::dlsym(handle, kMakeAssignment);
    if (symbol == nullptr) {
      all.erase(found);
      return fail(
          fmt::format("{}: its judge.cpp cannot be loaded: {}", rubric.home.folder.string(), ::dlerror()));
    }
    made.make = reinterpret_cast<Make>(symbol);
    made.library = {rubric.assignment, rubric.home.folder.string(), file.string(),
                    loaded_object_at(reinterpret_cast<std::uint64_t>(symbol)),
                    kCallLimits * rubric.limits.call};
    guard(made.library);
  }
  return &made;
}

}  // namespace

Result<std::unique_ptr<Assignment>> load_course_judge(const Rubric& rubric, const CourseFolder& course) {
  const fs::path ready = course.installation.libraries / "assignments" / (rubric.assignment + ".so");
  std::error_code error;
  try {
    const fs::path file = rubric.home.built_in && fs::exists(ready, error)
                              ? ready
                              : CourseBuilder(course).judge(sources_of_judge(rubric.home.rules()));
    const auto found = loaded(rubric, file);
    if (!found) return tl::unexpected(found.error());
    const CourseLibrary& library = (*found)->library;
    std::unique_ptr<Assignment> made(
        called(library, "the constructor", [&](CourseCall&) { return (*found)->make(); }));
    return std::make_unique<GuardedAssignment>(library, std::move(made));
  } catch (const AssignmentFault& fault) {
    return fail(fault.what());
  }
}

}  // namespace warpmark::judge

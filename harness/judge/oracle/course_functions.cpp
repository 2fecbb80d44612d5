#include "harness/judge/oracle/course_functions.h"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "harness/assignments/plain/adapter.h"
#include "harness/assignments/plain/classes.h"
#include "harness/base/file.h"
#include "harness/build/exports.h"
#include "harness/judge/oracle/course_process.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnswers = "expected.cpp";
constexpr std::string_view kData = "data.cpp";
// Guard bytes behind the target of a function of data.cpp, which must not change them.
constexpr std::size_t kGuardBytes = 4096;
constexpr std::byte kGuard{0xA5};

// Library built from the assignment's own functions for one element type.
struct Part {
  fs::path library;
  std::set<std::string> functions;  // names of the functions that a shared library exports
};

// The processes that call the course's functions at the same time: as many as there are cores, but no more
// than kMost, because each keeps the buffers of its last call.
class CourseProcesses {
 public:
  explicit CourseProcesses(const Installation& installation)
      : installation_(installation), most_(std::clamp(std::thread::hardware_concurrency(), 1U, kMost)) {}

  // A process that one thread uses; given back by the destructor.
  class Taken {
   public:
    Taken(CourseProcesses& of, std::unique_ptr<CourseProcess> process)
        : of_(of), process_(std::move(process)) {}
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    ~Taken() { of_.give_back(std::move(process_)); }
    CourseProcess& operator*() const { return *process_; }
    CourseProcess* operator->() const { return process_.get(); }

   private:
    CourseProcesses& of_;
    std::unique_ptr<CourseProcess> process_;
  };

  // Returns a free process, if possible one that holds these inputs (OracleCall::inputs); waits for one if
  // all are in use.
  Taken take(std::uint64_t inputs) {
    std::unique_lock lock(mutex_);
    given_back_.wait(lock, [&] { return !free_.empty() || started_ < most_; });
    auto chosen = std::ranges::find_if(
        free_, [&](const auto& process) { return inputs != 0 && process->held_inputs() == inputs; });
    if (chosen == free_.end() && !free_.empty()) chosen = std::prev(free_.end());
    if (chosen == free_.end()) {
      ++started_;
      return {*this, std::make_unique<CourseProcess>(installation_)};
    }
    auto process = std::move(*chosen);
    free_.erase(chosen);
    return {*this, std::move(process)};
  }

 private:
  static constexpr unsigned kMost = 16;

  void give_back(std::unique_ptr<CourseProcess> process) {
    {
      const std::scoped_lock lock(mutex_);
      free_.push_back(std::move(process));
    }
    given_back_.notify_one();
  }

  const Installation& installation_;
  unsigned most_;
  std::mutex mutex_;  // guards all members below
  std::condition_variable given_back_;
  unsigned started_ = 0;
  std::vector<std::unique_ptr<CourseProcess>> free_;  // the one used last is at the end
};

class CourseFunctions final : public plain::Oracle {
 public:
  CourseFunctions(std::shared_ptr<const plain::Spec> spec, CourseFolder settings)
      : spec_(std::move(spec)),
        settings_(std::move(settings)),
        builder_(settings_),
        processes_(settings_.installation) {}

  bool defines(std::string_view function) override {
    return part(kAnswers, spec_->types.front()).functions.contains(std::string(function));
  }

  void call(const plain::OracleCall& call) override {
    const std::string type(call.type);
    const std::string name(call.function);
    const Part& made = part(kAnswers, type);
    if (!made.functions.contains(name))
      throw AssignmentFault(
          fmt::format("{}: it must define extern \"C\" {}", (settings_.folder / kAnswers).string(), name));
    const std::string adapter =
        name.starts_with("update") ? plain::update_adapter_of(*spec_) : plain::adapter_of(*spec_, false, "");
    const auto process = processes_.take(call.inputs);
    const Loaded loaded = process->load(
        {settings_.folder / kAnswers, type, name, made.library, adapter_library(adapter, type)});
    process->send(kAnswers, call);
    wire::Call request{.library = loaded.library,
                       .function = name,
                       .adapter = loaded.adapter,
                       .scalars = call.scalars,
                       .look_after_ms = look_after_ms(kOracleLimit)};
    std::size_t bytes = 0;
    for (const plain::OracleBuffer& buffer : call.buffers) {
      request.buffers.push_back({buffer.name, 0, buffer.bytes()});
      if (!buffer.read) continue;
      request.reads.push_back({buffer.name, 0, buffer.contents.size()});
      bytes += buffer.contents.size();
    }
    request.patches = process->patches_of(call);
    run(*process, request, bytes, kAnswers, call);
    take(call, process->answers());
  }

  void make(const std::string& buffer, const std::string& type, std::span<std::byte> target,
            std::uint64_t count, const std::vector<std::uint64_t>& sizes, std::string_view data_class,
            std::uint64_t seed) override {
    const std::string name = "make_" + buffer;
    if (!fs::exists(settings_.folder / kData) || !part(kData, type).functions.contains(name)) {
      throw AssignmentFault(
          fmt::format("{}: the class of data \"{}\" of {} is not built in, and {} does not define extern "
                      "\"C\" {}; built in: {}",
                      spec_->file, data_class, buffer, (settings_.folder / kData).string(), name,
                      plain::known_classes()));
    }
    const auto process = processes_.take(0);
    const Loaded loaded = process->load({settings_.folder / kData, type, name, part(kData, type).library,
                                         adapter_library(plain::data_adapter(), type)});
    std::string class_name(data_class);
    class_name += '\0';
    process->fill(kData, "warpmark.class", std::as_bytes(std::span(class_name)));
    std::vector<std::byte> guarded(target.size() + kGuardBytes, kGuard);
    std::fill_n(guarded.begin(), target.size(), std::byte{0});
    process->fill(kData, "warpmark.target", guarded);
    std::vector<std::uint64_t> scalars{count, seed};
    scalars.insert(scalars.end(), sizes.begin(), sizes.end());
    const wire::Call request{
        .library = loaded.library,
        .function = name,
        .adapter = loaded.adapter,
        .buffers = {{"warpmark.target", 0, guarded.size()}, {"warpmark.class", 0, class_name.size()}},
        .scalars = std::move(scalars),
        .reads = {{"warpmark.target", 0, guarded.size()}},
        .look_after_ms = look_after_ms(kOracleLimit)};
    run(*process, request, guarded.size(), kData, {.function = name, .scalars = sizes});
    const auto made = process->answers().first(guarded.size());
    if (!std::ranges::all_of(made.subspan(target.size()), [](std::byte byte) { return byte == kGuard; }))
      throw AssignmentFault(fmt::format(
          "{}: {} writes behind the end of its target at size {}, class \"{}\": the target has {} elements",
          (settings_.folder / kData).string(), name, size_text(sizes), data_class, count));
    std::ranges::copy(made.first(target.size()), target.begin());
  }

 private:
  // Returns the library of a source file for one element type; built at the first request. Throws the message
  // of an earlier failed call of the course's functions.
  const Part& part(std::string_view file, const std::string& type) {
    const std::scoped_lock lock(mutex_);
    if (fault_) throw AssignmentFault(*fault_);
    const auto key = std::pair(std::string(file), type);
    if (const auto found = parts_.find(key); found != parts_.end()) return found->second;
    Part made;
    const fs::path source = settings_.folder / file;
    if (!fs::exists(source))
      throw AssignmentFault(
          fmt::format("{} is missing; it holds the right answer on the CPU", source.string()));
    made.library = builder_.library(source, std::string(file), type, {});
    const auto symbols = build::symbols_of(made.library);
    if (!symbols) throw AssignmentFault(fmt::format("{}: {}", source.string(), symbols.error().message));
    made.functions = {symbols->exported.begin(), symbols->exported.end()};
    return parts_[key] = std::move(made);
  }

  fs::path adapter_library(const std::string& text, const std::string& type) {
    const std::scoped_lock lock(mutex_);
    fs::path& library = adapters_[{text, type}];
    if (library.empty()) library = builder_.adapter(text, type);
    return library;
  }

  [[nodiscard]] std::string size_text(const std::vector<std::uint64_t>& scalars) const {
    return to_text(Size(std::vector(
        scalars.begin(),
        scalars.begin() + static_cast<std::ptrdiff_t>(std::min(scalars.size(), spec_->sizes.size())))));
  }

  // Throws an AssignmentFault for a failed call of one of the assignment's own functions; the message
  // contains the source line and the input size. Stores it, so that later calls fail at once instead of
  // waiting for the same failure.
  [[noreturn]] void fail_of(const CourseProcess& process, Cause cause, std::string_view file,
                            const plain::OracleCall& call) {
    const fs::path source = settings_.folder / file;
    const Submission course{settings_.folder, spec_->name, "", {}, {}};
    const Part& made = part(file, call.type.empty() ? spec_->types.front() : std::string(call.type));
    process.point_to_death(cause, Blame{nullptr, &course, made.library});
    const std::string place = cause.line > 0
                                  ? fmt::format("{}:{}", (settings_.folder / cause.file).string(), cause.line)
                                  : source.string();
    const std::scoped_lock lock(mutex_);
    fault_ = fmt::format(
        "{}: `{}` of the assignment failed at size {} ({}); this is a fault of the assignment, "
        "not of a submission",
        place, call.function, size_text(call.scalars), cause.message);
    throw AssignmentFault(*fault_);
  }

  void run(CourseProcess& process, const wire::Call& request, std::size_t bytes, std::string_view file,
           const plain::OracleCall& call) {
    const auto reply = process.run(request, bytes);
    if (!reply) fail_of(process, reply.error(), file, call);
    const auto causes = causes_of(reply->observed, reply->failure, {});
    if (!causes.empty()) fail_of(process, causes.front(), file, call);
  }

  // Copies the contents of the buffers that the course's function wrote. Throws if the function changed
  // another buffer.
  void take(const plain::OracleCall& call, std::span<const std::byte> results) {
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
      const plain::OracleBuffer& buffer = call.buffers[i];
      if (!buffer.read) continue;
      const auto part = results.first(buffer.contents.size());
      results = results.subspan(buffer.contents.size());
      if (buffer.written) {
        std::ranges::copy(part, buffer.contents.begin());
        continue;
      }
      std::vector<std::byte> sent(buffer.contents.begin(), buffer.contents.end());
      if (i == call.patched) {
        for (const Patch& patch : call.patches)
          std::memcpy(sent.data() + patch.offset, &patch.value, patch.bytes);
      }
      if (!std::ranges::equal(part, sent))
        throw AssignmentFault(fmt::format(
            "{}: `{}` changes its input `{}` at size {}; copy what must be changed",
            (settings_.folder / kAnswers).string(), call.function, buffer.name, size_text(call.scalars)));
    }
  }

  std::shared_ptr<const plain::Spec> spec_;
  CourseFolder settings_;
  std::mutex mutex_;  // guards the builder and the members from parts_ on
  CourseBuilder builder_;
  CourseProcesses processes_;
  // built libraries, by source file and element type
  std::map<std::pair<std::string, std::string>, Part> parts_;
  std::map<std::pair<std::string, std::string>, fs::path> adapters_;  // by source text and element type
  // message of an earlier failed call of the assignment's functions; every later call throws it again
  std::optional<std::string> fault_;
};

}  // namespace

std::shared_ptr<plain::Oracle> make_oracle(std::shared_ptr<const plain::Spec> spec, CourseFolder settings) {
  return std::make_shared<CourseFunctions>(std::move(spec), std::move(settings));
}

}  // namespace warpmark::judge

#include "harness/assignment_check/mutant_judge.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/assignment_check/mutant_trial.h"
#include "harness/base/text.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/kept.h"
#include "harness/judge/score.h"

namespace warpmark::assignment_check {
namespace {

namespace fs = std::filesystem;
using judge::BuiltTypes;
using judge::Check;
using judge::VersionRule;

constexpr std::chrono::seconds kShortestCall{5};
// Time limit of a mutant's call: in the complete checks as a multiple of the time that the solution needs for
// the whole check `correct`, in the quick ones of its slowest call there.
constexpr double kCallsAsLong = 10;
constexpr double kQuickCallsAsLong = 20;

// Returns the time limit of a mutant's call, given the seconds that the solution takes and by how much a
// mutant may be slower. It is not above the rubric's limit.
std::chrono::milliseconds call_limit(std::chrono::milliseconds rubric, double seconds, double times) {
  const std::chrono::milliseconds longest(static_cast<std::int64_t>(1000 * times * seconds));
  return std::min(rubric, std::max<std::chrono::milliseconds>(kShortestCall, longest));
}

fs::path file_of(const fs::path& cache, const std::string& key) {
  return cache / "mutants" / key.substr(0, 2) / key;
}

// Reads a mutant's cached grading result (fate, check, reason) from a file; nullopt if there is none.
std::optional<MutantResult> read_kept(const fs::path& file, MutantResult result) {
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  const auto lines = lines_of(*text);
  const auto fate = lines.empty() ? std::nullopt : number_in<unsigned>(lines[0]);
  if (!fate || *fate > static_cast<unsigned>(Fate::undecided)) return std::nullopt;
  result.fate = static_cast<Fate>(*fate);
  if (lines.size() > 1) result.check = lines[1];
  if (lines.size() > 2) result.reason = lines[2];
  return result;
}

void keep(const fs::path& file, const MutantResult& result) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  // Ignores a failure to write the cache: the mutant is then only graded again next time.
  static_cast<void>(write_file(
      file, fmt::format("{}\n{}\n{}\n", static_cast<unsigned>(result.fate), result.check, result.reason)));
}

// Copies the header files of the reference solution into the folder in which a mutant is compiled.
void copy_headers(const fs::path& reference, const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator it(reference, error), end; !error && it != end; it.increment(error)) {
    const std::string ending = it->path().extension().string();
    if (ending == ".cu" || ending == ".cpp" || !it->is_regular_file(error)) continue;
    fs::copy_file(it->path(), folder / it->path().filename(), fs::copy_options::overwrite_existing, error);
  }
}

judge::LibrarySettings library_settings(const Setting& setting, const judge::Rubric& rubric,
                                        const judge::Submission& submission, const judge::Engines& engines,
                                        const std::map<Engine, build::Builder>* builders) {
  return {setting.installation,
          rubric,
          submission,
          engines,
          Engine::simulator,
          setting.options.cache,
          1,
          [](const VersionRule&) { return true; },
          false,
          [](const std::string&) {},
          builders};
}

}  // namespace

// State shared by all mutants of one version of the exercise: its rubric, and the compiled code of its
// solution.
struct MutantJudge::VersionState {
  judge::Rubric one_type;
  judge::Rubric all_types;
  std::optional<judge::Course> quick_course;
  std::optional<judge::Course> course;
  std::optional<build::Code> solution;
  std::once_flag made;
};

std::string obstacle_to_mutants(const VersionRule& version) {
  if (version.host) return "C++ without kernels: mutants are made of CUDA code alone";
  if (!version.ranks.empty()) return "it runs on several MPI ranks";
  if (version.gpu_only) return "it runs on a GPU alone";
  if (!version.has(Check::correct)) return "it has no check `correct`";
  return {};
}

MutantJudge::MutantJudge(const Setting& setting, const std::map<std::string, double>& seconds)
    : setting_(setting), seconds_(seconds), engines_(setting.engines.only(Engine::simulator)) {
  judge::GradeOptions options;
  options.engine = Engine::simulator;
  judge::Opened opened{
      setting.rubric.assignment, nullptr, setting.rubric, {setting.rubric.home.reference, "", "", {}, {}}};
  rules_ = judge::digests_of(setting.installation, options, opened).rules;
  builders_ =
      judge::make_builders(library_settings(setting_, setting_.rubric, opened.submission, engines_, nullptr));
}

MutantJudge::VersionState& MutantJudge::state_of(const std::string& version) {
  VersionState* state = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    auto& slot = states_[version];
    if (!slot) slot = std::make_unique<VersionState>();
    state = slot.get();
  }
  std::call_once(state->made, [&] {
    judge::Rubric rubric = setting_.rubric;
    std::erase_if(rubric.versions, [&](const VersionRule& rule) { return rule.name != version; });
    rubric.upload.clear();
    rubric.naive.clear();
    const auto found = seconds_.find(version);
    rubric.limits.call =
        call_limit(rubric.limits.call, found == seconds_.end() ? 0 : found->second, kCallsAsLong);
    state->all_types = rubric;
    state->one_type = judge::with_types(rubric, {rubric.types.front()});
    state->quick_course = judge::resolve(state->one_type);
    state->course = judge::resolve(state->all_types);
    auto submission =
        judge::take_in(setting_.rubric.home.reference, state->one_type, setting_.installation.root);
    if (!submission) throw AssignmentFault(submission.error().message);
    judge::Libraries libraries(
        library_settings(setting_, state->one_type, *submission, engines_, &builders_));
    libraries.build();
    const BuiltTypes built = libraries.version(Engine::simulator, version);
    if (!built.causes().empty() || built.versions.empty()) return;
    if (auto code = build::code_of(built.versions.begin()->second.library))
      state->solution = std::move(*code);
    const judge::GradingContext context = context_of(*state->quick_course, *submission);
    Trial trial(context, version, built);
    if (trial.quick()) return;
    state->one_type.limits.call = call_limit(rubric.limits.call, trial.slowest_call(), kQuickCallsAsLong);
    state->quick_course = judge::resolve(state->one_type);
  });
  return *state;
}

judge::GradingContext MutantJudge::context_of(const judge::Course& course,
                                              const judge::Submission& submission) const {
  judge::GradingContext context{setting_.installation, course, *setting_.assignment, submission,
                                setting_.options.seed};
  context.cases = cases_;
  context.shape.devices = course.rubric.versions.front().gpus;
  context.only_first_failure = true;
  return context;
}

std::unique_ptr<MutantJudge::Desk> MutantJudge::take_desk() {
  {
    const std::scoped_lock lock(mutex_);
    if (!desks_.empty()) {
      auto desk = std::move(desks_.back());
      desks_.pop_back();
      return desk;
    }
  }
  auto desk = std::make_unique<Desk>();
  copy_headers(setting_.rubric.home.reference, desk->folder.path());
  return desk;
}

void MutantJudge::put_back(std::unique_ptr<Desk> desk) {
  const std::scoped_lock lock(mutex_);
  desks_.push_back(std::move(desk));
}

// Writes a mutant's source file into a reusable folder; the destructor removes the file and returns the
// folder to its pool.
class MutantJudge::Bench {
 public:
  Bench(MutantJudge& judge, const source_edits::Mutant& mutant)
      : judge_(judge), mutant_(mutant), desk_(judge.take_desk()) {
    if (const auto written = write_file(file(), mutant.text); !written)
      throw std::runtime_error(written.error().message);
  }
  ~Bench() {
    std::error_code error;
    fs::remove(file(), error);
    judge_.put_back(std::move(desk_));
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // Compiles the mutant for the value types of the rubric. The result refers to submission_, which the next
  // call replaces.
  BuiltTypes build(const judge::Rubric& rubric) {
    auto taken = judge::take_in(desk_->folder.path(), rubric, judge_.setting_.installation.root);
    if (!taken) throw std::runtime_error(taken.error().message);
    submission_ = std::move(*taken);
    judge::Libraries libraries(
        library_settings(judge_.setting_, rubric, submission_, judge_.engines_, &judge_.builders_));
    libraries.build();
    return libraries.version(Engine::simulator, mutant_.version);
  }

  // Returns the grading context (course, assignment, seed) for checks of the mutant that the last build()
  // compiled with the same rubric.
  judge::GradingContext context(const judge::Course& course) const {
    return judge_.context_of(course, submission_);
  }

 private:
  [[nodiscard]] fs::path file() const { return desk_->folder.path() / mutant_.file; }

  MutantJudge& judge_;
  const source_edits::Mutant& mutant_;
  std::unique_ptr<Desk> desk_;
  judge::Submission submission_;
};

std::string MutantJudge::key_of(const source_edits::Mutant& mutant, std::string_view question) const {
  std::string headers;
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(setting_.rubric.home.reference, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() != ".cu" && it->path().extension() != ".cpp") files.push_back(it->path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) headers += file.filename().string() + read_file(file).value_or("");
  return sha256(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", question, rules_, setting_.options.seed, headers,
                            mutant.version, mutant.text));
}

MutantResult MutantJudge::judge(const source_edits::Mutant& mutant) {
  const MutantResult blank{
      mutant.version, mutant.file, mutant.kind, mutant.line, mutant.line_text, mutant.edit, mutant.nth,
      Fate::survived, "",          "",          ""};
  const fs::path kept = file_of(setting_.options.cache, key_of(mutant, "fate"));
  if (auto known = read_kept(kept, blank)) return *known;
  MutantResult result = blank;
  const MutantResult found = graded(mutant, state_of(mutant.version));
  result.fate = found.fate;
  result.check = found.check;
  result.reason = found.reason;
  if (result.fate != Fate::undecided) keep(kept, result);
  return result;
}

bool MutantJudge::fails_clean(const source_edits::Mutant& mutant) {
  const fs::path kept = file_of(setting_.options.cache, key_of(mutant, "clean"));
  if (const auto known = read_kept(kept, {})) return known->fate == Fate::failed;
  VersionState& state = state_of(mutant.version);
  Bench bench(*this, mutant);
  const BuiltTypes built = bench.build(state.one_type);
  if (!built.causes().empty() || built.versions.empty()) return false;
  MutantResult result;
  const judge::GradingContext context = bench.context(*state.quick_course);
  Trial trial(context, mutant.version, built);
  auto failure = trial.quick_clean();
  if (!failure) failure = trial.clean();
  const bool failed = failure && rule_of(failure->cause.kind).verdict == Verdict::failed;
  result.fate = failed ? Fate::failed : Fate::survived;
  keep(kept, result);
  return result.fate == Fate::failed;
}

MutantResult MutantJudge::graded(const source_edits::Mutant& mutant, VersionState& state) {
  MutantResult result;
  Bench bench(*this, mutant);
  // Compiles and checks the mutant for the value types of one rubric. Returns true if this decides the
  // mutant's fate: it does not compile, equals the solution, or fails a check.
  const auto decided = [&](const judge::Rubric& rubric, const judge::Course& course,
                           std::optional<Failure> (Trial::*checks)(), bool first) {
    const BuiltTypes built = bench.build(rubric);
    if (const auto causes = built.causes(); !causes.empty() || built.versions.empty()) {
      result.fate = !causes.empty() && causes.front().kind == CauseKind::internal ? Fate::undecided
                                                                                  : Fate::not_compiled;
      result.check = "builds";
      result.reason = causes.empty() ? "it is the template's file" : causes.front().message;
      return true;
    }
    if (first && state.solution) {
      const auto code = build::code_of(built.versions.begin()->second.library);
      if (code && *code == *state.solution) {
        result.fate = Fate::same_code;
        return true;
      }
    }
    const judge::GradingContext context = bench.context(course);
    Trial trial(context, mutant.version, built);
    const auto failure = (trial.*checks)();
    if (!failure) return false;
    const bool failed = rule_of(failure->cause.kind).verdict == Verdict::failed;
    result.fate = failed ? Fate::failed : Fate::undecided;
    result.check = failure->check;
    result.reason = failed ? std::string(rule_of(failure->cause.kind).title) : failure->cause.message;
    return true;
  };
  if (decided(state.one_type, *state.quick_course, &Trial::quick, true)) return result;
  // The complete checks reach no size at which such a mutant misbehaves, and take the longest.
  const source_edits::Operator* kind = source_edits::find_operator(mutant.kind);
  if (kind != nullptr && kind->needs_huge_sizes) {
    result.fate = Fate::out_of_reach;
  } else if (!decided(state.all_types, *state.course, &Trial::complete, false)) {
    result.fate = Fate::survived;
  }
  return result;
}

}  // namespace warpmark::assignment_check

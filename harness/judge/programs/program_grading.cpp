#include "harness/judge/programs/program_grading.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "harness/assignments/stubs.h"
#include "harness/assignments/tokens.h"
#include "harness/base/parallel.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/found_causes.h"
#include "harness/judge/consequences.h"
#include "harness/judge/kept.h"
#include "harness/judge/outcomes.h"
#include "harness/judge/programs/expected_outputs.h"
#include "harness/judge/programs/program_speeds.h"
#include "harness/judge/speed/device_lock.h"

namespace warpmark::judge {
namespace {

using Clock = std::chrono::steady_clock;

// Time limit of all runs of a program on one test case, as a multiple of the limit of one run: one for the
// first run, the rest for the runs of the check `clean`, several of which run concurrently.
constexpr int kRunsOfACase = 4;

// What the runs of one program on all cases have shown.
struct Found {
  FoundCauses wrong;
  FoundCauses wrong_on_simulator;  // beside a GPU
  FoundCauses unclean;
  std::vector<Cause> notes;
  double correct_seconds = 0;
  double clean_seconds = 0;
};

class ProgramGrading {
 public:
  ProgramGrading(const Installation& installation, const GradeOptions& options, const Course& course,
                 const Submission& submission, const Engines& engines, Engine main)
      : options_(options),
        course_(course),
        submission_(submission),
        engines_(engines),
        spec_(*course.rubric.program),
        settings_{installation,
                  spec_,
                  course.rubric.home.folder,
                  static_cast<int>(course.rubric.clean.schedules),
                  1,
                  {},
                  main},
        main_(main),
        selection_(course),
        outcomes_([this](const CheckKey& key, const Cause& cause) {
          return command_again(options_, course_.rubric.assignment, key, cause);
        }),
        builders_(installation, course.rubric, engines, options.cache),
        expected_(settings_, course.rubric, builders_.of(main)),
        end_(Clock::now() + course.rubric.limits.submission) {}

  Grade run() {
    const auto start = Clock::now();
    std::vector<const VersionRule*> versions;
    for (const VersionRule& version : course_.rubric.versions) {
      if (selection_.runs(version)) versions.push_back(&version);
    }
    const unsigned jobs =
        options_.jobs != 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
    {
      // While programs run on the GPU, no other grading measures there.
      DeviceLock lock(settings_.installation.locks,
                      main_ == Engine::gpu ? engines_.devices.at(Engine::gpu).uuid : "");
      static_cast<void>(lock.acquire(DeviceLock::Use::computing, Clock::now() + kDeviceLockLimit));
      in_parallel(versions.size(), jobs, [&](std::size_t i) { check(*versions[i]); });
    }
    check_speeds(versions);
    Grade grade = outcomes_.assemble(course_, submission_, engines_, main_);
    grade.seconds = seconds_since(start);
    grade.graded_at = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
    grade.seed = "0x0";
    grade.rubric =
        fmt::format("{} ({})", course_.rubric.title,
                    options_.rubric.empty() ? "the course's own" : options_.rubric.filename().string());
    grade.sandbox = sandbox::name_of(settings_.installation.sandbox);
    return grade;
  }

 private:
  void say(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  // Reuses the results of an earlier grade if the program's files have not changed since; returns true if
  // they were reused.
  bool keep(const VersionRule& version) {
    const Kept* kept = options_.kept.get();
    if (kept == nullptr || main_ == Engine::gpu || !kept->versions.contains(version.name)) return false;
    // Times are taken anew: a kept outcome has no samples.
    if (selection_.wants(version, Check::fast) && !needs_gpu(version, spec_)) return false;
    std::vector<std::pair<CheckKey, CheckOutcome>> outcomes;
    for (const Check check : version.checks) {
      const CheckKey key{version.name, check};
      auto outcome = kept_outcome(*kept, id_of(course_.rubric.assignment, key));
      if (!outcome) return false;
      outcomes.emplace_back(key, std::move(*outcome));
    }
    for (auto& [key, outcome] : outcomes)
      outcomes_.record(key, key.check == Check::fast ? Engine::gpu : Engine::simulator, std::move(outcome));
    return true;
  }

  void check(const VersionRule& version) {
    if (keep(version)) return;
    const SubmittedFile& file = submission_.files.at(version.name);
    BuiltProgram built;
    built.causes = file.causes;
    if (const auto untouched = still_the_template(submission_, course_.rubric, version);
        untouched && built.causes.empty())
      built.causes = {*untouched};
    if (built.causes.empty()) built = build(version);
    outcomes_.record({version.name, Check::builds}, main_, {built.causes, built.seconds});
    say(fmt::format("{}.builds: {}", version.name, built.causes.empty() ? "passed" : "not passed"));
    const auto blocked = after(built.causes, Check::builds);
    CheckOutcome correct{blocked};
    CheckOutcome clean{blocked};
    if (blocked.empty()) run_cases(version, built, correct, clean);
    for (auto& [check, outcome] : {std::pair{Check::correct, &correct}, {Check::clean, &clean}}) {
      if (!version.has(check)) continue;
      if (blocked.empty() && selection_.wants(version, check))
        say(fmt::format("{}.{}: {}", version.name, name_of(check),
                        outcome->causes.empty() ? "passed" : "not passed"));
      outcomes_.record({version.name, check}, check == Check::clean ? Engine::simulator : main_,
                       std::move(*outcome));
    }
    const std::scoped_lock lock(mutex_);
    built_[version.name] = std::move(built);
  }

  // Builds a program for the main engine. What no compiler takes is told in the words of the simulator's
  // compiler first: they name the place of the mistake better than nvcc's.
  BuiltProgram build(const VersionRule& version) {
    BuiltProgram built = builders_.of(main_).build(submission_.folder, version);
    if (main_ == Engine::simulator || !engines_.has(Engine::simulator) || failures_in(built.causes).empty())
      return built;
    auto seen = builders_.of(Engine::simulator).build(submission_.folder, version).causes;
    built.causes = explained_first(failures_in(std::move(seen)), std::move(built.causes));
    return built;
  }

  // Returns the program as the simulator runs it: beside a GPU a second build.
  BuiltProgram simulated(const VersionRule& version, const BuiltProgram& built) {
    if (main_ == Engine::simulator) return built;
    BuiltProgram result;
    if (!engines_.has(Engine::simulator)) {
      result.causes = {engines_.missing.at(Engine::simulator)};
      return result;
    }
    result = builders_.of(Engine::simulator).build(submission_.folder, version);
    result.causes =
        unsupported_by(std::move(result.causes), "the simulator's compiler rejects code that nvcc accepts");
    return result;
  }

  // Runs the program on a case: `correct` on the main engine and, beside a GPU, on the simulator, too, if
  // `clean` has the case; `clean` on the simulator.
  void run_case(const VersionRule& version, const BuiltProgram& built, const BuiltProgram& simulated,
                const program::Case& one, CaseSettings settings, Found& found) {
    auto start = Clock::now();
    const CompareOutput compare = [&](const program::Output& output, const std::string& actual) {
      return expected_.compare(version, one, output, actual);
    };
    CaseRuns runs(settings, built, one);
    found.wrong.add(runs.correct(compare));
    found.correct_seconds += seconds_since(start);
    if (!is_simulated(version) || !has_clean(one) || !simulated.causes.empty()) return;
    start = Clock::now();
    settings.engine = Engine::simulator;
    std::optional<CaseRuns> again;
    if (main_ != Engine::simulator) {
      again.emplace(settings, simulated, one);
      found.wrong_on_simulator.add(again->correct(compare));
    }
    if (selection_.wants(version, Check::clean)) {
      auto seen = (again ? *again : runs).clean(course_.rubric);
      found.unclean.add(std::move(seen.causes));
      add_once(found.notes, std::move(seen.notes));
    }
    found.clean_seconds += seconds_since(start);
  }

  // Returns true if the simulator runs a program's cases, whichever engine decides `correct`.
  [[nodiscard]] bool is_simulated(const VersionRule& version) const {
    return version.has(Check::clean) &&
           (main_ != Engine::simulator || selection_.wants(version, Check::clean));
  }

  void run_cases(const VersionRule& version, const BuiltProgram& built, CheckOutcome& correct,
                 CheckOutcome& clean) {
    Found found;
    const BuiltProgram on_simulator = is_simulated(version) ? simulated(version, built) : BuiltProgram{};
    found.unclean.add(on_simulator.causes);
    for (const program::Case& one : spec_.cases) {
      if (!course_.focus.test.empty() && one.name != course_.focus.test) continue;
      if (one.gpu_only && main_ != Engine::gpu) continue;
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
      if (left.count() <= 0) {
        Cause late =
            make_cause(CauseKind::timed_out,
                       fmt::format("not run (case {}): the time of the submission, {} s, was used up",
                                   one.name, course_.rubric.limits.submission.count() / 1000));
        late.test = one.name;
        found.wrong.add({late});
        found.unclean.add({late});
        break;
      }
      CaseSettings settings = settings_;
      settings.devices = version.gpus;
      settings.left = std::min(left, kRunsOfACase * spec_.run_limit);
      run_case(version, built, on_simulator, one, settings, found);
      if (found.wrong.full() && found.unclean.full()) break;
    }
    correct.seconds = found.correct_seconds;
    clean.seconds = found.clean_seconds;
    correct.causes = std::move(found.wrong).worst_first();
    clean.causes = std::move(found.unclean).worst_first();
    clean.notes = std::move(found.notes);
    if (main_ != Engine::simulator)
      judge_beside_gpu(version, std::move(found.wrong_on_simulator).worst_first(), correct, clean);
  }

  // Lets what the simulator saw in the same cases explain a failure on the GPU, or fail a program that is
  // right there. A limit that only the slower simulator reaches leaves the program to the GPU.
  void judge_beside_gpu(const VersionRule& version, std::vector<Cause> seen, CheckOutcome& correct,
                        const CheckOutcome& clean) {
    std::erase_if(seen, [](const Cause& cause) {
      return cause.kind == CauseKind::timed_out || cause.kind == CauseKind::memory_limit;
    });
    if (const auto open = std::ranges::find_if(seen, leaves_to_gpu); open != seen.end())
      outcomes_.add_unwatched({version.name, open->message});
    const bool wants_clean = selection_.wants(version, Check::clean);
    correct.causes =
        judged_on_both(std::move(correct.causes), {std::move(seen), 0}, wants_clean ? &clean : nullptr, {});
  }

  // Times the programs one after the other, when nothing else of this grading runs.
  void check_speeds(const std::vector<const VersionRule*>& versions) {
    for (const VersionRule* version : versions) {
      const CheckKey key{version->name, Check::fast};
      const auto built = built_.find(version->name);
      if (!selection_.wants(*version, Check::fast) || built == built_.end()) continue;
      ProgramSpeed speed{settings_, course_, *version, submission_, engines_, main_, builders_, expected_};
      speed.say = [this](const std::string& line) { say(line); };
      std::vector<Cause> blocked;
      for (const Check earlier : {Check::builds, Check::correct}) {
        const auto* causes = outcomes_.causes_of({version->name, earlier});
        if (causes != nullptr && blocked.empty()) blocked = after(*causes, earlier);
      }
      FastOutcome found;
      found.outcome.causes = blocked;
      if (blocked.empty()) found = check_speed(speed, built->second);
      if (found.measurement) outcomes_.add(std::move(*found.measurement), 0, 0);
      outcomes_.record(key, engine_of_speed(speed), std::move(found.outcome));
    }
  }

  [[nodiscard]] bool has_clean(const program::Case& one) const {
    if (one.gpu_only) return false;
    const auto& cases = course_.rubric.clean.cases;
    return cases.empty() || std::ranges::find(cases, one.name) != cases.end();
  }

  const GradeOptions& options_;
  const Course& course_;
  const Submission& submission_;
  const Engines& engines_;
  const program::Spec& spec_;
  CaseSettings settings_;
  Engine main_;  // engine of `builds` and `correct`: the GPU if there is one, else the simulator
  Selection selection_;
  Outcomes outcomes_;
  ProgramBuilders builders_;
  ExpectedOutputs expected_;
  Clock::time_point end_;
  std::mutex mutex_;  // guards built_ while programs are checked concurrently
  std::map<std::string, BuiltProgram> built_;
};

// Returns an error message if the user's options request something that whole programs do not have, such as
// --size; else nullopt.
std::optional<std::string> refused(const GradeOptions& options, const program::Spec& spec) {
  const std::string why =
      "is for assignments whose submissions are functions; programs are run on cases: "
      "--case NAME chooses one of " +
      spec.names();
  if (options.focus.size) return "--size " + why;
  if (!options.focus.type.empty()) return "--type " + why;
  if (!options.data.files.empty()) return "--data " + why;
  if (options.engine && *options.engine != Engine::simulator && *options.engine != Engine::gpu)
    return fmt::format("--engine {}: programs are graded on a GPU or the simulator; leave the option out",
                       name_of(*options.engine));
  if (!options.focus.test.empty() && spec.find(options.focus.test) == nullptr)
    return fmt::format("--case {}: there is no such case; there are: {}", options.focus.test, spec.names());
  return std::nullopt;
}

// Returns the engine of `builds` and `correct`, or why the one that the user asks for cannot be used.
Result<Engine> main_engine(const GradeOptions& options, const Rubric& rubric, const Engines& engines) {
  const bool enough = std::ranges::all_of(
      rubric.versions, [&](const VersionRule& version) { return engines.has_gpus(version.gpus); });
  const bool gpu = engines.has(Engine::gpu) && enough;
  const Engine wanted = options.engine.value_or(gpu ? Engine::gpu : Engine::simulator);
  if (wanted == Engine::gpu && !gpu)
    return fail(fmt::format("--engine gpu: {}; leave the option out to grade on the simulator",
                            engines.has(Engine::gpu) ? "this machine has too few GPUs for the programs"
                                                     : engines.missing.at(Engine::gpu).message));
  if (wanted == Engine::simulator && !engines.has(Engine::simulator))
    return fail("programs are graded on the simulator: " + engines.missing.at(Engine::simulator).message);
  const program::Case* one = rubric.program->find(options.focus.test);
  if (wanted == Engine::simulator && one != nullptr && one->gpu_only)
    return fail(fmt::format("--case {}: this case is for a GPU alone (gpu_only)", one->name));
  return wanted;
}

}  // namespace

std::optional<Cause> still_the_template(const Submission& submission, const Rubric& rubric,
                                        const VersionRule& version) {
  // take_in() has already compared a submission of one file with the template given to students.
  if (version.given || version.sources.size() < 2) return std::nullopt;
  bool any = false;
  for (const std::string& name : sources_in(submission.folder, version)) {
    const auto text = read_file(submission.folder / name);
    const auto stub = stub_of(rubric.home, name);
    if (!text || !stub || !same_tokens(*stub, *text)) return std::nullopt;
    any = true;
  }
  if (!any) return std::nullopt;
  return make_cause(
      CauseKind::not_implemented,
      fmt::format("the sources of {} are still the template's: nothing has been written yet", version.name),
      version.file());
}

Result<Grade> grade_programs(const Installation& installation, const GradeOptions& options,
                             const Course& course, const Submission& submission, const Engines& engines) {
  if (const auto why = refused(options, *course.rubric.program)) return fail(*why);
  const auto main = main_engine(options, course.rubric, engines);
  if (!main) return tl::unexpected(main.error());
  return ProgramGrading(installation, options, course, submission, engines, *main).run();
}

}  // namespace warpmark::judge

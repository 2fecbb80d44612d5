#include "harness/judge/programs/program_grading.h"

#include <algorithm>
#include <ctime>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "harness/assignments/stubs.h"
#include "harness/assignments/tokens.h"
#include "harness/base/parallel.h"
#include "harness/judge/checks/found_causes.h"
#include "harness/judge/consequences.h"
#include "harness/judge/kept.h"
#include "harness/judge/outcomes.h"
#include "harness/judge/programs/expected_outputs.h"

namespace warpmark::judge {
namespace {

using Clock = std::chrono::steady_clock;

// Time limit of all runs of a program on one test case, as a multiple of the limit of one run: one for the
// first run, the rest for the runs of the check `clean`, several of which run concurrently.
constexpr int kRunsOfACase = 4;

class ProgramGrading {
 public:
  ProgramGrading(const Installation& installation, const GradeOptions& options, const Course& course,
                 const Submission& submission, const Engines& engines)
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
                  {}},
        selection_(course),
        outcomes_([this](const CheckKey& key, const Cause& cause) {
          return command_again(options_, course_.rubric.assignment, key, cause);
        }),
        builder_(installation, course.rubric, engines, options.cache),
        expected_(settings_, course.rubric, builder_),
        end_(Clock::now() + course.rubric.limits.submission) {}

  Grade run() {
    const auto start = Clock::now();
    std::vector<const VersionRule*> versions;
    for (const VersionRule& version : course_.rubric.versions) {
      if (selection_.runs(version)) versions.push_back(&version);
    }
    const unsigned jobs =
        options_.jobs != 0 ? options_.jobs : std::max(1U, std::thread::hardware_concurrency());
    in_parallel(versions.size(), jobs, [&](std::size_t i) { check(*versions[i]); });
    Grade grade = outcomes_.assemble(course_, submission_, engines_, Engine::simulator);
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
    if (kept == nullptr || !kept->versions.contains(version.name)) return false;
    std::vector<std::pair<CheckKey, CheckOutcome>> outcomes;
    for (const Check check : version.checks) {
      const CheckKey key{version.name, check};
      auto outcome = kept_outcome(*kept, id_of(course_.rubric.assignment, key));
      if (!outcome) return false;
      outcomes.emplace_back(key, std::move(*outcome));
    }
    for (auto& [key, outcome] : outcomes) outcomes_.record(key, Engine::simulator, std::move(outcome));
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
    if (built.causes.empty()) built = builder_.build(submission_.folder, version);
    outcomes_.record({version.name, Check::builds}, Engine::simulator, {built.causes, built.seconds});
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
      outcomes_.record({version.name, check}, Engine::simulator, std::move(*outcome));
    }
  }

  void run_cases(const VersionRule& version, const BuiltProgram& built, CheckOutcome& correct,
                 CheckOutcome& clean) {
    FoundCauses wrong;
    FoundCauses unclean;
    std::vector<Cause> notes;
    const bool wants_clean = selection_.wants(version, Check::clean);
    for (const program::Case& one : spec_.cases) {
      if (!course_.focus.test.empty() && one.name != course_.focus.test) continue;
      auto start = Clock::now();
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - start);
      if (left.count() <= 0) {
        Cause late =
            make_cause(CauseKind::timed_out,
                       fmt::format("not run (case {}): the time of the submission, {} s, was used up",
                                   one.name, course_.rubric.limits.submission.count() / 1000));
        late.test = one.name;
        wrong.add({late});
        unclean.add({late});
        break;
      }
      CaseSettings settings = settings_;
      settings.devices = version.gpus;
      settings.left = std::min(left, kRunsOfACase * spec_.run_limit);
      CaseRuns runs(settings, built, one);
      wrong.add(runs.correct([&](const program::Output& output, const std::string& actual) {
        return expected_.compare(version, one, output, actual);
      }));
      correct.seconds += seconds_since(start);
      start = Clock::now();
      if (wants_clean && has_clean(one)) {
        auto found = runs.clean(course_.rubric);
        unclean.add(std::move(found.causes));
        add_once(notes, std::move(found.notes));
        clean.seconds += seconds_since(start);
      }
      if (wrong.full() && unclean.full()) break;
    }
    correct.causes = std::move(wrong).worst_first();
    clean.causes = std::move(unclean).worst_first();
    clean.notes = std::move(notes);
  }

  [[nodiscard]] bool has_clean(const program::Case& one) const {
    const auto& cases = course_.rubric.clean.cases;
    return cases.empty() || std::ranges::find(cases, one.name) != cases.end();
  }

  const GradeOptions& options_;
  const Course& course_;
  const Submission& submission_;
  const Engines& engines_;
  const program::Spec& spec_;
  CaseSettings settings_;
  Selection selection_;
  Outcomes outcomes_;
  ProgramBuilder builder_;
  ExpectedOutputs expected_;
  Clock::time_point end_;
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
  if (options.engine && *options.engine != Engine::simulator)
    return fmt::format("--engine {}: programs are graded on the simulator; leave the option out",
                       name_of(*options.engine));
  if (!options.focus.test.empty() && spec.find(options.focus.test) == nullptr)
    return fmt::format("--case {}: there is no such case; there are: {}", options.focus.test, spec.names());
  return std::nullopt;
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
  if (!engines.has(Engine::simulator))
    return fail("programs are graded on the simulator: " + engines.missing.at(Engine::simulator).message);
  return ProgramGrading(installation, options, course, submission, engines).run();
}

}  // namespace warpmark::judge

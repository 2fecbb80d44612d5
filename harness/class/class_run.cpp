#include "harness/class/class_run.h"

#include <algorithm>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/class/alike/class_alike.h"
#include "harness/class/run/contest.h"
#include "harness/class/run/coordinator.h"
#include "harness/class/run/files.h"
#include "harness/class/run/home.h"
#include "harness/class/run/results.h"
#include "harness/class/run/rules.h"
#include "harness/class/run/take_in.h"
#include "harness/judge/rules/plan.h"
#include "harness/remote/slurm.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

// Key in the class's database of the phase that a run has started but not finished: "intake", "grading" or
// "".
constexpr const char* kUnfinished = "unfinished";
// How long the import job waits for the lock of the class's folder.
constexpr std::chrono::minutes kImportPatience{5};

std::string seed_text(std::uint64_t seed) {
  return fmt::format("{:#x}", seed);
}

// Returns the options of the previous run from the journal, overridden by those that were given again.
Result<ClassOptions> stored_options(const Journal& journal, const ClassOptions& options) {
  ClassOptions stored = options;
  if (!read_options(journal.fact("options"), stored))
    return fail("the run before has left no options; give the inputs again");
  stored.rubric = journal.fact("rubric");
  stored.out = options.out;
  if (options.on_is_given) stored.on = options.on;
  if (!options.slurm_options.empty()) stored.slurm_options = options.slurm_options;
  return stored;
}

// Returns the assignment and its submissions: collected anew, or as the previous run stored them in the
// journal.
Result<TakenClass> class_of(const judge::Installation& installation, const ClassOptions& options, Mode mode,
                            Journal& journal) {
  const bool keeps = mode == Mode::regrade || (mode == Mode::resume && journal.fact(kUnfinished) != "intake");
  if (keeps) {
    auto taken = journal.taken();
    if (taken) return std::move(*taken);
  }
  const auto known = known_assignments(installation, options.assignment);
  if (!known) return tl::unexpected(known.error());
  std::map<std::string, std::string> facts{
      {"options", to_json(options)}, {"rubric", options.rubric.string()}, {kUnfinished, "intake"}};
  // A resumed run keeps the seed of its test inputs, so that its results are the same as without the
  // interruption.
  if (mode != Mode::resume) facts["seed"] = seed_text(options.seed.value_or(judge::seed_from_the_system()));
  journal.set_facts(facts);
  auto taken = take_in_class(options, *known, journal);
  if (taken) options.taken_in(*taken);
  return taken;
}

// Returns the engine (GPU or simulator) that Slurm jobs use: a job that requests a GPU and gets none must
// not fall back to the simulator.
std::string engine_on_nodes(const ClassOptions& options) {
  return options.engine == "simulator" ? "simulator" : "gpu";
}

Result<Rules> rules_for(const judge::Installation& installation, const ClassOptions& options,
                        const TakenClass& taken) {
  // With Slurm, each node finds its own engines (GPU or simulator): the submitting machine may have neither.
  if (options.on == Executor::slurm)
    return rules_of(installation, {}, taken.place(), options.rubric, engine_on_nodes(options));
  const judge::Engines engines = judge::find_engines(installation, judge::kEngineLimit);
  if (options.engine == "gpu" && !engines.has(Engine::gpu)) {
    return fail(fmt::format("--engine gpu: {}; leave the option out to grade on the simulator",
                            engines.missing.at(Engine::gpu).message));
  }
  return rules_of(installation, engines, taken.place(), options.rubric, options.engine);
}

// Returns the command line by which the instructor runs Warpmark: the wrapper script of a source clone, or
// the installed program on PATH.
InstructorsCommand command_in_class(const judge::Installation& installation, const Journal& journal) {
  InstructorsCommand command;
  std::error_code error;
  if (const fs::path wrapper = installation.root / "warpmark"; fs::is_regular_file(wrapper, error))
    command.program = wrapper.string();
  if (!journal.fact("rubric").empty()) command.more = " --rubric rubric.toml";
  // An assignment that the tool does not have is named by its folder.
  if (const auto taken = journal.taken(); taken && taken->place().find('/') != std::string::npos)
    command.more += fmt::format(" --assignment '{}'", taken->place());
  return command;
}

// Regenerates all output files of a class (grades, pages, tables) from the journal.
Result<ClassResult> write_all(const judge::Installation& installation, Home& home) {
  const auto taken = home.journal.taken();
  if (!taken) return fail(fmt::format("{} holds no class", home.out.string()));
  const auto assignment = find_assignment(installation.root, taken->place());
  if (!assignment) return tl::unexpected(assignment.error());
  const auto rubric = judge::read_rubric(*assignment, rubric_copy(home.out, Shelf::current));
  if (!rubric) return tl::unexpected(rubric.error());
  ClassResult result = compose(*taken, home.journal.outcomes(Shelf::current), home.journal.corrections(),
                               *rubric, contests_in(home.journal, Shelf::current, *taken, *rubric));
  result.alike = alike_in_class(*taken, home.out / "submissions", *rubric);
  for (std::size_t i = 0; i < result.students.size(); ++i) {
    const StudentResult& student = result.students[i];
    const auto outcome =
        student.grade.empty() ? std::nullopt : home.journal.outcome(Shelf::current, student.id);
    write_student(home.out, student, result.assignment, outcome ? outcome->grade : "", rubric->help,
                  sight_of(home.journal, taken->students[i]));
  }
  write_alike(home.out, result.alike);
  return write_class(home.out, result, command_in_class(installation, home.journal));
}

// Returns how a regrade changes each student's points, checks and contest bonuses.
std::vector<Change> all_changes(const judge::Installation& installation, const Home& home,
                                const TakenClass& taken) {
  const auto won = [&](Shelf shelf) {
    std::map<std::string, std::vector<ContestShare>> shares;
    const auto assignment = find_assignment(installation.root, taken.place());
    if (!assignment) return shares;
    const auto rubric = judge::read_rubric(*assignment, rubric_copy(home.out, shelf));
    if (!rubric) return shares;
    const auto contests = contests_in(home.journal, shelf, taken, *rubric);
    for (const Taken& student : taken.students) shares[student.id] = shares_of(contests, student.id, *rubric);
    return shares;
  };
  return changes_in(home.journal, taken, won(Shelf::current), won(Shelf::shadow));
}

Result<ClassRun> shown_again(const judge::Installation& installation, Home& home) {
  auto result = write_all(installation, home);
  if (!result) return tl::unexpected(result.error());
  ClassRun run;
  run.result = std::move(*result);
  return run;
}

// Writes all output files of a class and, after a regrade, the list of changed grades.
Result<void> finish(const judge::Installation& installation, Home& home, Shelf shelf, ClassRun& run) {
  auto result = write_all(installation, home);
  if (!result) return tl::unexpected(result.error());
  run.result = std::move(*result);
  const auto taken = home.journal.taken();
  if (shelf == Shelf::current || !taken) return {};
  run.changes = all_changes(installation, home, *taken);
  write_changes(home.out, run.changes);
  return {};
}

void complete(Journal& journal, Shelf shelf) {
  const bool shadow = shelf == Shelf::shadow;
  journal.set_fact(shadow ? "shadow" : kUnfinished, shadow ? "complete" : "");
}

SlurmPlan plan_for_nodes(const ClassOptions& options, const Home& home, const TakenClass& taken,
                         const std::vector<const Taken*>& tasks, const Coordinator& coordinator,
                         Shelf shelf) {
  SlurmPlan plan;
  plan.shelf = shelf;
  plan.engine = engine_on_nodes(options);
  if (!options.rubric.empty()) plan.rubric = rubric_copy(home.out, shelf).string();
  plan.seed = home.journal.fact("seed");
  plan.rules = coordinator.rules().digest;
  plan.trusts = options.trusts;
  plan.taken.assignment = taken.assignment;
  plan.taken.folder = taken.folder;
  for (const Taken* student : tasks) plan.taken.students.push_back(*student);
  return plan;
}

// Grades every submission that has no grade yet in the given set of grades (current or regraded), then writes
// the class's output files or the regrade's changes.
Result<ClassRun> grade_class(const judge::Installation& installation, const ClassOptions& options,
                             Shelf shelf, Home& home, const TakenClass& taken, const std::stop_token& stop) {
  auto rules = rules_for(installation, options, taken);
  if (!rules) return tl::unexpected(rules.error());
  const GpuWatch watch = watch_gpus(installation, rules->gpus);
  Coordinator coordinator(installation, options, home, taken, std::move(*rules), shelf, watch);
  const bool shadow = shelf == Shelf::shadow;
  if (shadow) home.journal.set_facts({{"shadow_rubric", options.rubric.string()}, {"shadow", "begun"}});
  auto tasks = coordinator.plan();
  if (!tasks) return tl::unexpected(tasks.error());
  keep_rubric(installation, options.rubric, taken.place(), rubric_copy(home.out, shelf));
  if (!shadow) home.journal.set_fact(kUnfinished, "grading");
  ClassRun run;
  const bool spreads = options.on == Executor::slurm && !tasks->empty();
  if (!spreads) run.interrupted = !coordinator.grade(std::move(*tasks), stop, run.figures);
  run.trouble = coordinator.trouble();
  if (!spreads)
    run.limits =
        limits_text(run.figures, coordinator.rules().gpus, std::max(1U, std::thread::hardware_concurrency()));
  if (auto written = finish(installation, home, shelf, run); !written) return tl::unexpected(written.error());
  if (!run.interrupted && !spreads) complete(home.journal, shelf);
  // Submits the Slurm jobs last, because the import job may start at once and waits for the lock of the
  // output folder, which this process holds.
  if (spreads) {
    auto jobs = submit_class(options, home, plan_for_nodes(options, home, taken, *tasks, coordinator, shelf));
    if (!jobs) return tl::unexpected(jobs.error());
    options.submitted(*jobs);
    run.jobs = std::move(*jobs);
  }
  return run;
}

// Imports the results of a class graded on Slurm; runs in the last of the class's jobs.
Result<ClassRun> import_class(const judge::Installation& installation, const fs::path& out) {
  auto home = open_existing(out, kImportPatience);
  if (!home) return tl::unexpected(home.error());
  const auto plan = read_plan(home->out);
  if (!plan) return tl::unexpected(plan.error());
  if (auto imported = import_results(*home); !imported) return tl::unexpected(imported.error());
  ClassRun run;
  if (auto written = finish(installation, *home, plan->shelf, run); !written)
    return tl::unexpected(written.error());
  complete(home->journal, plan->shelf);
  return run;
}

// Waits for the class's Slurm jobs to end and reads the results that the import job wrote.
Result<void> wait_for_jobs(const judge::Installation& installation, ClassRun& run, const fs::path& out,
                           const std::stop_token& stop) {
  const auto ended = follow(out, stop, run.figures);
  if (!ended) return tl::unexpected(ended.error());
  run.interrupted = !*ended;
  if (run.interrupted) return {};
  const auto home = open_existing(out, kImportPatience);
  if (!home) return tl::unexpected(home.error());
  if (is_spread(*home)) {
    return fail(
        fmt::format("Slurm's job {} ended before it had imported the grades; what it printed is in {}. "
                    "Nothing is lost: go on with --resume",
                    run.jobs->import, (slurm_folder(out) / "log").string()));
  }
  const auto text = read_file(out / "class.json");
  if (!text) return tl::unexpected(text.error());
  auto result = class_from_json(*text);
  if (!result) return tl::unexpected(result.error());
  run.result = std::move(*result);
  const auto plan = read_plan(out);
  const auto taken = home->journal.taken();
  if (plan && taken && plan->shelf == Shelf::shadow) run.changes = all_changes(installation, *home, *taken);
  return {};
}

// Grades the class on this machine or submits Slurm jobs, as the options request. Holds the lock of the
// output folder until it returns.
Result<ClassRun> grade_here_or_submit(const judge::Installation& installation, ClassOptions options,
                                      Mode mode, const std::stop_token& stop) {
  const bool begins = mode == Mode::grade || (mode == Mode::resume && !options.inputs.empty());
  auto home = begins ? open_home(options.out) : open_existing(options.out);
  if (!home) return tl::unexpected(home.error());
  options.out = home->out;
  if (!options.rubric.empty()) options.rubric = fs::absolute(options.rubric);
  if (auto settled = settle_slurm(*home); !settled) return tl::unexpected(settled.error());
  // If the interrupted run died before it recorded its options, there is nothing to resume, so grading starts
  // from the beginning.
  if (begins && home->journal.fact("options").empty()) mode = Mode::grade;
  if (mode != Mode::grade) {
    auto stored = stored_options(home->journal, options);
    if (!stored) return tl::unexpected(stored.error());
    if (mode == Mode::regrade && !options.rubric.empty()) stored->rubric = options.rubric;
    options = std::move(*stored);
  }
  if (options.on == Executor::slurm) {
    if (auto slurm = remote::Slurm::find(); !slurm) return tl::unexpected(slurm.error());
  }
  auto taken = class_of(installation, options, mode, home->journal);
  if (!taken) return tl::unexpected(taken.error());
  auto run = grade_class(installation, options, mode == Mode::regrade ? Shelf::shadow : Shelf::current, *home,
                         *taken, stop);
  for (const char* scratch : {".work", ".intake"}) {
    std::error_code ignored;
    fs::remove_all(home->out / scratch, ignored);
  }
  return run;
}

}  // namespace

Result<ClassRun> run_class(const judge::Installation& installation, const ClassOptions& options, Mode mode,
                           const std::stop_token& stop) {
  if (mode == Mode::import) return import_class(installation, options.out);
  auto run = grade_here_or_submit(installation, options, mode, stop);
  if (!run || !run->jobs || !options.waits) return run;
  if (auto ended = wait_for_jobs(installation, *run, fs::canonical(options.out), stop); !ended)
    return tl::unexpected(ended.error());
  return run;
}

Result<ClassRun> finish_regrade(const judge::Installation& installation, const fs::path& out, bool apply) {
  auto home = open_existing(out);
  if (!home) return tl::unexpected(home.error());
  if (auto settled = settle_slurm(*home); !settled) return tl::unexpected(settled.error());
  const std::string shadow = home->journal.fact("shadow");
  if (shadow.empty())
    return fail(fmt::format("{} holds no regrade; make one with --regrade", home->out.string()));
  if (apply && shadow != "complete")
    return fail("the regrade was interrupted; finish it with --regrade before it is applied");
  if (apply) {
    // Copies the regrade's rubric before its grades: if the process is killed between these two steps, the
    // user can repeat the command with --apply.
    fs::copy_file(rubric_copy(home->out, Shelf::shadow), rubric_copy(home->out, Shelf::current),
                  fs::copy_options::overwrite_existing);
    home->journal.apply_shadow();
  } else {
    home->journal.discard_shadow();
  }
  fs::remove_all(home->out / "regrade");
  return shown_again(installation, *home);
}

Result<ClassRun> correct_by_hand(const judge::Installation& installation, const fs::path& out,
                                 const std::string& id, const std::optional<Correction>& correction) {
  auto home = open_existing(out);
  if (!home) return tl::unexpected(home.error());
  const auto taken = home->journal.taken();
  const bool known =
      taken && std::ranges::any_of(taken->students, [&](const Taken& each) { return each.id == id; });
  if (!known)
    return fail(
        fmt::format("no student has the id {}; the ids are in {}", id, (home->out / "grades.csv").string()));
  if (correction) {
    home->journal.correct(id, *correction);
  } else if (!home->journal.withdraw_correction(id)) {
    return fail(fmt::format("{} has no correction", id));
  }
  return shown_again(installation, *home);
}

}  // namespace warpmark::classroom

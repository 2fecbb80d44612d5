#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "harness/class/class_run.h"
#include "harness/class/journal/lock.h"
#include "harness/class/slurm/task.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/stop_signals.h"
#include "harness/cli/terminal.h"
#include "harness/remote/slurm.h"
#include "harness/sandbox/level.h"
#include "reports/wording/text.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostJobs = 1024;
constexpr const char* kStopping = "class: stopping; what is graded is kept";

struct ClassArguments {
  classroom::ClassOptions options;
  std::string seed;
  std::string correct;
  std::string withdraw;
  std::string comment;
  bool resume = false;
  bool regrade = false;
  bool apply = false;
  bool discard = false;
  std::string on;
  std::string slurm_options;
  std::uint64_t slurm_task = 0;
  bool slurm_import = false;
  bool no_wait = false;
};

// Prints the results of grading a class of students. Student names may contain anything, so control
// characters are escaped.
void print_result(const classroom::ClassRun& run, const fs::path& out) {
  const ClassResult& result = run.result;
  std::map<StudentState, std::size_t> counts;
  for (const StudentResult& student : result.students) ++counts[student.state];
  std::string text = fmt::format("{}: {} students", result.assignment, result.students.size());
  for (const auto& [state, count] : counts) text += fmt::format(", {} {}", count, name_of(state));
  fmt::print("{}\n", text);
  for (const CommonCause& cause : result.common_causes)
    fmt::print("nearly everybody: {}\n", cut_to(visible_line(text_of(cause)), 300));
  for (const LookAt& entry : result.look_at) {
    fmt::print("look at {}: {}\n", entry.id.empty() ? "the class" : visible_line(entry.id),
               cut_to(visible_line(entry.why), 300));
  }
  for (const NotUnderstood& entry : result.not_understood)
    fmt::print("left out: {} {}\n", visible_line(entry.where), visible_line(entry.why));
  if (run.figures.done > 0) {
    fmt::print("graded {} in {:.1f} s: {:.1f} a minute, the first after {:.1f} s\n", run.figures.done,
               run.figures.seconds, 60 * static_cast<double>(run.figures.done) / run.figures.seconds,
               run.figures.first_seconds);
    if (!run.limits.empty()) fmt::print("{}\n", run.limits);
  }
  fmt::print("report: {}\n", (fs::absolute(out) / "index.html").string());
}

void print_changes(const std::vector<classroom::Change>& changes, const fs::path& out) {
  fmt::print("the regrade would change {} students:\n", changes.size());
  for (const classroom::Change& change : changes) {
    fmt::print("{}: {:g} -> {:g} points{}\n", visible_line(change.student), change.before, change.after,
               change.note.empty() ? "" : "; " + visible_line(change.note));
    for (const classroom::ChangedCheck& check : change.checks) {
      fmt::print("  {}: {:g} -> {:g}, {}\n", visible_line(check.id), check.before, check.after,
                 cut_to(visible_line(check.why), 160));
    }
  }
  fmt::print(
      "the full list: {}\nNothing has changed yet: --regrade --apply accepts the changes, --regrade "
      "--discard drops them.\n",
      (out / "regrade" / "regrade.csv").string());
}

// Parses a correction of student ada's points: "ada=12" replaces them, "ada=+2" adds to them.
Result<std::pair<std::string, Correction>> correction_of(const ClassArguments& arguments) {
  const std::size_t equals = arguments.correct.rfind('=');
  Correction correction;
  std::string value = equals == std::string::npos ? "" : arguments.correct.substr(equals + 1);
  correction.relative = value.starts_with('+') || value.starts_with('-');
  if (value.starts_with('+')) value.erase(0, 1);
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), correction.points);
  if (value.empty() || error != std::errc{} || end != value.data() + value.size() ||
      !std::isfinite(correction.points)) {
    return fail(fmt::format(
        "--correct {}: write ID=POINTS, or ID=+POINTS and ID=-POINTS to add, with a decimal point",
        arguments.correct));
  }
  if (arguments.comment.empty())
    return fail("--correct needs --comment TEXT, the reason that the student reads");
  correction.comment = arguments.comment;
  correction.by = classroom::user_name();
  correction.when = classroom::now_text();
  return std::pair{arguments.correct.substr(0, equals), correction};
}

std::optional<std::uint64_t> seed_from(std::string text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.erase(0, 2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Reads the command-line options that select where a class of students is graded: this machine or a Slurm
// cluster.
Result<void> read_slurm_options(ClassArguments& arguments) {
  classroom::ClassOptions& options = arguments.options;
  options.on_is_given = !arguments.on.empty();
  if (arguments.on == "slurm") options.on = classroom::Executor::slurm;
  options.waits = !arguments.no_wait;
  auto words = remote::slurm_options_from(arguments.slurm_options);
  if (!words) return tl::unexpected(words.error());
  options.slurm_options = std::move(*words);
  return {};
}

void print_jobs(const classroom::SlurmJobs& jobs, const fs::path& out) {
  fmt::print(
      "Slurm grades in job {} ({} tasks) and writes the class in job {}; see them: squeue --job={},{}\n",
      jobs.array, jobs.tasks, jobs.import, jobs.array, jobs.import);
  fmt::print("their output: {}\n", (classroom::slurm_folder(fs::absolute(out)) / "log").string());
}

Result<classroom::ClassRun> run(judge::Installation installation, ClassArguments arguments) {
  classroom::ClassOptions& options = arguments.options;
  if (options.out.empty()) options.out = default_outputs(installation) / "class";
  options.program = installation.programs / "warpmark-cli";
  if (!arguments.correct.empty()) {
    auto correction = correction_of(arguments);
    if (!correction) return tl::unexpected(correction.error());
    return classroom::correct_by_hand(installation, options.out, correction->first, correction->second);
  }
  if (!arguments.withdraw.empty())
    return classroom::correct_by_hand(installation, options.out, arguments.withdraw, std::nullopt);
  if ((arguments.apply || arguments.discard) && !arguments.regrade)
    return fail("--apply and --discard go with --regrade");
  if (arguments.apply || arguments.discard)
    return classroom::finish_regrade(installation, options.out, arguments.apply);
  if (auto read = read_slurm_options(arguments); !read) return tl::unexpected(read.error());
  // With Slurm, each compute node checks its own sandbox, so this machine needs none.
  const bool needs_box = !options.trusts && options.on == classroom::Executor::local;
  installation.sandbox = needs_box ? sandbox::Level::box : sandbox::best_level();
  if (needs_box && sandbox::best_level() != sandbox::Level::box) {
    const sandbox::Machine& machine = sandbox::machine();
    return fail(fmt::format(
        "{}; {}. Submissions of a class must run in a sandbox; --trust-submissions grades them without one",
        machine.trouble, machine.remedy));
  }
  if (!arguments.seed.empty()) {
    options.seed = seed_from(arguments.seed);
    if (!options.seed)
      return fail(fmt::format("--seed {}: not a number (decimal, or 0x...)", arguments.seed));
  }
  if (!arguments.resume && !arguments.regrade && !arguments.slurm_import && options.inputs.empty())
    return fail("name the folder or archive that holds the submissions, or go on with --resume");
  const auto mode = arguments.slurm_import ? classroom::Mode::import
                    : arguments.regrade    ? classroom::Mode::regrade
                    : arguments.resume     ? classroom::Mode::resume
                                           : classroom::Mode::grade;
  const StopSignals signals(kStopping);
  options.taken_in = [](const classroom::TakenClass& taken) {
    for (const std::string& line : classroom::intake_lines(taken)) fmt::print(stderr, "{}\n", line);
  };
  options.submitted = [&](const classroom::SlurmJobs& jobs) { print_jobs(jobs, options.out); };
  auto finished = classroom::run_class(installation, options, mode, signals.token());
  const bool goes_on = finished && finished->jobs && arguments.no_wait;
  if (finished && mode == classroom::Mode::regrade && !finished->interrupted && !goes_on)
    print_changes(finished->changes, options.out);
  return finished;
}

// Runs one Slurm task on a node. Its results are files; the exit status only shows up in Slurm's own reports.
int run_task(const judge::Installation& installation, const ClassArguments& arguments) {
  const StopSignals signals(kStopping);
  const auto complete = classroom::run_task(installation, fs::absolute(arguments.options.out),
                                            arguments.slurm_task, signals.token());
  if (!complete) return unusable("class", complete.error().message);
  return *complete ? 0 : kBroken;
}

// Prints how to stop or resume the grading of a class of students whose Slurm jobs are still running.
int report_jobs(const classroom::ClassRun& run, const fs::path& out) {
  fmt::print("the jobs continue, and write {}; stop them with scancel {} {}, then continue with --resume\n",
             (fs::absolute(out) / "index.html").string(), run.jobs->array, run.jobs->import);
  return run.interrupted ? kInterrupted : 0;
}

int run_and_report(const judge::Installation& installation, const ClassArguments& arguments) {
  try {
    if (arguments.slurm_task > 0) return run_task(installation, arguments);
    const auto finished = run(installation, arguments);
    if (!finished) return unusable("class", finished.error().message);
    const fs::path out =
        arguments.options.out.empty() ? default_outputs(installation) / "class" : arguments.options.out;
    if (finished->jobs && (finished->interrupted || arguments.no_wait)) return report_jobs(*finished, out);
    print_result(*finished, out);
    if (!finished->interrupted) return finished->result.exit_status;
    if (!finished->trouble.empty()) {
      fmt::print(
          "stopped: a GPU was lost ({}). Grades before that are kept; look at nvidia-smi and dmesg, restart "
          "the "
          "machine, and go on with: class --out {} --resume\n",
          finished->trouble, out.string());
      return kBroken;
    }
    fmt::print("interrupted; go on with: class --out {} --resume\n", out.string());
    return kInterrupted;
  } catch (const std::exception& error) {
    // Grades of a class are appended to a journal file as they are made, so that --resume can continue after
    // a full disk or another exception.
    fmt::print(stderr,
               "warpmark class: {}. What was graded is kept: make room or repair the disk, then go on with "
               "--resume\n",
               error.what());
    return kBroken;
  }
}

}  // namespace

Action add_class_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto arguments = std::make_shared<ClassArguments>();
  auto& options = arguments->options;
  CLI::App* command = app.add_subcommand(
      "class", "Grade a whole class: a page per student, a class page, files for the platform");
  command->add_option(
      "INPUT", options.inputs,
      "Folders or archives (zip, tar): one folder per student, or an export of Canvas, Moodle, "
      "Gradescope or GitHub Classroom");
  command->add_option("--out", options.out, "The output folder (default: reports/out/class)");
  command
      ->add_option("--roster", options.roster,
                   "CSV of the students: columns name, id, email, login, sid, late_days")
      ->check(CLI::ExistingFile);
  command->add_option("--assignment", options.assignment,
                      "The assignment (default: detected from the files)");
  command->add_option("--engine", options.engine, "auto: the GPU if there is one, else the simulator")
      ->check(CLI::IsMember({"auto", "gpu", "simulator"}))
      ->capture_default_str();
  command->add_option("--rubric", options.rubric, "Use this rubric instead of the assignment's")
      ->check(CLI::ExistingFile);
  command->add_option("--due", options.due, "The due date with its time zone: 2026-11-20T23:59:00+01:00");
  command->add_option("--jobs", options.jobs, "Students at a time (default: one per core)")
      ->check(CLI::Range(1U, kMostJobs));
  command->add_option("--seed", arguments->seed,
                      "Seed of the secret inputs, the same for every student (default: random)");
  command->add_flag("--resume", arguments->resume, "Continue an interrupted run");
  command->add_flag("--regrade", arguments->regrade,
                    "Grade all submissions again, with --rubric or after changes, and show the differences");
  command->add_flag("--apply", arguments->apply, "With --regrade: accept the differences");
  command->add_flag("--discard", arguments->discard, "With --regrade: drop the differences")
      ->excludes("--apply");
  command->add_option("--correct", arguments->correct,
                      "Correct a student by hand, ID=POINTS or ID=+POINTS; survives every regrade");
  command->add_option("--comment", arguments->comment, "The reason, with --correct");
  command->add_option("--withdraw", arguments->withdraw, "Undo a student's correction");
  command
      ->add_option("--on", arguments->on, "local (default), or slurm: an array job on a cluster, see below")
      ->check(CLI::IsMember({"local", "slurm"}));
  command->add_option("--slurm-options", arguments->slurm_options,
                      "For sbatch: \"--partition=gpu --time=60 --cpus-per-task=8\"");
  command->add_flag("--no-wait", arguments->no_wait, "Return after submitting the jobs to Slurm");
  // Options that only Warpmark's own Slurm jobs pass; the empty group hides them from --help.
  command->add_option("--slurm-task", arguments->slurm_task)->group("");
  command->add_flag("--slurm-import", arguments->slurm_import)->group("");
  command->add_flag("--trust-submissions", options.trusts, "Grade without a sandbox if there is none");
  command->footer(
      "--on slurm submits an array job (--gres=gpu:1 per task, none with --engine simulator; at most --jobs "
      "tasks at a\ntime) and a job that writes the class after the array has ended, in any state. The "
      "cluster must offer: --out,\nthis installation and the home folder at the same paths on login and "
      "compute nodes, with file locks (NFS 4,\nLustre with flock, BeeGFS); on the compute nodes bubblewrap, "
      "clang and for GPUs the CUDA toolkit, check with `warpmark\ndoctor` on one of them; a GPU resource "
      "named gpu; sbatch, squeue, scontrol and scancel on PATH here. No\naccounting database is needed. A "
      "student whose task was cancelled, killed or lost with its node is `broken`,\nwith the reason; "
      "--resume grades them; tasks of a node that fails start again by themselves where the "
      "cluster\nrequeues jobs.\n\nExit status: the highest exit status of the students' grades; 2 the "
      "command is unusable; 130 interrupted (go on with --resume).");
  return [arguments, installation] { return run_and_report(installation, *arguments); };
}

}  // namespace warpmark::cli

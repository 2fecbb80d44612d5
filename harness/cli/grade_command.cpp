#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/base/leftovers.h"
#include "harness/cli/ci_output.h"
#include "harness/cli/commands.h"
#include "harness/cli/grade_arguments.h"
#include "harness/cli/grade_elsewhere.h"
#include "harness/cli/places.h"
#include "harness/cli/report_files.h"
#include "harness/cli/terminal.h"
#include "harness/cli/timeline.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/judge.h"
#include "harness/judge/kept.h"
#include "harness/judge/selection.h"
#include "harness/model/grade.h"
#include "harness/model/passed.h"
#include "harness/sandbox/level.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

// Upper limit of each input size in --size: more elements than any memory holds, and small enough that the
// size in bytes cannot overflow.
constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 36;
constexpr unsigned kMostJobs = 1024;

Detail detail_of(const GradeArguments& arguments) {
  if (arguments.quiet) return Detail::brief;
  return arguments.verbose ? Detail::all : Detail::usual;
}

// Parses a seed for test inputs: decimal, or hexadecimal after 0x, as reports print it.
std::optional<std::uint64_t> parse_seed(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Returns true if only part of the checks or inputs is graded; the reports must then not replace those of a
// complete grade.
bool is_of_a_part(const GradeArguments& arguments) {
  return arguments.only != "*" || !arguments.size.empty() || !arguments.test.empty() ||
         !arguments.type.empty() || !arguments.data.empty();
}

// Returns true if the folder is on a read-only file system, so that no user can write to it.
bool is_read_only(fs::path folder) {
  for (folder = fs::absolute(folder); ::access(folder.c_str(), F_OK) != 0 && folder.has_relative_path();)
    folder = folder.parent_path();
  return ::access(folder.c_str(), W_OK) != 0 && errno == EROFS;
}

// Adds to a grade the student's work in the grade that `out` holds, which this grade is about to replace.
void add_last_grade_in(const fs::path& out, Grade& grade) {
  const auto text = read_file(out / "grade.json");
  if (!text) return;
  if (const auto last = grade_from_json(*text)) add_last_grade(grade, *last);
}

// The reports are made from the parsed text of grade.json, so that `warpmark report` produces the same ones.
int present(Grade graded, const GradeArguments& arguments, const fs::path& out) {
  add_last_grade_in(out, graded);
  const std::string json = to_json(graded);
  const auto grade = grade_from_json(json);
  if (!grade) throw std::runtime_error("grade.json cannot be read back: " + grade.error().message);
  if (arguments.ci.empty()) print_grade(*grade, detail_of(arguments));
  if (auto ready = make_folder(out); !ready) {
    unusable("grade", ready.error().message);
    return kBroken;
  }
  sweep_leftovers(out, 1);
  if (!arguments.ci.empty()) {
    if (auto shown = present_to_ci(arguments.ci, *grade, arguments.submission, out); !shown) {
      unusable("grade", shown.error().message);
      return kBroken;
    }
  }
  for (const auto& written :
       {write_file(out / "grade.json", json), write_page(*grade, out), write_junit(*grade, out)}) {
    if (!written) {
      unusable("grade",
               written.error().message + "; this grade is incomplete: free disk space, and grade again");
      return kBroken;
    }
  }
  fmt::print("report: {}\n", (fs::absolute(out) / kPageFile).string());
  return grade->exit_status;
}

// State of an incremental grade: digests of the current inputs, and the results in `out` that are still valid
// (null: none).
struct Changes {
  judge::Digests now;
  std::shared_ptr<const judge::Kept> kept;
};

std::optional<Changes> changes_since(const judge::Installation& installation,
                                     const judge::GradeOptions& options, const fs::path& out) {
  const auto opened = judge::open_submission(options.submission, options.assignment, options.rubric,
                                             installation, options.cache);
  // The submission cannot be opened; the full grading that follows reports why.
  if (!opened) return std::nullopt;
  Changes changes{judge::digests_of(installation, options, *opened), nullptr};
  if (auto kept = judge::kept_from(out, changes.now))
    changes.kept = std::make_shared<const judge::Kept>(std::move(*kept));
  return changes;
}

Result<judge::GradeOptions> options_from(const judge::Installation& installation,
                                         const GradeArguments& arguments) {
  judge::GradeOptions options;
  options.program = program_name(installation);
  options.submission = arguments.submission;
  options.assignment = arguments.assignment;
  if (arguments.engine != "auto")
    options.engine = arguments.engine == "gpu"    ? Engine::gpu
                     : arguments.engine == "host" ? Engine::host
                                                  : Engine::simulator;
  options.only = arguments.only;
  options.for_student = arguments.for_student;
  options.gpu_part = arguments.gpu_part;
  if (arguments.on.is_elsewhere()) options.on = arguments.on.place;
  if (arguments.staged) options.attempt = arguments.attempt;
  options.rubric = arguments.rubric;
  options.cache = cache_folder(installation);
  options.jobs = arguments.jobs;
  options.focus.type = arguments.type;
  options.focus.test = arguments.test;
  if (!arguments.size.empty()) {
    auto size = size_from(arguments.size);
    if (!size) return fail("--size " + size.error().message);
    if (std::ranges::max(size->parts) > kLargestSize)
      return fail(fmt::format("--size {}: the largest size is {}", arguments.size, kLargestSize));
    options.focus.size = std::move(*size);
  }
  options.data.files.assign(arguments.data.begin(), arguments.data.end());
  if (arguments.has_k) options.data.k = arguments.k;
  if (!arguments.seed.empty()) {
    options.focus.seed = parse_seed(arguments.seed);
    if (!options.focus.seed)
      return fail(fmt::format("--seed {}: not a number (decimal, or 0x...)", arguments.seed));
  }
  if (!arguments.quiet) options.progress = progress_printer();
  return options;
}

// Returns nullopt if the user interrupted a grading in two parts.
Result<std::optional<Grade>> graded_anywhere(const judge::Installation& installation,
                                             const judge::GradeOptions& options,
                                             const GradeArguments& arguments) {
  if (arguments.on.is_elsewhere()) return grade_in_two_parts(installation, options, arguments);
  auto grade = judge::grade_submission(installation, options);
  if (!grade) return tl::unexpected(grade.error());
  return std::move(*grade);
}

int grade_into(const judge::Installation& installation, const judge::GradeOptions& options,
               const GradeArguments& arguments) {
  auto graded = graded_anywhere(installation, options, arguments);
  if (!arguments.quiet) end_progress();
  if (!graded) {
    say_unusable_to_ci(arguments.ci, graded.error().message);
    return unusable("grade", graded.error().message);
  }
  if (!*graded) {
    fmt::print("interrupted; nothing was graded\n");
    return kInterrupted;
  }
  Grade& grade = **graded;
  if (!arguments.out.empty()) return present(std::move(grade), arguments, arguments.out);
  const fs::path whole = default_out(installation, grade.submission_name);
  if (!is_of_a_part(arguments)) return present(std::move(grade), arguments, whole);
  const int status = present(std::move(grade), arguments, whole / kPartFolder);
  fmt::print("This is a partial grade; the report of the complete grade, if there is one, stays in {}\n",
             whole.string());
  return status;
}

// Grades incrementally: repeats only those checks of a submission whose inputs have changed since the grade
// in the folder --out, and stores the inputs' digests there for the next run.
int grade_changes(const judge::Installation& installation, judge::GradeOptions options,
                  const GradeArguments& arguments) {
  const fs::path file = fs::path(arguments.out) / judge::kDigestsFile;
  const auto changes = changes_since(installation, options, arguments.out);
  if (changes && changes->kept) {
    options.kept = changes->kept;
    if (const std::size_t count = changes->kept->versions.size(); count > 0 && options.progress)
      options.progress(fmt::format("unchanged since the last grade, results kept: {}",
                                   count == 1 ? "1 version" : fmt::format("{} versions", count)));
  }
  std::error_code error;
  // Removes the old grade's digests before grading replaces grade.json: after an interruption, an incremental
  // grade must not match old digests with a new grade.
  fs::remove(file, error);
  const int status = grade_into(installation, options, arguments);
  if (!changes || status == kUnusable || !fs::exists(fs::path(arguments.out) / "grade.json", error))
    return status;
  if (auto written = write_file(file, judge::to_text(changes->now)); !written)
    return unusable("grade", written.error().message);
  return status;
}

int grade(judge::Installation installation, const GradeArguments& arguments) {
  const auto level = sandbox::level_from(arguments.sandbox);
  installation.sandbox = level.value_or(sandbox::best_level());
  if (installation.sandbox > sandbox::best_level()) {
    const sandbox::Machine& machine = sandbox::machine();
    return unusable("grade", fmt::format("--sandbox box: {}; {}", machine.trouble, machine.remedy));
  }
  const auto options = options_from(installation, arguments);
  if (!options) return unusable("grade", options.error().message);
  if (arguments.changed && (arguments.out.empty() || is_of_a_part(arguments) || options->focus.seed))
    return unusable("grade",
                    "--changed needs --out DIR, the folder of the previous grade, and grades everything: "
                    "leave out --only, --type, --size, --case, --seed and --data");
  if (!arguments.out.empty()) {
    if (auto ready = make_folder(arguments.out); !ready) {
      unusable("grade", ready.error().message);
      return is_read_only(arguments.out) ? kBroken : kUnusable;
    }
  }
  sweep_leftovers(options->cache, 1);
  std::optional<Trace> trace;
  if (!arguments.timeline.empty()) trace.emplace();
  const int status = arguments.changed ? grade_changes(installation, *options, arguments)
                                       : grade_into(installation, *options, arguments);
  if (!trace) return status;
  if (auto written = write_timeline(*trace, arguments.timeline); !written)
    return unusable("grade", "--timeline: " + written.error().message);
  print_sums(*trace);
  fmt::print("time line: {} (open it at ui.perfetto.dev or chrome://tracing)\n",
             fs::absolute(arguments.timeline).string());
  return status;
}

}  // namespace

Action add_grade_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto arguments = std::make_shared<GradeArguments>();
  CLI::App* command =
      app.add_subcommand("grade", "Grade one submission and write grade.json, index.html and junit.xml");
  command->add_option("DIR", arguments->submission, "The folder with the .cu files")->required();
  command->add_option("--assignment", arguments->assignment,
                      "The assignment (default: detected from its files)");
  command->add_option("--engine", arguments->engine, "auto: the GPU if there is one, else the simulator")
      ->check(CLI::IsMember({"auto", "gpu", "simulator", "host"}))
      ->capture_default_str();
  command
      ->add_option("--only", arguments->only,
                   "Run only the checks whose id matches, e.g. v07_tree_sequential or '*.correct'")
      ->capture_default_str();
  command->add_option(
      "--out", arguments->out,
      "Where the reports go (default: reports/out/<name>, and its folder `again` with --only, --size, "
      "--type or --data)");
  command->add_option("--rubric", arguments->rubric, "Use this rubric instead of the assignment's")
      ->check(CLI::ExistingFile);
  command->add_option("--type", arguments->type, "Only this value type");
  auto* size = command->add_option(
      "--size", arguments->size, "Only this input size: a number, or one per size of the assignment (33,7)");
  command->add_option("--case", arguments->test,
                      "Only this case, for an assignment whose submissions are programs");
  command->add_option("--seed", arguments->seed, "The seed of a failure, as printed with it");
  auto* data = command
                   ->add_option("--data", arguments->data,
                                "Use two files of your own as input, for an assignment that takes data "
                                "files: --data TRAIN.arff TEST.arff")
                   ->expected(2)
                   ->excludes(size);
  auto* k =
      command->add_option("--k", arguments->k, "How many neighbours, with --data (default: 5)")->needs(data);
  command
      ->add_option("--sandbox", arguments->sandbox,
                   "How to isolate compilers and the submission from this machine: box (their own "
                   "namespaces), process (limits), none; auto: the best that works here")
      ->check(CLI::IsMember({"auto", "box", "process", "none"}))
      ->capture_default_str();
  command
      ->add_option("--ci", arguments->ci,
                   "Write output for a CI server: github (annotations, step summary, points for GitHub "
                   "Classroom) or gitlab "
                   "(code quality report)")
      ->check(CLI::IsMember({kGithub, kGitlab}));
  command->add_flag("--changed", arguments->changed,
                    "Grade only versions that have changed since the grade in --out, and keep the other "
                    "results; on the simulator. For work in progress: grade everything for a final result");
  command->add_flag("--for-student", arguments->for_student,
                    "Show in the reports the commands that a student types in the submission's folder");
  auto* staged = command->add_flag("--staged", arguments->staged,
                                   "Write the student's copy: without the help that the rubric's [feedback] "
                                   "does not show yet. For graders "
                                   "that students cannot run themselves");
  staged->excludes("--changed");
  command
      ->add_option("--attempt", arguments->attempt,
                   "Number of the student's attempt, with --staged (default: 1)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000}))
      ->needs(staged);
  command->add_option("--jobs", arguments->jobs, "Number of parallel jobs (default: one per core)")
      ->check(CLI::Range(1U, kMostJobs));
  add_on_options(*command, arguments->on);
  // Passed by another machine's `grade --on` only; the empty group hides it from --help.
  command->add_flag("--gpu-part", arguments->gpu_part)->group("");
  for (const char* alone : {"--changed", "--staged"}) command->get_option("--on")->excludes(alone);
  command->add_option("--timeline", arguments->timeline,
                      "Write what ran when, and on which thread, to this file, in the format of Perfetto and "
                      "chrome://tracing, and print the sums");
  command->get_option("--on")->excludes("--timeline");
  auto* quiet = command->add_flag("--quiet,-q", arguments->quiet,
                                  "Print no progress, only one line per failure and the score");
  command->add_flag("--verbose,-v", arguments->verbose, "Print every cause of every failure in full")
      ->excludes(quiet);
  command->footer(
      "With --on another machine runs what a GPU decides (builds, correct, upload_once, fast), while this "
      "one "
      "runs the\nrest on the simulator. ssh:HOST needs the same version of Warpmark there and a login "
      "without "
      "a password; a lost\nconnection is taken up again, and whatever was begun there ends a minute after "
      "the "
      "last contact. slurm submits a job\nwith one GPU (--gres=gpu:1, none with --engine simulator); --out "
      "and "
      "this installation must have the same paths on\nthe compute nodes, and a run that was cut off finds "
      "its "
      "job again. Files of the submission, an own assignment, the\nrubric and data travel; nothing stays "
      "there "
      "but the cache of built libraries. Without a GPU there the grade is this\nmachine's, and says so.\n\n"
      "Exit status: 0 all checks passed or could not be asked here; 1 the submission failed a check; 2 the "
      "command, the submission\nor the other machine cannot be used; 3 a check was inconclusive, or broke by "
      "a "
      "fault of Warpmark or of the other machine; 130 interrupted.");
  return [arguments, k, installation] {
    arguments->has_k = k->count() != 0;
    return grade(installation, *arguments);
  };
}

}  // namespace warpmark::cli

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignment_check/check.h"
#include "harness/assignment_check/shapes.h"
#include "harness/base/file.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/report_files.h"
#include "harness/cli/terminal.h"
#include "harness/sandbox/level.h"
#include "reports/assignment/reports.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;
namespace check = assignment_check;

struct NewAssignmentArguments {
  std::string name;
  std::string shape = check::kDefaultShape;
  std::string into = ".";
};

struct CheckAssignmentArguments {
  check::CheckOptions options;
  std::string out;
  std::string sandbox = "auto";
  bool feedback = false;
  std::string into;
  bool quiet = false;
};

int write_new(const judge::Installation& installation, const NewAssignmentArguments& arguments) {
  const auto folder =
      check::write_assignment(installation.root, arguments.name, arguments.shape, arguments.into);
  if (!folder) return unusable("assignment new", folder.error().message);
  std::string path = folder->lexically_normal().string();
  if (path.find('/') == std::string::npos) path = "./" + path;
  const std::string program = program_name(installation);
  fmt::print(
      "{} is an assignment that already grades. Change it, file by file, to your own; then:\n"
      "  {} grade {}/reference --assignment {}\n"
      "  {} assignment check {}\n"
      "  {} handout {}-course --assignment {}\n",
      path, program, path, path, program, path, program, arguments.name, path);
  return 0;
}

// Returns a copy of Warpmark's installation data with the sandbox level that the user named, by default the
// best one that this machine supports. Fails if the machine does not support it.
Result<judge::Installation> in_sandbox(judge::Installation installation, const std::string& name) {
  installation.sandbox = sandbox::level_from(name).value_or(sandbox::best_level());
  if (installation.sandbox > sandbox::best_level())
    return fail(
        fmt::format("--sandbox {}: this machine offers {}", name, sandbox::name_of(sandbox::best_level())));
  return installation;
}

// Writes the table of feedback to `folder`/NAME.json, and README.md from all such tables in the folder.
Result<void> write_feedback(const FeedbackReport& report, const fs::path& folder) {
  if (auto ready = make_folder(folder); !ready) return ready;
  if (auto written = write_file(folder / (report.assignment + ".json"), to_json(report)); !written)
    return written;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<FeedbackReport> all;
  for (const fs::path& file : files) {
    const auto text = read_file(file);
    auto read = text ? feedback_from_json(*text) : fail("cannot be read");
    if (!read) return fail(fmt::format("{}: {}", file.string(), read.error().message));
    all.push_back(std::move(*read));
  }
  return write_file(folder / "README.md", to_markdown(all));
}

int make_feedback(const judge::Installation& installation, const CheckAssignmentArguments& arguments) {
  const auto report = check::feedback(installation, arguments.options);
  if (!arguments.quiet) end_progress();
  if (!report) return unusable("assignment check", report.error().message);
  fmt::print("{}", to_markdown({*report}));
  if (arguments.into.empty()) return 0;
  if (auto written = write_feedback(*report, arguments.into); !written)
    return unusable("assignment check", written.error().message);
  return 0;
}

int make_record(const judge::Installation& installation, const CheckAssignmentArguments& arguments) {
  const auto file = check::record_file(installation, arguments.options);
  if (!file) return unusable("assignment check", file.error().message);
  const auto record = check::record(installation, arguments.options);
  if (!arguments.quiet) end_progress();
  if (!record) return unusable("assignment check", record.error().message);
  if (auto written = write_file(*file, to_json(*record)); !written)
    return unusable("assignment check", written.error().message);
  fmt::print("{}: the work of the solutions of {} versions, which students see beside their own\n",
             file->string(),
             std::ranges::count_if(record->versions, [](const auto& each) { return !each.calls.empty(); }));
  return 0;
}

int make_check(const judge::Installation& installation, CheckAssignmentArguments arguments) {
  const auto boxed = in_sandbox(installation, arguments.sandbox);
  if (!boxed) return unusable("assignment check", boxed.error().message);
  check::CheckOptions& options = arguments.options;
  options.cache = cache_folder(installation);
  options.program = program_name(installation);
  if (options.jobs == 0) options.jobs = std::max(1U, std::thread::hardware_concurrency());
  if (!arguments.quiet) options.progress = progress_printer();
  if (arguments.feedback) return make_feedback(*boxed, arguments);
  if (options.record) return make_record(*boxed, arguments);
  if (options.propose) {
    const auto limits = check::propose(*boxed, options);
    if (!arguments.quiet) end_progress();
    if (!limits) return unusable("assignment check", limits.error().message);
    fmt::print("{}", *limits);
    return 0;
  }
  const auto report = check::check_assignment(*boxed, options);
  if (!arguments.quiet) end_progress();
  if (!report) return unusable("assignment check", report.error().message);
  fmt::print("{}", to_console(*report, style_of_the_terminal()));
  const fs::path out = arguments.out.empty() ? default_out(installation, "check-" + report->assignment)
                                             : fs::path(arguments.out);
  if (auto ready = make_folder(out); !ready) return unusable("assignment check", ready.error().message);
  if (auto written = write_file(out / kPageFile, to_html(*report)); !written)
    return unusable("assignment check", written.error().message);
  fmt::print("report: {}\n", (fs::absolute(out) / kPageFile).string());
  return report->exit_status();
}

void add_new(CLI::App& parent, NewAssignmentArguments& arguments, const fs::path& root) {
  CLI::App* command = parent.add_subcommand(
      "new", "Write a folder with a worked example, to be changed to an assignment of your own");
  command->add_option("NAME", arguments.name, "The assignment's name: lower-case letters, digits and _")
      ->required();
  command->add_option("--like", arguments.shape, "The shape of its data")
      ->check(CLI::IsMember(check::shapes(root)))
      ->capture_default_str();
  command->add_option("--in", arguments.into, "The folder to write it into")->capture_default_str();
  command->footer("Exit status: 0 written; 2 nothing was written.");
}

void add_check(CLI::App& parent, CheckAssignmentArguments& arguments) {
  CLI::App* command = parent.add_subcommand("check", "Prove an assignment before students see it");
  check::CheckOptions& options = arguments.options;
  command->add_option("ASSIGNMENT", options.assignment, "Its folder, or its name")->required();
  command
      ->add_option("--mutants", options.mutants,
                   "Grade at most this many mutants of the solutions, drawn from --seed; 0: all")
      ->capture_default_str();
  command->add_option("--seed", options.seed, "Seed of the inputs and of the sample of mutants")
      ->capture_default_str();
  command->add_option("--class", options.class_size, "Number of students, for the costs of grading them")
      ->capture_default_str();
  command->add_flag(
      "--propose", options.propose,
      "Print limits of work for versions that have none, from what the reference does, and nothing else");
  command->add_flag("--record", options.record,
                    "Count the work of the solutions and write it to reference.json in the assignment's "
                    "folder, for students to see beside their own once they passed, and nothing else");
  auto* feedback = command->add_flag(
      "--feedback", arguments.feedback,
      "Grade mutants as a student's files are graded, and print how often the first cause names the changed "
      "line and the kind of change, and nothing else");
  command
      ->add_option("--into", arguments.into,
                   "A folder for the table of --feedback: NAME.json, and README.md from all tables there")
      ->needs(feedback);
  command->add_flag("--verbose,-v", options.verbose, "Show the generated adapter");
  command->add_option("--out", arguments.out, "Where the page goes (default: reports/out/check-<name>)");
  command->add_option("--jobs", options.jobs, "Number of parallel jobs (default: one per core)")
      ->check(CLI::Range(1U, 1024U));
  command
      ->add_option(
          "--sandbox", arguments.sandbox,
          "How to isolate compilers and versions: box, process, none; auto: the best that works here")
      ->check(CLI::IsMember({"auto", "box", "process", "none"}))
      ->capture_default_str();
  command->add_flag("--quiet,-q", arguments.quiet, "Print no progress");
  command->footer(
      "Exit status: 0 nothing is left open; 1 something is; 2 there is no such assignment, or nothing to "
      "grade it on.");
}

}  // namespace

Action add_assignment_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto of_new = std::make_shared<NewAssignmentArguments>();
  auto of_check = std::make_shared<CheckAssignmentArguments>();
  of_check->options.jobs = 0;
  CLI::App* command = app.add_subcommand(
      "assignment", "Write an assignment of your own, and check that it is ready for students");
  command->require_subcommand(1);
  command->footer("Exit status: that of `assignment new` or `assignment check`.");
  add_new(*command, *of_new, context.installation.root);
  add_check(*command, *of_check);
  return [command, of_new, of_check, installation] {
    return command->got_subcommand("new") ? write_new(installation, *of_new)
                                          : make_check(installation, *of_check);
  };
}

}  // namespace warpmark::cli

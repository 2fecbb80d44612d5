#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/cli/commands.h"
#include "harness/cli/report_files.h"
#include "harness/cli/terminal.h"
#include "harness/model/overview.h"
#include "reports/reports.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::string grade;
  std::string format;  // report format to write (--format); empty: all formats
  std::string out;
  std::string check;
  std::string ladder;
};

constexpr int kSkipped = 77;  // exit status by which Automake and CTest recognise a skipped test

// Prints the result of one check of a grade to stdout. Returns the exit status for it, so that a test runner
// can show each check as a test.
int tell_check(const Grade& grade, const std::string& id) {
  const auto check = std::ranges::find(grade.checks, id, &CheckResult::id);
  if (check == grade.checks.end())
    return unusable(
        "report", fmt::format("the grade has no check {}; it may come from another rubric: grade again", id));
  fmt::print("{}", to_console(*check, style_of_the_terminal()));
  if (check->verdict == Verdict::passed) return 0;
  if (is_not_implemented(*check) || check->verdict == Verdict::not_run) return kSkipped;
  return check->verdict == Verdict::failed ? 1 : kBroken;
}

Result<std::optional<Ladder>> ladder_in(const std::string& file) {
  if (file.empty()) return std::nullopt;
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  auto ladder = ladder_from_json(*text);
  if (!ladder) return fail(fmt::format("{}: {}", file, ladder.error().message));
  return std::optional(std::move(*ladder));
}

int report(const judge::Installation& installation, const ReportArguments& arguments) {
  std::error_code error;
  const fs::path named = arguments.grade;
  const fs::path file = fs::is_directory(named, error) && fs::exists(named / "grade.json", error)
                            ? named / "grade.json"
                            : named;
  if (auto usable = check_path(file, PathKind::file, "name the grade.json that `warpmark grade` wrote");
      !usable)
    return unusable("report", usable.error().message);
  const auto text = read_file(file);
  if (!text) return unusable("report", text.error().message);
  const auto grade = grade_from_json(*text);
  if (!grade) return unusable("report", fmt::format("{}: {}", file.string(), grade.error().message));
  if (!arguments.check.empty()) return tell_check(*grade, arguments.check);
  const auto ladder = ladder_in(arguments.ladder);
  if (!ladder) return unusable("report", ladder.error().message);
  const auto wants = [&](const char* format) {
    return arguments.format.empty() || arguments.format == format;
  };
  if (wants("text")) print_grade(*grade);
  if (!wants("html") && !wants("junit")) return 0;
  const fs::path out =
      arguments.out.empty() ? default_out(installation, grade->submission_name) : fs::path(arguments.out);
  if (auto ready = make_folder(out); !ready) return unusable("report", ready.error().message);
  if (wants("html")) {
    if (auto written = write_page(*grade, out, *ladder ? &**ladder : nullptr); !written)
      return unusable("report", written.error().message);
  }
  if (wants("junit")) {
    if (auto written = write_junit(*grade, out); !written) return unusable("report", written.error().message);
  }
  fmt::print("report: {}\n", (fs::absolute(out) / (wants("html") ? kPageFile : kJunitFile)).string());
  return 0;
}

}  // namespace

Action add_report_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Regenerate the reports of a grade from grade.json");
  command->add_option("GRADE", arguments->grade, "The grade.json that `warpmark grade` wrote, or its folder")
      ->required();
  command
      ->add_option("--format", arguments->format,
                   "Only this report: html (index.html), junit (junit.xml) or text (on stdout); default: all")
      ->check(CLI::IsMember({"html", "junit", "text"}));
  command->add_option("--out", arguments->out, "Where the files go (default: reports/out/<name>)");
  command->add_option(
      "--ladder", arguments->ladder,
      "ladder.json of the same submission: adds time and bandwidth by input size to the page");
  command->add_option(
      "--check", arguments->check,
      "Write nothing; print only this check, given by its id (reduction.v07_tree_sequential.correct)");
  command->footer(
      "Exit status: 0 the reports were written, whatever the grade; 2 the file cannot be used.\n"
      "With --check: 0 it passed, 1 it failed, 3 it was inconclusive or broke, 77 it was not begun or not "
      "run.");
  return [arguments, installation] { return report(installation, *arguments); };
}

}  // namespace warpmark::cli

#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/home.h"
#include "harness/base/file.h"
#include "harness/bench/bench.h"
#include "harness/bench/plan.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/model/ladder.h"
#include "reports/reports.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLadderFile = "ladder.json";
constexpr const char* kComparisonFile = "comparison.json";
constexpr const char* kEvaluationFile = "evaluation.html";

struct LadderArguments {
  std::string submission;
  std::string assignment;
  std::string versions = "*";
  std::string type;
  std::string json;
  std::string out;
  std::string show;
  std::string readme;
  std::string into;
  std::vector<std::string> compare;
  unsigned from = 0;
  unsigned to = 0;
  double seconds = 0;
  bool evaluation = false;
  bool has_from = false;
  bool has_to = false;
};

template <class Model>
Result<void> write_results(const Model& model, const char* json_name, const fs::path& out,
                           const std::string& json) {
  if (auto ready = make_folder(out); !ready) return ready;
  if (!json.empty()) {
    if (auto written = write_file(json, to_json(model)); !written) return written;
  }
  if (auto written = write_file(out / json_name, to_json(model)); !written) return written;
  return write_file(out / "index.html", to_html(model));
}

// Prints a table of measured times (per implementation and input size), writes it as a JSON file and as an
// HTML page, and prints the files' paths.
template <class Model>
int present(const Model& model, const char* json_name, const fs::path& out, const std::string& json) {
  fmt::print("{}", to_console(model, style_of_the_terminal()));
  if (auto written = write_results(model, json_name, out, json); !written)
    return unusable("ladder", written.error().message);
  fmt::print("report: {}\n", (fs::absolute(out) / "index.html").string());
  return 0;
}

template <class Model>
Result<Model> read_result(const std::string& file, Result<Model> (*parse)(const std::string& text)) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  auto model = parse(*text);
  if (!model) return fail(fmt::format("{}: {}", file, model.error().message));
  return model;
}

// Prints an evaluation of measured times, which compares the fastest implementation of each approach (one
// core, threads, MPI, GPU), and writes it as an HTML page beside the page of the times.
int present_evaluation(const Ladder& ladder, const fs::path& out, const std::string& json) {
  fmt::print("{}", evaluation_console(ladder, style_of_the_terminal()));
  auto written = write_results(ladder, kLadderFile, out, json);
  if (written) written = write_file(out / kEvaluationFile, evaluation_html(ladder));
  if (!written) return unusable("ladder", written.error().message);
  fmt::print("evaluation: {}\n", (fs::absolute(out) / kEvaluationFile).string());
  return 0;
}

int present_ladder(const Ladder& ladder, const LadderArguments& arguments) {
  if (arguments.evaluation) return present_evaluation(ladder, arguments.out, arguments.json);
  return present(ladder, kLadderFile, arguments.out, arguments.json);
}

// Prints a stored benchmark result as a table and writes its HTML page. The result holds either the times of
// an assignment's kernel versions or a comparison of two implementations.
int show(const LadderArguments& arguments) {
  const auto ladder = read_result(arguments.show, ladder_from_json);
  if (ladder) return present_ladder(*ladder, arguments);
  const auto comparison = read_result(arguments.show, comparison_from_json);
  if (comparison) return present(*comparison, kComparisonFile, arguments.out, arguments.json);
  return unusable("ladder", ladder.error().message);
}

// Returns the path of the README that contains an assignment's table of measured times.
fs::path readme_of(const fs::path& root, const std::string& assignment) {
  return assignment == default_assignment(root) ? root / "reports/ladder/README.md"
                                                : root / "student_template" / assignment / "README.md";
}

// Replaces the table of measured times in a README, between two marker lines. If a student template's README
// lacks the markers, adds them.
int rewrite(const fs::path& root, const std::string& result, const std::string& into) {
  const auto ladder = read_result(result, ladder_from_json);
  if (!ladder) return unusable("ladder", ladder.error().message);
  const fs::path target = into.empty() ? readme_of(root, ladder->assignment) : fs::path(into);
  auto text = read_file(target);
  if (!text) return unusable("ladder", text.error().message);
  if (into.empty()) *text = with_place_for_ladder(std::move(*text));
  const auto rewritten = with_ladder(*text, *ladder);
  if (!rewritten)
    return unusable("ladder", fmt::format("{}: {}", target.string(), rewritten.error().message));
  if (*rewritten == *text) {
    fmt::print("up to date: {}\n", target.string());
    return 0;
  }
  if (auto written = write_file(target, *rewritten); !written)
    return unusable("ladder", written.error().message);
  fmt::print("written: {}\n", target.string());
  return 0;
}

int compare(const judge::Installation& installation, const LadderArguments& arguments) {
  bench::CompareOptions options;
  options.assignment = arguments.assignment;
  options.submission = arguments.submission;
  options.first = arguments.compare.at(0);
  options.second = arguments.compare.at(1);
  if (arguments.has_from) options.from = arguments.from;
  if (arguments.has_to) options.to = arguments.to;
  if (!arguments.type.empty()) options.types = {arguments.type};
  if (arguments.seconds > 0) options.seconds = arguments.seconds;
  options.cache = cache_folder(installation);
  options.progress = progress_printer();
  const auto comparison = bench::measure_comparison(installation, options);
  end_progress();
  if (!comparison) return unusable("ladder", comparison.error().message);
  return present(*comparison, kComparisonFile, arguments.out, arguments.json);
}

int measure(const judge::Installation& installation, const LadderArguments& arguments) {
  bench::LadderOptions options;
  options.assignment = arguments.assignment;
  options.submission = arguments.submission;
  options.versions = arguments.versions;
  if (arguments.has_from) options.from = arguments.from;
  if (arguments.has_to) options.to = arguments.to;
  if (!arguments.type.empty()) options.type = arguments.type;
  if (arguments.seconds > 0) options.seconds = arguments.seconds;
  options.cache = cache_folder(installation);
  options.progress = progress_printer();
  const auto ladder = bench::measure_ladder(installation, options);
  end_progress();
  if (!ladder) return unusable("ladder", ladder.error().message);
  return present_ladder(*ladder, arguments);
}

int ladder(judge::Installation installation, LadderArguments arguments) {
  const fs::path reports = default_outputs(installation);
  if (!arguments.readme.empty()) return rewrite(installation.root, arguments.readme, arguments.into);
  const std::string usual = default_assignment(installation.root);
  const auto home =
      find_assignment(installation.root, arguments.assignment.empty() ? usual : arguments.assignment);
  if (!home) return unusable("ladder", home.error().message);
  const std::string& assignment = home->name;
  if (arguments.submission.empty()) {
    arguments.submission = home->reference.string();
    if (!fs::is_directory(arguments.submission)) {
      return unusable("ladder",
                      fmt::format("--assignment {}: there is no folder {}; see warpmark assignments",
                                  assignment, arguments.submission));
    }
  }
  if (arguments.out.empty()) {
    const std::string name = arguments.compare.empty() ? "ladder" : "comparison";
    arguments.out = (reports / (assignment == usual ? name : name + "-" + assignment)).string();
  }
  if (!arguments.show.empty()) return show(arguments);
  if (auto ready = make_folder(arguments.out); !ready) return unusable("ladder", ready.error().message);
  installation.sandbox = sandbox::best_level();
  return arguments.compare.empty() ? measure(installation, arguments) : compare(installation, arguments);
}

}  // namespace

Action add_ladder_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto arguments = std::make_shared<LadderArguments>();
  CLI::App* command = app.add_subcommand(
      "ladder", "Time all versions and the CPU sums for many sizes; write a table, plots and ladder.json");
  auto* folder = command->add_option("DIR", arguments->submission,
                                     "The folder with the .cu files (default: reference/reduction)");
  command
      ->add_option("--assignment", arguments->assignment,
                   "Use the course's solutions of this assignment instead of DIR")
      ->excludes(folder);
  command->add_flag(
      "--evaluation", arguments->evaluation,
      "Make the page to hand in: time and speedup over the size on one core, threads, MPI, a GPU "
      "and several");
  const CLI::Range powers(bench::kLeastPower, bench::kMostPower);
  auto* from = command
                   ->add_option("--from", arguments->from,
                                "The smallest size is 2^N (default: the assignment's, 10; --compare: 16)")
                   ->check(powers);
  auto* to = command
                 ->add_option("--to", arguments->to,
                              "The largest size is 2^N (default: the assignment's, 24 to 30; --compare: 31)")
                 ->check(powers);
  auto* versions = command->add_option("--versions", arguments->versions,
                                       "Only versions, and sums on the CPU, whose name matches, e.g. 'v1*'");
  command->add_option("--type", arguments->type,
                      "The value type (default: the rubric's first; --compare: int and float)");
  command
      ->add_option("--seconds", arguments->seconds,
                   "Seconds to measure after the build, for all sizes together; large sizes of slow versions "
                   "are skipped first if time runs out (default: 90; --compare: 120)")
      ->check(CLI::PositiveNumber);
  auto* json = command->add_option("--json", arguments->json, "Write the result to this file, too");
  auto* out =
      command->add_option("--out", arguments->out, "Where the results go (default: reports/out/ladder)");
  auto* compare = command
                      ->add_option("--compare", arguments->compare,
                                   "Compare two versions in interleaved rounds, also on misaligned input")
                      ->expected(2)
                      ->excludes(versions);
  auto* show =
      command
          ->add_option("--show", arguments->show, "Measure nothing: show the table and page of this result")
          ->excludes(compare);
  command
      ->add_option("--readme", arguments->readme,
                   "Measure nothing: put the table of this ladder.json into the README of its assignment: "
                   "student_template/NAME/README.md, or reports/ladder/README.md for reduction")
      ->excludes(compare)
      ->excludes(show)
      ->excludes(json)
      ->excludes(out);
  command->add_option("--into", arguments->into, "With --readme: write to this file instead");
  return [arguments, from, to, installation] {
    arguments->has_from = from->count() != 0;
    arguments->has_to = to->count() != 0;
    return ladder(installation, *arguments);
  };
}

}  // namespace warpmark::cli

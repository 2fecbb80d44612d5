#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "harness/assignments/home.h"
#include "harness/cli/assignment_option.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/judge/rules/counts.h"
#include "harness/judge/speed/calibration.h"
#include "harness/model/grade.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRuns = 1000;
constexpr std::uint64_t kLeastSize = 4096;
constexpr std::uint64_t kMostSize = std::uint64_t{1} << 33;

struct CalibrateArguments {
  judge::CalibrationOptions options;
  std::string size;
  std::string out;
  std::string counts;  // path of a grade of the reference on the simulator; empty: measure on a GPU
};

// Extracts the reference's counted work from its grade on the simulator and writes it next to the thresholds.
int write_counts(const AssignmentHome& home, const CalibrateArguments& arguments) {
  const auto rubric = judge::read_rubric(home);
  if (!rubric) return unusable("calibrate", rubric.error().message);
  const auto text = read_file(arguments.counts);
  if (!text) return unusable("calibrate", text.error().message);
  const auto grade = grade_from_json(*text);
  if (!grade) return unusable("calibrate", arguments.counts + ": " + grade.error().message);
  const judge::ReferenceCounts counts = judge::counts_from(*grade, *rubric);
  if (grade->assignment != rubric->assignment || counts.versions.empty()) {
    return unusable("calibrate",
                    fmt::format("{} counts no work of {}; make it with: warpmark grade {} --engine "
                                "simulator --only '*.work' --out DIR",
                                arguments.counts, rubric->assignment, home.reference.string()));
  }
  const fs::path file = arguments.out.empty() ? judge::counts_file(home) : fs::path(arguments.out);
  if (auto ready = make_folder(file.parent_path()); file.has_parent_path() && !ready)
    return unusable("calibrate", ready.error().message);
  if (auto written = write_file(file, judge::to_toml(counts)); !written)
    return unusable("calibrate", written.error().message);
  fmt::print("counts of {} versions: {}\n", counts.versions.size(), fs::absolute(file).string());
  return 0;
}

int calibrate(judge::Installation installation, const CalibrateArguments& arguments) {
  const auto home = find_assignment(installation.root, arguments.options.assignment);
  if (!home) return unusable("calibrate", home.error().message);
  if (!arguments.counts.empty()) return write_counts(*home, arguments);
  // As strict a sandbox as this machine supports, because grading runs student code in the same one.
  installation.sandbox = sandbox::best_level();
  judge::CalibrationOptions options = arguments.options;
  if (!arguments.size.empty()) {
    auto size = size_from(arguments.size);
    if (!size) return unusable("calibrate", "--size " + size.error().message);
    options.size = std::move(*size);
  }
  options.cache = cache_folder(installation);
  options.progress = progress_printer();
  const auto measured = judge::calibrate(installation, options);
  end_progress();
  if (!measured) return unusable("calibrate", measured.error().message);
  const fs::path file =
      arguments.out.empty() ? judge::thresholds_file(*home, measured->gpu) : fs::path(arguments.out);
  if (file.has_parent_path()) {
    if (auto ready = make_folder(file.parent_path()); !ready)
      return unusable("calibrate", ready.error().message);
  }
  if (auto written = write_file(file, judge::to_toml(*measured)); !written) {
    return unusable("calibrate", written.error().message);
  }
  fmt::print("{}: {} values, naive kernel {:.4g} ms, {} runs\n\n", measured->gpu, to_text(measured->size),
             measured->naive_ms, measured->runs);
  fmt::print("{:<26} {:>18} {:>7}\n", "version", "reached", "asked");
  for (const auto& version : measured->versions) {
    fmt::print("{:<26} {:>8.2f} to {:>6.2f} {:>7g}\n", version.version, version.low, version.high,
               version.threshold);
  }
  fmt::print("\nthresholds: {}\n", fs::absolute(file).string());
  return 0;
}

}  // namespace

Action add_calibrate_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto arguments = std::make_shared<CalibrateArguments>();
  CLI::App* command = app.add_subcommand(
      "calibrate", "Measure the reference on this GPU and write the speedups that `fast` requires");
  arguments->options.assignment = default_assignment(installation.root);
  command->add_option("--assignment", arguments->options.assignment, "Whose reference")
      ->capture_default_str();
  command->add_option("--runs", arguments->options.runs, "How often to repeat the measurement")
      ->check(CLI::Range(std::uint64_t{1}, kMostRuns))
      ->capture_default_str();
  command->add_option("--size", arguments->size,
                      "Input size: a number, or one per size of the assignment (default: the largest power "
                      "of two that the naive "
                      "kernel needs 1.6 ms for, or the rubric's)");
  command->add_option("--out", arguments->out,
                      "The file to write (default: thresholds/<GPU>.toml in the assignment's folder, where "
                      "`grade` looks for it)");
  command->add_option("--counts", arguments->counts,
                      "A grade.json of the reference on the simulator: write its counted work to "
                      "thresholds/counts.toml instead, from which `fast` predicts speedups on a GPU that was "
                      "not calibrated");
  return [arguments, installation] { return calibrate(installation, *arguments); };
}

}  // namespace warpmark::cli

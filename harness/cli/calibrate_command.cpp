#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "harness/cli/assignment_option.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/judge/speed/calibration.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRuns = 1000;
constexpr std::uint64_t kLeastSize = 4096;
constexpr std::uint64_t kMostSize = std::uint64_t{1} << 33;

struct CalibrateArguments {
  judge::CalibrationOptions options;
  std::uint64_t size = 0;
  std::string out;
};

int calibrate(judge::Installation installation, const CalibrateArguments& arguments) {
  if (auto known = known_assignment(arguments.options.assignment); !known)
    return unusable("calibrate", known.error().message);
  installation.sandbox = sandbox::best_level();  // same sandbox level as grading
  judge::CalibrationOptions options = arguments.options;
  if (arguments.size != 0) options.size = arguments.size;
  options.cache = cache_folder(installation);
  options.progress = progress_printer();
  const auto measured = judge::calibrate(installation, options);
  end_progress();
  if (!measured) return unusable("calibrate", measured.error().message);
  const fs::path file = arguments.out.empty()
                            ? judge::thresholds_file(installation.root, options.assignment, measured->gpu)
                            : fs::path(arguments.out);
  if (file.has_parent_path()) {
    if (auto ready = make_folder(file.parent_path()); !ready)
      return unusable("calibrate", ready.error().message);
  }
  if (auto written = write_file(file, judge::to_toml(*measured)); !written) {
    return unusable("calibrate", written.error().message);
  }
  fmt::print("{}: {} values, naive kernel {:.4g} ms, {} runs\n\n", measured->gpu, measured->size,
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
  command->add_option("--assignment", arguments->options.assignment, "Whose reference")
      ->capture_default_str();
  command->add_option("--runs", arguments->options.runs, "How often to repeat the measurement")
      ->check(CLI::Range(std::uint64_t{1}, kMostRuns))
      ->capture_default_str();
  command
      ->add_option(
          "--size", arguments->size,
          "Input size, in values (default: the largest power of two that the naive kernel sums in 1.6 ms)")
      ->check(CLI::Range(kLeastSize, kMostSize));
  command->add_option("--out", arguments->out,
                      "The file to write (default: thresholds/<GPU>.toml in the assignment's folder, where "
                      "`grade` looks for it)");
  return [arguments, installation] { return calibrate(installation, *arguments); };
}

}  // namespace warpmark::cli

#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/judge/intake/opening.h"

namespace warpmark::cli {
namespace {

struct DataArguments {
  std::string assignment;
  std::string folder;
  DataShape shape{.rows = 1000, .dims = 16, .queries = 100, .labels = 10, .seed = 1};
};

int write_data(const judge::Installation& installation, const DataArguments& arguments) {
  const auto home = find_assignment(installation.root, arguments.assignment);
  if (!home) return unusable("data", home.error().message);
  const auto rubric = judge::read_rubric(*home);
  if (!rubric) return unusable("data", rubric.error().message);
  const auto assignment = judge::make_assignment(*rubric, installation, cache_folder(installation));
  if (!assignment) return unusable("data", assignment.error().message);
  if (const auto ready = make_folder(arguments.folder); !ready)
    return unusable("data", ready.error().message);
  const auto written = (*assignment)->write_files(arguments.shape, arguments.folder);
  if (!written) return unusable("data", fmt::format("{}: {}", home->name, written.error().message));
  fmt::print("to grade with them: warpmark grade DIR --data");
  for (const auto& file : *written) fmt::print(" {}", file.string());
  fmt::print("\n");
  return 0;
}

}  // namespace

Action add_data_command(CLI::App& app, const Context& context) {
  auto arguments = std::make_shared<DataArguments>();
  CLI::App* command = app.add_subcommand("data", "Make data files of any size for grade --data");
  command->add_option("ASSIGNMENT", arguments->assignment, "An assignment that takes data files")->required();
  command->add_option("--out", arguments->folder, "The folder for the files")->required();
  command->add_option("--rows", arguments->shape.rows, "Rows of the data set")->capture_default_str();
  command->add_option("--dims", arguments->shape.dims, "Values per row and per query")->capture_default_str();
  command->add_option("--queries", arguments->shape.queries, "Number of queries")->capture_default_str();
  command->add_option("--labels", arguments->shape.labels, "Number of classes")->capture_default_str();
  command->add_option("--seed", arguments->shape.seed, "The same seed makes the same files")
      ->capture_default_str();
  command->footer("Exit status: 0 written; 2 not written.");
  return [arguments, installation = context.installation] { return write_data(installation, *arguments); };
}

}  // namespace warpmark::cli

#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/cli/assignment_option.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"

namespace warpmark::cli {
namespace {

struct DataArguments {
  std::string assignment;
  std::string folder;
  DataShape shape{.rows = 1000, .dims = 16, .queries = 100, .labels = 10, .seed = 1};
};

int write_data(const DataArguments& arguments) {
  if (const auto known = known_assignment(arguments.assignment); !known)
    return unusable("data", known.error().message);
  if (const auto ready = make_folder(arguments.folder); !ready)
    return unusable("data", ready.error().message);
  for (const AssignmentEntry& entry : assignments()) {
    if (entry.name != arguments.assignment) continue;
    const auto written = entry.make()->write_files(arguments.shape, arguments.folder);
    if (!written) return unusable("data", fmt::format("{}: {}", entry.name, written.error().message));
    fmt::print("to grade with them: warpmark grade DIR --data");
    for (const auto& file : *written) fmt::print(" {}", file.string());
    fmt::print("\n");
  }
  return 0;
}

}  // namespace

Action add_data_command(CLI::App& app, const Context& /*context*/) {
  auto arguments = std::make_shared<DataArguments>();
  CLI::App* command = app.add_subcommand("data", "Make data files of any size for grade --data");
  command->add_option("ASSIGNMENT", arguments->assignment, "One that takes data files")->required();
  command->add_option("--out", arguments->folder, "The folder for the files")->required();
  command->add_option("--rows", arguments->shape.rows, "Rows of the data set")->capture_default_str();
  command->add_option("--dims", arguments->shape.dims, "Numbers of a row, and of a query")
      ->capture_default_str();
  command->add_option("--queries", arguments->shape.queries, "Rows of the other file")->capture_default_str();
  command->add_option("--labels", arguments->shape.labels, "How many classes")->capture_default_str();
  command->add_option("--seed", arguments->shape.seed, "The same seed makes the same files")
      ->capture_default_str();
  command->footer("Exit status: 0 they were written; 2 they were not.");
  return [arguments] { return write_data(*arguments); };
}

}  // namespace warpmark::cli

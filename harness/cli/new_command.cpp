#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "harness/cli/assignment_option.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/handout/handout.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

struct NewArguments {
  std::string folder;
  AssignmentOption of;
};

int write_submission(const judge::Installation& installation, const NewArguments& arguments) {
  const auto assignment = chosen_assignment(arguments.of, installation.root);
  if (!assignment) return unusable("new", assignment.error().message);
  const auto source = handout::open_source(installation, *assignment, arguments.of.rubric, WARPMARK_VERSION);
  if (!source) return unusable("new", source.error().message);
  // Files generated for a submission call Warpmark by the wrapper script of a source clone, if this is one,
  // because the wrapper brings the clone's build up to date; otherwise by the installed program.
  std::error_code error;
  const fs::path wrapper = installation.root / "warpmark";
  const bool clone = fs::equivalent(installation.programs, installation.root / "build/bin", error) &&
                     fs::exists(wrapper, error);
  const fs::path there = fs::absolute(arguments.folder);
  const auto files =
      handout::submission_files(*source, {clone ? wrapper.string() : program_name(installation),
                                          clone ? wrapper : installation.programs / "warpmark-cli"});
  if (!files) return unusable("new", files.error().message);
  if (auto written = handout::write_folder(*files, there); !written)
    return unusable("new", written.error().message);
  fmt::print(
      "{} is a fresh copy of the template of {}. Read its README.md; to grade it:\n"
      "  cd {} && cmake --preset student && ctest --preset student\n",
      arguments.folder, source->rubric.assignment, arguments.folder);
  return 0;
}

}  // namespace

Action add_new_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto arguments = std::make_shared<NewArguments>();
  CLI::App* command =
      app.add_subcommand("new", "Start a submission: a new copy of the template that `ctest` grades");
  command->add_option("DIR", arguments->folder, "A new folder")->required();
  add_assignment_options(*command, arguments->of, context.installation.root);
  command->footer("Exit status: 0 written; 2 nothing was written.");
  return [arguments, installation] { return write_submission(installation, *arguments); };
}

}  // namespace warpmark::cli

#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "harness/cli/assignment_option.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/handout/handout.h"
#include "harness/judge/programs/recording.h"

namespace warpmark::cli {
namespace {

struct HandoutArguments {
  std::string folder;
  AssignmentOption of;
  std::string audience = "students";
  std::string package;
};

int write_handout(const judge::Installation& installation, const HandoutArguments& arguments) {
  const auto assignment = chosen_assignment(arguments.of, installation.root);
  if (!assignment) return unusable("handout", assignment.error().message);
  auto source = handout::open_source(installation, *assignment, arguments.of.rubric, WARPMARK_VERSION);
  if (!source) return unusable("handout", source.error().message);
  const auto package = handout::open_package(arguments.package);
  if (!package) return unusable("handout", package.error().message);
  const bool gradescope = arguments.audience == "gradescope";
  if (source->rubric.program) {
    auto recorded =
        judge::recorded_outputs(installation, source->rubric, cache_folder(installation), gradescope);
    if (!recorded) return unusable("handout", recorded.error().message);
    source->recorded = std::move(*recorded);
  }
  const auto files =
      gradescope ? handout::gradescope_files(*source, *package) : handout::handout_files(*source, *package);
  if (!files) return unusable("handout", files.error().message);
  const auto written = gradescope ? handout::write_zip(*files, arguments.folder)
                                  : handout::write_folder(*files, arguments.folder);
  if (!written) return unusable("handout", written.error().message);
  if (gradescope) {
    fmt::print("{}: {} files. Upload it as the autograder; its base image is Ubuntu 24.04.\n",
               arguments.folder, files->size());
    return 0;
  }
  fmt::print(
      "{}: {} files, without solutions. Students begin with its README.md; to try it:\n"
      "  cd {} && cmake --preset student && ctest --preset student\n",
      arguments.folder, files->size(), arguments.folder);
  if (package->name.empty())
    fmt::print(
        "No --package FILE|URL: its CI jobs and its container fail until the variable WARPMARK_PACKAGE holds "
        "the address of Warpmark's package.\n");
  return 0;
}

}  // namespace

Action add_handout_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto arguments = std::make_shared<HandoutArguments>();
  CLI::App* command = app.add_subcommand("handout", "Write the files that students get, without solutions");
  command->add_option("DIR", arguments->folder, "A new folder; for Gradescope the name of a new zip")
      ->required();
  add_assignment_options(*command, arguments->of, context.installation.root);
  command
      ->add_option(
          "--for", arguments->audience,
          "students: a folder with the template, the rubric, editor settings, a container and CI workflows; "
          "gradescope: a zip with setup.sh and run_autograder")
      ->check(CLI::IsMember({"students", "gradescope"}))
      ->capture_default_str();
  command->add_option(
      "--package", arguments->package,
      "Warpmark's package, which CI servers, the container and Gradescope install: a .deb or .tar.xz, which "
      "is "
      "copied into the handout, or its https:// address, which may end in #sha256=HEX. Gradescope needs one");
  command->footer("Exit status: 0 written; 2 nothing was written.");
  return [arguments, installation] { return write_handout(installation, *arguments); };
}

}  // namespace warpmark::cli

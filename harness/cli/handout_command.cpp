#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/assignment.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/handout/handout.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string folder;
  std::string assignment;
  std::string rubric;
  std::string audience = "students";
};

std::string known_assignments() {
  std::vector<std::string_view> names;
  for (const AssignmentEntry& entry : assignments()) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The one that is asked for, or the only one that there is.
Result<std::string> assignment_of(const Arguments& arguments) {
  if (arguments.assignment.empty()) {
    if (assignments().size() == 1) return std::string(assignments().front().name);
    return fail("choose one with --assignment NAME: " + known_assignments());
  }
  for (const AssignmentEntry& entry : assignments()) {
    if (entry.name == arguments.assignment) return arguments.assignment;
  }
  return fail(
      fmt::format("no assignment is called {}; there are: {}", arguments.assignment, known_assignments()));
}

Result<handout::Source> source_of(const judge::Installation& installation, const Arguments& arguments) {
  const auto assignment = assignment_of(arguments);
  if (!assignment) return tl::unexpected(assignment.error());
  return handout::open_source(installation, *assignment, arguments.rubric, WARPMARK_VERSION);
}

int write_handout(const judge::Installation& installation, const Arguments& arguments) {
  const auto source = source_of(installation, arguments);
  if (!source) return unusable("handout", source.error().message);
  const bool gradescope = arguments.audience == "gradescope";
  const auto files = gradescope ? handout::gradescope_files(*source) : handout::handout_files(*source);
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
  return 0;
}

int write_submission(const judge::Installation& installation, const Arguments& arguments) {
  const auto source = source_of(installation, arguments);
  if (!source) return unusable("new", source.error().message);
  std::error_code error;
  const fs::path grader = installation.programs / "warpmark-cli";
  const fs::path wrapper = installation.root / "warpmark";
  const bool clone = fs::exists(wrapper, error);
  const fs::path there = fs::absolute(arguments.folder);
  const auto files = handout::submission_files(
      *source,
      {clone ? wrapper.string() : program_name(installation),
       clone ? fmt::format("\"{}\" --no-install", wrapper.string()) : fmt::format("\"{}\"", grader.string()),
       grader});
  if (!files) return unusable("new", files.error().message);
  if (auto written = handout::write_folder(*files, there); !written)
    return unusable("new", written.error().message);
  fmt::print(
      "{} is a fresh copy of the template of {}. Read its README.md; to grade it:\n"
      "  cd {} && cmake --preset student && ctest --preset student\n",
      arguments.folder, source->rubric.assignment, arguments.folder);
  return 0;
}

void add_common_options(CLI::App& command, Arguments& arguments) {
  command.add_option("--assignment", arguments.assignment, "Which assignment: " + known_assignments());
  command.add_option("--rubric", arguments.rubric, "Another rubric than the assignment's own")
      ->check(CLI::ExistingFile);
}

}  // namespace

Action add_handout_command(CLI::App& app, const judge::Installation& installation) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("handout", "Write what students get of an assignment, without its solutions");
  command->add_option("DIR", arguments->folder, "A new folder; for Gradescope the name of a new zip")
      ->required();
  add_common_options(*command, *arguments);
  command
      ->add_option(
          "--for", arguments->audience,
          "students: a folder with the template, the grader's sources, editor settings, a container and CI "
          "workflows; gradescope: a zip with setup.sh and run_autograder")
      ->check(CLI::IsMember({"students", "gradescope"}))
      ->capture_default_str();
  command->footer("Exit status: 0 it was written; 2 nothing was written.");
  return [arguments, installation] { return write_handout(installation, *arguments); };
}

Action add_new_command(CLI::App& app, const judge::Installation& installation) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("new", "Begin a submission: a fresh copy of the template in which `ctest` grades");
  command->add_option("DIR", arguments->folder, "A new folder")->required();
  add_common_options(*command, *arguments);
  command->footer("Exit status: 0 it was written; 2 nothing was written.");
  return [arguments, installation] { return write_submission(installation, *arguments); };
}

}  // namespace warpmark::cli

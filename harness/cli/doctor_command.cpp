#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "harness/assignments/home.h"
#include "harness/base/file.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/doctor/diagnosis.h"
#include "harness/doctor/probes.h"

namespace warpmark::cli {

Action add_doctor_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  struct DoctorArguments {
    std::string assignment;
    std::string json;
  };
  auto arguments = std::make_shared<DoctorArguments>();
  arguments->assignment = default_assignment(installation.root);
  CLI::App* command = app.add_subcommand(
      "doctor", "Report what disturbs grading on this machine, and the command that repairs it");
  command->add_option("--assignment", arguments->assignment, "The assignment whose thresholds to check")
      ->capture_default_str();
  command->add_option("--json", arguments->json, "Write the findings to this file, too");
  command->footer("Exit status: 0 nothing fails; 1 a problem prevents grading on the selected engine.");
  return [arguments, installation] {
    auto facts = doctor::look_around(installation, arguments->assignment, cache_folder(installation));
    facts.program = program_name(installation);
    const auto diagnosis = doctor::diagnose(facts);
    fmt::print("{}", doctor::to_console(diagnosis, style_of_the_terminal().colour));
    if (!arguments->json.empty()) {
      if (const auto written = write_file(arguments->json, doctor::to_json(diagnosis)); !written) {
        return unusable("doctor", written.error().message);
      }
    }
    return diagnosis.exit_status();
  };
}

}  // namespace warpmark::cli

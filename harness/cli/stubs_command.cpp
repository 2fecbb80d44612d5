#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "harness/assignments/stubs.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"

namespace warpmark::cli {

Action add_stubs_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto check = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("stubs", "Cut student_template/ from reference/ at the marked regions");
  command->add_flag("--check", *check, "Write nothing; exit 1 if a template differs");
  return [check, installation] {
    const auto report =
        write_stubs(installation.root / "reference", installation.root / "student_template", *check);
    if (!report) return unusable("stubs", report.error().message);
    for (const auto& path : report->written) fmt::print("written: {}\n", path);
    for (const auto& path : report->differing) fmt::print("differs from the reference: {}\n", path);
    for (const auto& path : report->superfluous) fmt::print("not in the reference, remove it: {}\n", path);
    if (report->in_step()) fmt::print("student_template/ is in step with reference/\n");
    return report->in_step() ? 0 : 1;
  };
}

}  // namespace warpmark::cli

#include "harness/sandbox/level.h"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/sandbox/keeper_protocol.h"
#include "harness/sandbox/process.h"
#include "harness/sandbox/spawn.h"

namespace warpmark::sandbox {

namespace {

constexpr std::chrono::seconds kLimit{10};
constexpr std::array kNames{std::pair{Level::none, "none"}, std::pair{Level::process, "process"},
                            std::pair{Level::box, "box"}};

// Runs the keeper's self-test in a bubblewrap sandbox. other_user: as a separate user of the machine, as
// compilers and workers run. Returns an empty string on success, otherwise an error message.
std::string try_box(const std::string& bwrap, bool other_user) {
  const Result<std::filesystem::path> keeper = find_keeper();
  if (!keeper) return keeper.error().message;
  Command command;
  command.argv = {keeper->string(), kProbeArgument};
  command.level = Level::box;
  command.box.other_user = other_user;
  const Machine assumed{Level::box, other_user, bwrap, "", ""};
  Result<Process> process = Process::start(command, assumed);
  if (!process) return process.error().message;
  const std::optional<Ending> ended = process->wait_until(Clock::now() + kLimit);
  if (!ended) return fmt::format("a box did not answer within {} s", kLimit.count());
  if (ended->kind == Ending::Kind::exited && ended->code == 0) return {};
  const std::string said = why_not_started(*ended);
  return said.empty() ? "a program in a box did not do what it should: " + ended->output : said;
}

Machine look() {
  Machine found;
  const auto bwrap = find_program("bwrap");
  if (!bwrap) {
    found.trouble = "bubblewrap is not installed";
    found.remedy = "apt-get install bubblewrap";
    return found;
  }
  found.bwrap = bwrap->string();
  if (getuid() == 0 && try_box(found.bwrap, true).empty()) {
    found.best = Level::box;
    found.other_user = true;
    return found;
  }
  found.trouble = try_box(found.bwrap, false);
  if (found.trouble.empty()) {
    found.best = Level::box;
  } else {
    found.remedy =
        "allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1, on Ubuntu "
        "kernel.apparmor_restrict_unprivileged_userns=0; in a container, start it with --privileged";
  }
  return found;
}

}  // namespace

const char* name_of(Level level) {
  for (const auto& [each, name] : kNames) {
    if (each == level) return name;
  }
  return "none";
}

std::optional<Level> level_from(std::string_view name) {
  for (const auto& [level, each] : kNames) {
    if (name == each) return level;
  }
  return std::nullopt;
}

const Machine& machine() {
  static const Machine found = look();
  return found;
}

}  // namespace warpmark::sandbox

#include "harness/judge/workers/device_code.h"

#include <chrono>

#include "harness/sandbox/process.h"

namespace warpmark::judge {

std::optional<std::string> not_simulated_in(const std::filesystem::path& device,
                                            const std::filesystem::path& library) {
  constexpr std::chrono::seconds kPatience{20};
  sandbox::Command command;
  command.argv = {device.string(), "--unsupported", std::filesystem::absolute(library).string()};
  command.output_cap = 4096;
  const auto finished = sandbox::run(command, kPatience);
  if (!finished) return "the device code could not be looked at: " + finished.error().message;
  const sandbox::Ending& ending = finished->ending;
  if (finished->timed_out || ending.kind != sandbox::Ending::Kind::exited || ending.code != 0)
    return "the device code cannot be decoded";
  if (ending.output.empty()) return std::nullopt;
  return ending.output;
}

}  // namespace warpmark::judge

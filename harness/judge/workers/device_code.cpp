#include "harness/judge/workers/device_code.h"

#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

#include "harness/judge/workers/worker_box.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

// Reading 54 MiB of PTX takes 3 s (2026-11-26); the largest version of the references has 2 MiB.
constexpr std::chrono::seconds kPatience{10};
constexpr std::size_t kMemory = std::size_t{4} << 30;

DeviceCode read_device_code(const Installation& installation, const fs::path& library) {
  using Kind = DeviceCode::Kind;
  sandbox::Command command = device_command(installation);
  command.argv = {installation.device().string(), "--unsupported", fs::absolute(library).string()};
  command.output_cap = 4096;
  command.memory_cap = kMemory;
  command.cpu_cap = kPatience;
  command.box.copies = {fs::absolute(library)};
  const auto finished = sandbox::run(command, kPatience);
  if (!finished)
    return {Kind::lacking, "the device code could not be looked at: " + finished.error().message};
  const sandbox::Ending& ending = finished->ending;
  if (const std::string why = why_not_started(ending); !why.empty())
    return {Kind::lacking, "the device code could not be looked at: " + why};
  const bool signalled = ending.kind == sandbox::Ending::Kind::signalled;
  const bool over =
      finished->timed_out || ending.exceeded != sandbox::Cap::none || (signalled && ending.code == SIGXCPU);
  if (signalled && !over) return {Kind::lacking, "the device code cannot be decoded"};
  if (over)
    return {Kind::costly,
            fmt::format("the device code cannot be read within {} s and {} GiB: make it smaller, with fewer "
                        "instantiations, and leave out data that looks like device code",
                        kPatience.count(), kMemory >> 30)};
  if (ending.code != 0) return {Kind::costly, ending.output};
  return ending.output.empty() ? DeviceCode{} : DeviceCode{Kind::lacking, ending.output};
}

}  // namespace

DeviceCode device_code_of(const Installation& installation, const fs::path& library) {
  // Each failing call of a version asks again, and each answer can take the whole patience.
  using Key = std::tuple<fs::path, std::uintmax_t, fs::file_time_type>;
  static std::mutex mutex;
  static std::map<Key, DeviceCode> known;
  std::error_code error;
  const Key key{library, fs::file_size(library, error), fs::last_write_time(library, error)};
  const std::lock_guard lock(mutex);
  auto found = known.find(key);
  if (found == known.end()) found = known.emplace(key, read_device_code(installation, library)).first;
  return found->second;
}

}  // namespace warpmark::judge

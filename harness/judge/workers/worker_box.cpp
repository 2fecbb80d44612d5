#include "harness/judge/workers/worker_box.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/build/worker_program.h"
#include "harness/ranks/protocol.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShelfInBox = "/libraries";
// Limit in bytes on each file that a worker process writes. Results use shared memory; only CUDA writes
// files, small ones.
constexpr std::size_t kFileCap = std::size_t{16} << 20;

sandbox::Box worker_box(const Installation& installation, Engine engine, const fs::path& shelf) {
  sandbox::Box box;
  box.read_only = {installation.worker(engine)};
  if (!is_host(engine)) box.read_only.push_back(installation.libraries / "libwarpmark_cudart.so");
  if (const fs::path toolkit = build::toolkit_of(installation.worker(engine)); !toolkit.empty())
    box.read_only.push_back(toolkit);
  box.elsewhere = {{shelf, kShelfInBox}};
  box.hidden = {installation.root, installation.programs.parent_path()};
  box.gpu = engine == Engine::gpu;
  box.other_user = true;
  return box;
}

// Letters by which a toolkit library's calls reach the simulated device (WarpmarkLibraryCall::library):
// cuSOLVER uses cuBLAS.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kLettersOfLibraries{
    {{"cublas", "BL"}, {"cusolver", "BLS"}, {"cufft", "F"}}};

// Limit in bytes on each file of the device process, which simulates the GPU's memory in sparse memory files:
// only pages in use take space.
constexpr std::size_t kDeviceFileCap = std::size_t{1} << 40;

std::size_t memory_cap() {
  return sandbox::memory_of_the_machine() / 4 * 3;
}

}  // namespace

Shelf::Shelf() : folder_(private_.path() / "libraries") {
  fs::create_directory(folder_);
  fs::permissions(folder_, fs::perms(0755));
}

Result<std::string> Shelf::put(const fs::path& library) {
  const std::string name = fmt::format("{}.so", ++count_);
  std::error_code error;
  fs::copy_file(library, folder_ / name, error);
  if (!error) fs::permissions(folder_ / name, fs::perms(0444), error);
  if (error) {
    return fail(fmt::format("cannot copy {} to {}: {}", library.string(), folder_.string(), error.message()));
  }
  return (fs::path(kShelfInBox) / name).string();
}

sandbox::Command worker_command(const Installation& installation, Engine engine, const fs::path& shelf) {
  sandbox::Command command;
  command.argv = {installation.worker(engine).string()};
  // Gives CUDA one hardware queue instead of eight: creating the context takes a third of the time, and a
  // worker process needs no more.
  command.environment = {{"LC_ALL", "C.UTF-8"}, {"CUDA_DEVICE_MAX_CONNECTIONS", "1"}};
  // Without restartable sequences for each thread, which the system call filter forbids where calls are timed
  // (Filter::sealed_between_calls).
  if (engine == Engine::host) command.environment["GLIBC_TUNABLES"] = "glibc.pthread.rseq=0";
  // Pass the variables that select a GPU on to the worker process: a class may be graded on several GPUs, or
  // a cluster assigns one.
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"}) {
    if (const char* value = std::getenv(name)) command.environment[name] = value;
  }
  command.fixed_addresses = engine == Engine::thread_sanitizer;
  command.level = installation.sandbox;
  if (command.level != sandbox::Level::box) return command;
  command.argv.emplace_back("--sealed");
  command.file_size_cap = kFileCap;
  command.memory_cap = memory_cap();
  command.box = worker_box(installation, engine, shelf);
  return command;
}

void add_ranks(sandbox::Command& command, const Installation& installation, const RankStart& start,
               const std::string& side, const fs::path& folder, bool devices) {
  const bool boxed = command.level == sandbox::Level::box;
  const std::string count = std::to_string(start.ranks);
  std::vector<std::string> argv{
      installation.ranks().string(),
      "run",
      count,
      devices ? "1" : "0",
      start.processors.empty() ? "any" : fmt::format("{}", fmt::join(start.processors, ",")),
      folder.string()};
  for (std::string& each : rank_starter(start, boxed)) argv.push_back(std::move(each));
  argv.emplace_back("--");
  argv.insert(argv.end(), command.argv.begin(), command.argv.end());
  argv.insert(argv.end(), {ranks::kRankOption, "0", count, side});
  command.argv = std::move(argv);
  for (auto& [name, value] : rank_environment(start, folder, boxed)) command.environment[name] = value;
  if (boxed) command.box.read_only.push_back(installation.ranks());
}

sandbox::Command device_command(const Installation& installation, int devices,
                                const std::optional<std::vector<std::string>>& libraries) {
  sandbox::Command command;
  command.argv = {installation.device().string(), "--judge", "--devices", std::to_string(devices)};
  if (libraries) {
    // "-" for none: an empty argument would be one that is missing.
    std::string letters = "-";
    for (const auto& [name, its] : kLettersOfLibraries) {
      if (std::ranges::find(*libraries, name) != libraries->end()) letters += its;
    }
    command.argv.insert(command.argv.end(), {"--libraries", letters});
  }
  command.environment = {{"LC_ALL", "C.UTF-8"}};
  command.level = installation.sandbox;
  command.file_size_cap = kDeviceFileCap;
  if (command.level != sandbox::Level::box) return command;
  command.argv.emplace_back("--sealed");
  command.memory_cap = memory_cap();
  command.box.read_only = {installation.device()};
  for (const char* library : {"libwarpmark_routines.so", "libwarpmark_transforms.so"}) {
    if (const fs::path opened = installation.libraries / library; fs::exists(opened))
      command.box.read_only.push_back(opened);
  }
  command.box.hidden = {installation.root, installation.programs.parent_path()};
  command.box.other_user = true;
  return command;
}

}  // namespace warpmark::judge

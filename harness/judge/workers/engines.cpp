#include "harness/judge/workers/engines.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <future>
#include <vector>

#include <fmt/format.h>

#include "harness/build/worker_program.h"

namespace warpmark::judge {
namespace {

// Returns true if a driver's device file exists (/dev/dxg on WSL) or the user names a compiler. Otherwise the
// GPU engine's worker program, which is slow to compile, would be useless.
bool may_have_gpu() {
  std::error_code error;
  return std::filesystem::exists("/dev/nvidiactl", error) || std::filesystem::exists("/dev/dxg", error) ||
         std::getenv("WARPMARK_NVCC") != nullptr;
}

CauseKind kind_of_lack(Engine engine, bool has_worker) {
  if (engine == Engine::gpu) return CauseKind::no_gpu;
  // Engines without a GPU need only memory, so a worker process that does not start is a fault of the
  // harness.
  return has_worker ? CauseKind::internal : CauseKind::no_compiler;
}

// Starts a worker process and returns its device, or the reason why the engine is unusable.
tl::expected<Device, std::string> ask_worker(const Installation& installation, Engine engine,
                                             std::chrono::milliseconds limit) {
  std::error_code error;
  if (!std::filesystem::exists(installation.worker(engine), error))
    return tl::unexpected(
        std::string("Warpmark was built without OpenMP: install g++ and libgomp1, and build it again"));
  const auto worker = WorkerClient::start(installation, engine, false, limit);
  if (!worker)
    return tl::unexpected("its worker does not start: " + worker.error().message + "\n" +
                          worker.error().printed);
  const auto& hello = worker->hello();
  if (hello.devices == 0) {
    return tl::unexpected(
        fmt::format("no CUDA device ({})", hello.no_device.empty() ? "none reported" : hello.no_device));
  }
  return Device{hello.device,
                hello.peak_bytes_per_s / 1e9,
                hello.uuid,
                hello.cuda,
                static_cast<std::size_t>(hello.devices),
                measure::peak_gflops(hello.capability, hello.multiprocessors, hello.clock_hz),
                hello.capability,
                hello.clock_hz,
                hello.l2_bytes,
                hello.free_bytes};
}

// Tests one engine; `missing` in the result has the reason if it is unusable.
Engines find_engine(const Installation& installation, Engine engine, std::chrono::milliseconds limit) {
  Engines found;
  const auto lacks = [&](bool has_worker, const std::string& why) {
    found.missing[engine] = make_cause(kind_of_lack(engine, has_worker), why);
    return found;
  };
  auto toolchain = build::find_toolchain(engine);
  if (!toolchain) return lacks(false, toolchain.error().message);
  const std::filesystem::path program = installation.worker(engine);
  if (build::is_made_here(engine)) {
    if (engine == Engine::gpu && !may_have_gpu())
      return lacks(false, "no CUDA device (there is no /dev/nvidiactl, so no driver is loaded)");
    const build::WorkerParts parts{installation.root, installation.libraries / "workers"};
    const auto made = build::make_worker(*toolchain, parts, program, installation.progress);
    if (!made) return lacks(false, made.error().message);
  }
  auto device = ask_worker(installation, engine, limit);
  std::error_code error;
  if (!device) return lacks(std::filesystem::exists(program, error), device.error());
  found.toolchains.emplace(engine, std::move(*toolchain));
  found.devices[engine] = std::move(*device);
  return found;
}

}  // namespace

Engines find_engines(const Installation& installation, std::chrono::milliseconds limit, bool with_host) {
  std::vector<Engine> wanted{Engine::gpu};
  if (with_host)
    wanted.insert(wanted.end(), {Engine::host, Engine::thread_sanitizer, Engine::address_sanitizer});
  std::vector<std::future<Engines>> asked;
  for (const Engine engine : wanted)
    asked.push_back(std::async(std::launch::async, find_engine, std::cref(installation), engine, limit));
  Engines engines = find_engine(installation, Engine::simulator, limit);
  for (std::future<Engines>& each : asked) {
    Engines other = each.get();
    engines.missing.merge(other.missing);
    engines.toolchains.merge(other.toolchains);
    engines.devices.merge(other.devices);
  }
  return engines;
}

void look_for_mpi(Engines& engines) {
  auto mpi = find_mpi();
  if (mpi) {
    engines.mpi = std::move(*mpi);
  } else {
    engines.no_mpi = make_cause(CauseKind::no_mpi, mpi.error().message);
  }
}

}  // namespace warpmark::judge

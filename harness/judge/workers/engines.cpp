#include "harness/judge/workers/engines.h"

#include <filesystem>
#include <functional>
#include <future>

#include <fmt/format.h>

namespace warpmark::judge {
namespace {

// The engine's device, or why its worker cannot be used.
tl::expected<Device, std::string> ask_worker(const Installation& installation, Engine engine,
                                             std::chrono::milliseconds limit) {
  std::error_code error;
  if (!std::filesystem::exists(installation.worker(engine), error)) {
    return tl::unexpected(
        std::string("Warpmark was built without the CUDA toolkit; install CUDA 13 and start again"));
  }
  const auto worker = WorkerClient::start(installation, engine, false, limit);
  if (!worker)
    return tl::unexpected("its worker does not start: " + worker.error().message + "\n" +
                          worker.error().printed);
  const auto& hello = worker->hello();
  if (hello.devices == 0) {
    return tl::unexpected(
        fmt::format("no CUDA device ({})", hello.no_device.empty() ? "none reported" : hello.no_device));
  }
  return Device{hello.device, hello.peak_bytes_per_s / 1e9, hello.uuid, hello.cuda,
                static_cast<std::size_t>(hello.devices),
                measure::peak_gflops(hello.capability, hello.multiprocessors, hello.clock_hz)};
}

// An engine as far as it can be used; otherwise `missing` says why not.
Engines find_engine(const Installation& installation, Engine engine, std::chrono::milliseconds limit) {
  Engines found;
  const bool simulator = engine == Engine::simulator;
  auto device = ask_worker(installation, engine, limit);
  if (!device) {
    // The simulator needs nothing of the machine but memory: its worker must start.
    found.missing[engine] = make_cause(simulator ? CauseKind::internal : CauseKind::no_gpu, device.error());
    return found;
  }
  auto toolchain = build::find_toolchain(engine);
  if (!toolchain) {
    found.missing[engine] =
        make_cause(simulator ? CauseKind::no_compiler : CauseKind::no_gpu, toolchain.error().message);
    return found;
  }
  found.toolchains.emplace(engine, std::move(*toolchain));
  found.devices[engine] = std::move(*device);
  return found;
}

}  // namespace

Engines find_engines(const Installation& installation, std::chrono::milliseconds limit) {
  auto gpu = std::async(std::launch::async, find_engine, std::cref(installation), Engine::gpu, limit);
  Engines engines = find_engine(installation, Engine::simulator, limit);
  Engines other = gpu.get();
  engines.missing.merge(other.missing);
  engines.toolchains.merge(other.toolchains);
  engines.devices.merge(other.devices);
  return engines;
}

}  // namespace warpmark::judge

#include "harness/judge/workers/engines.h"

#include <filesystem>
#include <functional>
#include <future>
#include <vector>

#include <fmt/format.h>

namespace warpmark::judge {
namespace {

// Why there is no worker for an engine, and so no such engine.
std::string why_not_built(Engine engine) {
  if (engine == Engine::gpu)
    return "Warpmark was built without the CUDA toolkit; install CUDA 13 and start again";
  if (engine == Engine::host)
    return "Warpmark was built without OpenMP; install g++ and libgomp1 and start again";
  return "Warpmark was built without clang's sanitizers, which decide `clean` of versions of C++; apt-get "
         "install "
         "clang libclang-rt-dev libomp-dev, and start again";
}

CauseKind kind_of_lack(Engine engine, bool has_worker) {
  if (engine == Engine::gpu) return CauseKind::no_gpu;
  // All but a GPU need nothing of the machine but memory: their workers must start.
  return has_worker ? CauseKind::internal : CauseKind::no_compiler;
}

// The engine's device, or why its worker cannot be used.
tl::expected<Device, std::string> ask_worker(const Installation& installation, Engine engine,
                                             std::chrono::milliseconds limit) {
  std::error_code error;
  if (!std::filesystem::exists(installation.worker(engine), error))
    return tl::unexpected(why_not_built(engine));
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
                measure::peak_gflops(hello.capability, hello.multiprocessors, hello.clock_hz)};
}

// An engine as far as it can be used; otherwise `missing` says why not.
Engines find_engine(const Installation& installation, Engine engine, std::chrono::milliseconds limit) {
  Engines found;
  auto device = ask_worker(installation, engine, limit);
  if (!device) {
    std::error_code error;
    const bool has_worker = std::filesystem::exists(installation.worker(engine), error);
    found.missing[engine] = make_cause(kind_of_lack(engine, has_worker), device.error());
    return found;
  }
  auto toolchain = build::find_toolchain(engine);
  if (!toolchain) {
    found.missing[engine] = make_cause(kind_of_lack(engine, false), toolchain.error().message);
    return found;
  }
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

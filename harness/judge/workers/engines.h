// Finds the engines (GPU, simulator, CPU, sanitizers) that this machine can use.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "harness/build/builder.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/measure/peaks.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

struct Device {
  std::string name;
  double peak_gb_per_s = 0;  // a GPU's memory bandwidth, from clock and bus width; 0: unknown
  std::string uuid;          // the device's UUID; empty for the simulator
  std::string cuda;          // version of the CUDA runtime, "13.0"
  std::size_t count = 1;     // number of usable GPUs, of which only the first is described
  measure::PeakGflops peak_gflops = {};
  std::uint64_t capability = 0;  // compute capability times ten: 90 for 9.0; 0: no CUDA device
  double clock_hz = 0;           // highest clock of the multiprocessors; 0: unknown
  std::uint64_t l2_bytes = 0;
  std::uint64_t free_bytes = 0;  // free memory of a GPU when the engine was found; 0: unknown
};

struct Engines {
  std::map<Engine, build::Toolchain> toolchains;  // compiler of each usable engine (GPU, simulator, CPU)
  // Reasons why engines are unusable, with the remedy. Kinds: no_gpu, no_compiler, internal.
  std::map<Engine, Cause> missing;
  std::map<Engine, Device> devices;  // first device of each usable engine
  std::optional<Mpi> mpi;            // usable MPI installation; set by look_for_mpi()
  Cause no_mpi = {};                 // why MPI programs cannot run; meaningful only if `mpi` is empty

  [[nodiscard]] bool has(Engine engine) const { return toolchains.contains(engine); }
  // Returns these engines without all but the given one.
  [[nodiscard]] Engines only(Engine engine) const {
    Engines one = *this;
    const auto is_other = [&](const auto& entry) { return entry.first != engine; };
    std::erase_if(one.toolchains, is_other);
    std::erase_if(one.devices, is_other);
    return one;
  }
  [[nodiscard]] bool has_gpus(int count) const {
    const auto gpu = devices.find(Engine::gpu);
    return gpu != devices.end() && gpu->second.count >= static_cast<std::size_t>(count);
  }
};

// Time limit of a worker process's first reply; CUDA initialises in 0.2 s.
inline constexpr std::chrono::seconds kEngineLimit{30};

// Finds the usable engines: those whose compiler is found and whose worker process reports a device.
// `with_host`: also search for the CPU engine and its sanitizers; otherwise they appear in neither map.
Engines find_engines(const Installation& installation, std::chrono::milliseconds limit,
                     bool with_host = false);

// Searches for an MPI installation: sets engines.mpi, or engines.no_mpi (the reason) if there is none.
void look_for_mpi(Engines& engines);

}  // namespace warpmark::judge

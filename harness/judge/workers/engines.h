// What this machine can grade on.
#pragma once

#include <chrono>
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
  double peak_gb_per_s = 0;  // of its memory, by clock and bus width; 0: not known
  std::string uuid;          // empty for the simulator
  std::string cuda;          // version of the runtime, "13.0"
  std::size_t count = 1;     // devices that the engine could use; this is the first
  measure::PeakGflops peak_gflops = {};
};

struct Engines {
  std::map<Engine, build::Toolchain> toolchains;  // of the engines that can be used
  // Why one cannot, and the remedy: no_gpu, no_compiler, internal.
  std::map<Engine, Cause> missing;
  std::map<Engine, Device> devices;  // what a usable engine runs on
  std::optional<Mpi> mpi;            // where it was looked for
  Cause no_mpi = {};                 // why there is none

  [[nodiscard]] bool has(Engine engine) const { return toolchains.contains(engine); }
  [[nodiscard]] bool has_gpus(int count) const {
    const auto gpu = devices.find(Engine::gpu);
    return gpu != devices.end() && gpu->second.count >= static_cast<std::size_t>(count);
  }
};

// For a worker to say hello; CUDA starts in 0.2 s.
inline constexpr std::chrono::seconds kEngineLimit{30};

// An engine is usable when its compiler is found and its worker reports a device. with_host: the host and its
// sanitizers, too; without, nothing is known of them.
Engines find_engines(const Installation& installation, std::chrono::milliseconds limit,
                     bool with_host = false);

// Fills in engines.mpi, or why there is none.
void look_for_mpi(Engines& engines);

}  // namespace warpmark::judge

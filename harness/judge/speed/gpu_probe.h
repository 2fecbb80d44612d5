// Measures the rates of a GPU model that was not calibrated, and keeps them per GPU in the cache folder.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/size.h"
#include "harness/base/error.h"
#include "harness/judge/workers/engines.h"
#include "harness/measure/gpu_rates.h"

namespace warpmark::judge {

// Time of an assignment's naive kernel on the probed GPU.
struct NaiveTime {
  std::string kernel;  // assignment, element type, usual size and digest of the kernel's source
  Size size = 0;       // the size at which it was measured, at most the usual one
  double ms = 0;
  bool operator==(const NaiveTime&) const = default;
};

struct GpuProbe {
  std::string gpu;  // identity of the GPU and its settings, see identity_of(); another identity: probe anew
  std::string date;
  measure::GpuRates rates;
  std::vector<NaiveTime> naive;
  bool operator==(const GpuProbe&) const = default;
};

// Version of the NVIDIA kernel module, such as "580.95.05"; empty if none is loaded (or in WSL, which has
// none).
std::string loaded_driver();

// Returns what the rates depend on: the GPU's name, UUID, highest clock, peak bandwidth, the driver
// and the CUDA version. Clocks that are locked below the highest are not visible here: the
// naive kernel's time, measured in every grading, shows them.
std::string identity_of(const Device& device, const std::string& driver);

std::filesystem::path probe_file(const std::filesystem::path& cache, const Device& device);
std::string to_toml(const GpuProbe& probe);
// Returns the kept probe; nullopt if there is none, it is of another identity, or its file is damaged.
std::optional<GpuProbe> kept_probe(const std::filesystem::path& file, const std::string& identity);

// Returns why a GPU in these conditions is not probed, with the remedy: another process computes on it, or
// heat or its power supply throttles it; empty if nothing is wrong. A power limit is the usual state of a
// laptop's GPU under load and no reason.
std::string disturbance(const Conditions& conditions);

// Repeats `pass` until two successive passes agree (see measure::disagreement()), and returns the last one;
// the first ones let the clocks rise. Fails with kind `noise` if the passes of the last two never agree.
tl::expected<measure::GpuRates, Cause> settled(
    const std::function<tl::expected<measure::GpuRates, Cause>()>& pass);

struct ProbeRequest {
  const Installation& installation;
  const Engines& engines;  // with a GPU
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;
};

// Returns the kept probe of the first GPU, or measures its rates in a worker process that loads no student
// code and keeps them; `anew` measures them in any case. The caller holds the GPU's DeviceLock. Fails with
// kind `noise` if the GPU is disturbed.
tl::expected<GpuProbe, Cause> probe_gpu(const ProbeRequest& request, bool anew);

// Writes a probe's file. A cache folder that cannot be written only costs another probe next time.
void keep(const GpuProbe& probe, const std::filesystem::path& file);

}  // namespace warpmark::judge

// Facts about a machine with an H200, for tests.
#pragma once

#include "harness/doctor/facts.h"

namespace warpmark::doctor {

inline GpuFacts h200() {
  GpuFacts gpu;
  gpu.name = "NVIDIA H200";
  gpu.driver = "580.95.05";
  gpu.compute_mode = "Default";
  gpu.mig = "Disabled";
  gpu.ecc = "Enabled";
  gpu.persistence = "Enabled";
  gpu.sm_mhz = 1980;
  gpu.max_sm_mhz = 1980;
  gpu.power_limit = 700;
  gpu.default_power_limit = 700;
  gpu.celsius = 31;
  gpu.used_mib = 0;
  gpu.total_mib = 143771;
  gpu.busy_percent = 0;
  gpu.throttle_reasons = 0x1;  // idle
  return gpu;
}

// A machine on which nothing is wrong.
inline Facts with_gpu() {
  Facts facts;
  facts.engines[Engine::gpu] = {"nvcc 13.0", "NVIDIA H200", ""};
  facts.engines[Engine::simulator] = {"clang 14.0.6", "Warpmark simulator", ""};
  facts.nvcc = "nvcc 13.0";
  facts.has_nvidia_smi = true;
  facts.gpus = {h200()};
  facts.uvm_tools = true;
  facts.thresholds_file = "harness/assignments/reduction/thresholds/nvidia-h200.toml";
  facts.calibrated = true;
  facts.thrust_headers = true;
  facts.kernel = facts.thrust = facts.ranks = {true, ""};
  facts.governor = "performance";
  facts.cpus = 16;
  facts.free_memory = std::uint64_t{100} << 30;
  facts.free_disk = std::uint64_t{50} << 30;
  facts.disk = "/warpmark/build";
  return facts;
}

}  // namespace warpmark::doctor

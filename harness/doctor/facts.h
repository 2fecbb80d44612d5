// What was found on this machine. Facts only: what they mean is in diagnosis.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/engine.h"

namespace warpmark::doctor {

// A GPU as nvidia-smi reports it; texts are nvidia-smi's own ("Enabled", "[N/A]"), numbers are absent where
// it says none.
struct GpuFacts {
  std::string name;
  std::string driver;  // "580.95.05"
  std::string compute_mode;
  std::string mig;
  std::string ecc;
  std::string persistence;
  std::optional<double> sm_mhz;  // now, while this process runs nothing on it
  std::optional<double> max_sm_mhz;
  std::optional<double> power_limit;  // W
  std::optional<double> default_power_limit;
  std::optional<double> celsius;
  std::optional<double> used_mib;
  std::optional<double> total_mib;
  std::optional<double> busy_percent;
  std::optional<std::uint64_t> throttle_reasons;  // NVML's bits
};

struct EngineFacts {
  std::string compiler;  // "clang 14.0.6"
  std::string device;
  std::string missing;  // why it cannot, and the remedy
};

// Something that was done once, as grading does it.
struct Trial {
  bool made = false;
  std::string trouble;  // the first line of what went wrong; empty: it worked
};

struct Facts {
  std::map<Engine, EngineFacts> engines;  // of the host where it was asked, too
  std::string nvcc;                       // "nvcc 13.0", also where no device can use it; empty: none
  std::string mpi;                        // "Open MPI 4.1.4"; empty: none
  std::string no_mpi;                     // why there is none, and the remedy; empty where it was not asked

  bool has_nvidia_smi = false;
  std::vector<GpuFacts> gpus;
  std::vector<std::string> gpu_processes;  // "1234 python (20480 MiB)": compute processes of others
  std::string observer;                    // why CUPTI does not record; empty when it does, or was not asked
  bool uvm_tools = false;                  // /dev/nvidia-uvm-tools can be read
  std::string thresholds_file;             // for this GPU, relative to the repository; empty without a GPU
  bool calibrated = false;                 // that file is there

  bool thrust_headers = false;        // for the simulator
  Trial kernel;                       // built and run on the simulator
  Trial thrust;                       // a sort and a sum by thrust, likewise
  Trial ranks;                        // two that start MPI
  std::string sandbox_level = "box";  // that grading will use: it was used
  std::string control_groups = "v2";  // that limit memory and processes of a box: "none", "v1", "v2"
  std::string sandbox_trouble;        // why it is no better one; empty when there is none
  std::string sandbox_remedy;

  bool debug_build = false;
  std::string governor;  // of the first CPU; empty where the system shows none
  unsigned cpus = 0;
  double busy_cpus = 0;      // on average while we looked, without our own
  double steal_percent = 0;  // of the machine's time since it was started that another machine got
  std::uint64_t free_memory = 0;
  std::uint64_t free_disk = 0;         // bytes, where libraries are built
  std::string disk;                    // that folder, Warpmark's cache
  std::string program = "./warpmark";  // how the reader calls it
};

}  // namespace warpmark::doctor

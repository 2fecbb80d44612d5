// Facts about this machine, without interpretation; diagnosis.cpp interprets them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/engine.h"

namespace warpmark::doctor {

// A GPU as reported by nvidia-smi. Texts are nvidia-smi's own ("Enabled", "[N/A]"); numbers are nullopt if it
// reports none.
struct GpuFacts {
  std::string name;
  std::string driver;  // version of the driver: "580.95.05"
  std::string compute_mode;
  std::string mig;
  std::string ecc;
  std::string ecc_pending;    // ECC mode after the next restart
  std::string pages_pending;  // "Yes": memory pages with errors are retired only after the next restart
  std::string persistence;
  std::optional<double> sm_mhz;  // current SM clock in MHz, while this process does not use the GPU
  std::optional<double> max_sm_mhz;
  std::optional<double> power_limit;  // power limit in watts
  std::optional<double> default_power_limit;
  std::optional<double> celsius;
  std::optional<double> used_mib;
  std::optional<double> total_mib;
  std::optional<double> busy_percent;
  std::optional<std::uint64_t> throttle_reasons;  // NVML's bit mask of the reasons for reduced clocks
  std::vector<std::string> slices;                // MIG devices: "1g.18gb"
};

// Outputs of nvidia-smi, unparsed; empty if it failed.
struct SmiOutputs {
  std::string gpus;       // --query-gpu=gpu_query(), CSV
  std::string list;       // -L
  std::string processes;  // --query-compute-apps=pid,process_name,used_memory, CSV
  std::string reasons;    // the reasons for reduced clocks, one hexadecimal mask per GPU
};

struct EngineFacts {
  std::string compiler;  // name and version: "clang 14.0.6"
  std::string device;
  // Why this machine cannot run student code on the engine, and the remedy; empty if it can.
  std::string missing;
};

// Result of trying one step of grading on this machine.
struct Trial {
  bool made = false;
  std::string trouble;  // first line of the error message of the tried step; empty if it succeeded
};

struct Facts {
  // Per engine that can run student code (GPU, simulator; plain CPU only if requested): whether this machine
  // can use it.
  std::map<Engine, EngineFacts> engines;
  std::string nvcc;  // name and version: "nvcc 13.0"; empty: not installed
  std::string mpi;   // name and version: "Open MPI 4.1.4"; empty: not installed
  // Why this machine cannot run MPI programs, and the remedy; empty if it can or was not tested.
  std::string no_mpi;

  bool has_nvidia_smi = false;
  std::vector<GpuFacts> gpus;
  std::vector<std::string> gpu_processes;  // other compute processes: "1234 python (20480 MiB)"
  // Why CUPTI cannot record a process's launches and copies; empty if it can or was not tested.
  std::string observer;
  bool uvm_tools = false;  // true if /dev/nvidia-uvm-tools is readable
  // Path of the file with the speedups required on this GPU model, relative to the repository; empty without
  // a GPU.
  std::string thresholds_file;
  bool calibrated = false;    // true if the file of required speedups for this GPU model exists
  std::string probe;          // rates of a GPU that is not calibrated: "936 GB/s, ..."; empty: not measured
  std::string probe_trouble;  // why its rates cannot be trusted, and the remedy; empty if they can
  std::string smaller_size;   // why `fast` times a smaller input than usual on this GPU; empty: it does not
  std::string no_size;        // why no input fits into this GPU's free memory; empty: one does

  bool thrust_headers = false;        // true: the simulator finds Thrust's headers
  Trial kernel;                       // result of building and running a test kernel on the simulator
  Trial thrust;                       // result of building and running a Thrust sort and sum on the simulator
  Trial ranks;                        // result of starting two MPI ranks
  std::string sandbox_level = "box";  // sandbox level that grading will use, determined by starting a sandbox
  std::string control_groups = "v2";  // cgroup version that limits a sandbox: "none", "v1", "v2"
  // Why the machine supports no stricter sandbox level; empty if it supports the strictest.
  std::string sandbox_trouble;
  std::string sandbox_remedy;

  bool debug_build = false;
  std::string governor;  // cpufreq governor of the first CPU; empty if the system reports none
  unsigned cpus = 0;
  // Average number of CPUs that other processes kept busy while `warpmark doctor` sampled the load.
  double busy_cpus = 0;
  // Percentage of CPU time since boot that the hypervisor gave to other virtual machines.
  double steal_percent = 0;
  std::uint64_t free_memory = 0;
  std::uint64_t free_disk = 0;         // free bytes on the disk that holds Warpmark's cache folder
  std::string disk;                    // path of Warpmark's cache folder
  std::string program = "./warpmark";  // command with which the user calls Warpmark
};

}  // namespace warpmark::doctor

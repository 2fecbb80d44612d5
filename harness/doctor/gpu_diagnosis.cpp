#include "harness/doctor/gpu_diagnosis.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpmark::doctor {
namespace {

// Fraction of the maximum SM clock below which an idle GPU counts as one with unlocked clocks.
constexpr double kIdleClock = 0.5;
// GPU temperature in degrees Celsius above which there is a warning; an H200 starts to throttle at 87.
constexpr double kHot = 80;
constexpr double kBusyGpu = 5;  // percent utilisation by other processes, above which a GPU counts as busy
// MiB of GPU memory in use above which a GPU counts as busy; the driver itself needs less.
constexpr double kBusyMemory = 2048;

// Clock throttle reasons that distort measurements (nvml.h, nvmlClocksEventReasons), and their remedies.
struct Throttle {
  std::uint64_t bit;
  const char* name;
  const char* remedy;
};
constexpr Throttle kThrottles[] = {
    {0x04, "power cap",
     "raise the power cap (nvidia-smi -q -d POWER shows it), on a laptop plug in the charger"},
    {0x08, "hardware slowdown", "let it cool and check its power cables"},
    {0x20, "software thermal limit", "let it cool, clean the fans"},
    {0x40, "hardware thermal limit", "let it cool, clean the fans"},
    {0x80, "power brake", "check the power supply, which asks for less load"}};

// The process that owns the GPU under NVIDIA's Multi-Process Service (MPS documentation,
// "nvidia-cuda-mps-server").
constexpr std::string_view kMpsServer = "nvidia-cuda-mps-server";

class GpuExamination {
 public:
  GpuExamination(const Facts& facts, bool usable, std::vector<Assessment>& findings)
      : facts_(facts),
        usable_(usable),
        stops_(usable ? Status::fail : Status::caution),
        findings_(findings) {}

  void run() {
    if (usable_) thresholds();
    if (!facts_.gpus.empty()) state_of(facts_.gpus.front());
  }

 private:
  void add(std::string name, Status status, std::string found, std::string repair = {}) {
    findings_.push_back({std::move(name), status, std::move(found), std::move(repair)});
  }

  // Adds a finding: status pass if `good`, else a caution with the repair.
  void judge(const char* name, bool good, std::string found, std::string repair) {
    add(name, good ? Status::pass : Status::caution, std::move(found), good ? "" : std::move(repair));
  }

  void thresholds() {
    if (!facts_.no_size.empty()) {
      add("gpu memory", Status::caution, "`fast` stays undecided: " + facts_.no_size,
          "end what uses the GPU; list it with: nvidia-smi");
    } else {
      add("gpu memory", Status::pass,
          facts_.smaller_size.empty() ? "`fast` times its usual input"
                                      : "`fast` times " + facts_.smaller_size);
    }
    const std::string missing =
        fmt::format("not measured on this GPU model ({} is missing)", facts_.thresholds_file);
    if (!facts_.probe_trouble.empty()) {
      add("thresholds", Status::caution, fmt::format("`fast` stays undecided: {}", facts_.probe_trouble),
          "repair this and run ./warpmark doctor, or measure the solution: ./warpmark calibrate");
    } else if (!facts_.probe.empty()) {
      judge("thresholds", facts_.calibrated,
            fmt::format("from a probe of this GPU: {}{}", facts_.probe,
                        facts_.calibrated ? ", since its memory is too small for the calibrated size"
                                          : "; " + missing),
            "for thresholds of the solution itself: ./warpmark calibrate");
    } else {
      judge("thresholds", facts_.calibrated,
            facts_.calibrated ? fmt::format("measured on this GPU model ({})", facts_.thresholds_file)
                              : missing + ": the rubric's defaults are required",
            "./warpmark calibrate");
    }
  }

  static bool is_mps(const std::string& process) { return process.find(kMpsServer) != std::string::npos; }
  [[nodiscard]] bool under_mps() const { return std::ranges::any_of(facts_.gpu_processes, is_mps); }

  // Under MPS, the server alone uses the GPU, so an exclusive GPU still serves several workers.
  void sharing(const GpuFacts& gpu) {
    const bool exclusive = gpu.compute_mode == "Exclusive_Process";
    if (under_mps()) {
      add("mps", Status::caution,
          "the Multi-Process Service runs: other processes may share the multiprocessors with a timed "
          "kernel, and "
          "a crash in one ends the work of all",
          fmt::format("echo quit | sudo nvidia-cuda-mps-control{}",
                      exclusive ? "; sudo nvidia-smi -c DEFAULT" : ""));
    } else if (gpu.compute_mode == "Prohibited" || exclusive) {
      add("compute mode", stops_,
          fmt::format(
              "{}: {}", gpu.compute_mode,
              exclusive ? "several workers cannot use the GPU at a time" : "no process may use the GPU"),
          "sudo nvidia-smi -c DEFAULT");
    }
  }

  void state_of(const GpuFacts& gpu) {
    sharing(gpu);
    std::vector<std::string> processes = facts_.gpu_processes;
    std::erase_if(processes, is_mps);  // told by sharing()
    const bool others = !processes.empty() || gpu.busy_percent.value_or(0) > kBusyGpu ||
                        gpu.used_mib.value_or(0) > kBusyMemory;
    std::string use = fmt::format("{:.0f} % busy, {:.0f} of {:.0f} MiB in use", gpu.busy_percent.value_or(0),
                                  gpu.used_mib.value_or(0), gpu.total_mib.value_or(0));
    if (!processes.empty()) use += fmt::format("; compute processes: {}", fmt::join(processes, ", "));
    judge("neighbours", !others, use + (others ? "; a verdict on speed may be inconclusive" : ""),
          "wait until they end; list them with: nvidia-smi");
    clocks(gpu);
    throttles(gpu);
    power(gpu);
    mig(gpu);
    ecc(gpu);
    const bool persistent = gpu.persistence == "Enabled";
    judge(
        "persistence", persistent,
        persistent ? "on" : "off: each worker may wait for the driver, and settings such as clocks are lost",
        "sudo nvidia-smi -pm 1");
  }

  void mig(const GpuFacts& gpu) {
    if (gpu.mig != "Enabled") {
      add("mig", Status::pass, "no slices");
    } else if (gpu.slices.empty()) {
      add("mig", stops_, "enabled without a slice: CUDA finds no device", "sudo nvidia-smi -mig 0");
    } else {
      add("mig", Status::caution,
          fmt::format(
              "{}: a MIG slice has a part of the memory and multiprocessors, and of L2 and bandwidth; "
              "grading uses {}",
              fmt::join(gpu.slices, ", "),
              gpu.slices.size() == 1 ? "it" : "the first that CUDA_VISIBLE_DEVICES allows"),
          "for the whole GPU: sudo nvidia-smi -mig 0");
    }
  }

  void ecc(const GpuFacts& gpu) {
    const bool mode_pending = !gpu.ecc_pending.empty() && gpu.ecc_pending != gpu.ecc;
    const bool pages_pending = gpu.pages_pending == "Yes";
    std::string found = gpu.ecc == "Enabled"    ? "on; it slows down all versions alike"
                        : gpu.ecc == "Disabled" ? "off"
                                                : "not reported";
    if (mode_pending)
      found += fmt::format(", and {} after the next restart: memory and bandwidth change then",
                           gpu.ecc_pending == "Enabled" ? "on" : "off");
    if (pages_pending) found += ", and memory pages with errors wait for a restart to be retired";
    judge("ecc", !mode_pending && !pages_pending, std::move(found),
          "restart the machine, or end all GPU processes and: sudo nvidia-smi --gpu-reset");
  }

  // nvidia-smi does not report whether clocks are locked. An idle GPU with a high clock is assumed to have
  // them locked.
  void clocks(const GpuFacts& gpu) {
    if (!gpu.sm_mhz || !gpu.max_sm_mhz) {
      add("clocks", Status::pass, "not reported");
      return;
    }
    const bool high = *gpu.sm_mhz >= kIdleClock * *gpu.max_sm_mhz;
    judge(
        "clocks", high,
        fmt::format(
            "{:.0f} of {:.0f} MHz now{}", *gpu.sm_mhz, *gpu.max_sm_mhz,
            high ? "" : ": not locked, so the first calls are slower; interleaved rounds compensate for it"),
        fmt::format("sudo nvidia-smi -lgc {:.0f}", *gpu.max_sm_mhz));
  }

  void throttles(const GpuFacts& gpu) {
    std::vector<std::string> reasons;
    std::set<std::string> remedies;
    for (const Throttle& throttle : kThrottles) {
      if ((gpu.throttle_reasons.value_or(0) & throttle.bit) == 0) continue;
      reasons.emplace_back(throttle.name);
      remedies.insert(throttle.remedy);
    }
    const bool hot = gpu.celsius.value_or(0) > kHot;
    if (hot && remedies.empty()) remedies.insert("let it cool");
    judge("throttling", reasons.empty() && !hot,
          fmt::format("{}, {:.0f} C", reasons.empty() ? "none" : fmt::format("{}", fmt::join(reasons, ", ")),
                      gpu.celsius.value_or(0)),
          fmt::format("{}; see: nvidia-smi -q -d PERFORMANCE,TEMPERATURE", fmt::join(remedies, "; ")));
  }

  void power(const GpuFacts& gpu) {
    if (!gpu.power_limit || !gpu.default_power_limit) {
      add("power", Status::pass, "not reported");
      return;
    }
    const bool whole = *gpu.power_limit >= *gpu.default_power_limit;
    judge("power", whole, fmt::format("{:.0f} of {:.0f} W", *gpu.power_limit, *gpu.default_power_limit),
          fmt::format("sudo nvidia-smi -pl {:.0f}", *gpu.default_power_limit));
  }

  const Facts& facts_;
  bool usable_;
  Status stops_;  // status of what keeps the GPU from grading
  std::vector<Assessment>& findings_;
};

}  // namespace

void add_gpu_findings(const Facts& facts, bool usable, std::vector<Assessment>& findings) {
  GpuExamination(facts, usable, findings).run();
}

}  // namespace warpmark::doctor

#include "harness/doctor/diagnosis.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/doctor/gpu_diagnosis.h"

namespace warpmark::doctor {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

// Free memory in bytes below which grading fails: one compiler pass over Thrust takes 400 MiB.
constexpr std::uint64_t kLeastMemory = 512 * kMebibyte;
// Free memory in bytes below which `warpmark doctor` warns: a whole submission, graded on two cores, needs
// that much.
constexpr std::uint64_t kEnoughMemory = 2 * kGibibyte;
// Free disk space in bytes below which grading fails: the libraries of one submission take 20 MiB.
constexpr std::uint64_t kLeastDisk = 100 * kMebibyte;
constexpr std::uint64_t kEnoughDisk = kGibibyte;
// Tolerated percentage of CPU time that went to other virtual machines since boot.
constexpr double kStolen = 1;
constexpr double kBusyCpus = 0.5;  // load, as a fraction of all CPUs, above which the machine counts as busy

// The oldest driver that supports a CUDA toolkit (CUDA Toolkit Release Notes, table 3).
struct DriverRule {
  int toolkit;
  int driver;
};
constexpr DriverRule kDrivers[] = {{13, 580}, {12, 525}};

int major_of(const std::string& version) {
  const std::size_t digit = version.find_first_of("0123456789");
  return digit == std::string::npos ? 0 : std::atoi(version.c_str() + digit);
}

std::string size_text(std::uint64_t bytes) {
  const double gib = static_cast<double>(bytes) / static_cast<double>(kGibibyte);
  return gib >= 1 ? fmt::format("{:.1f} GiB", gib) : fmt::format("{} MiB", bytes / kMebibyte);
}

class Examination {
 public:
  explicit Examination(const Facts& facts) : facts_(facts) {}

  Diagnosis run() {
    const bool gpu = usable(Engine::gpu);
    const bool simulator = usable(Engine::simulator);
    result_.engine = gpu ? name_of(Engine::gpu) : simulator ? name_of(Engine::simulator) : "";
    engines(gpu, simulator);
    host();
    if (!facts_.gpus.empty()) driver(facts_.gpus.front());
    if (gpu) on_gpu();
    add_gpu_findings(facts_, gpu, result_.findings);
    thrust();
    sandbox();
    machine();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool usable(Engine engine) const {
    const auto found = facts_.engines.find(engine);
    return found != facts_.engines.end() && found->second.missing.empty();
  }

  void add(std::string name, Status status, std::string found, std::string repair = {}) {
    result_.findings.push_back({std::move(name), status, std::move(found), std::move(repair)});
  }

  // Adds a finding to the diagnosis of this machine: status pass if `good`, else a caution with the repair.
  void judge(const char* name, bool good, std::string found, std::string repair) {
    add(name, good ? Status::pass : Status::caution, std::move(found), good ? "" : std::move(repair));
  }

  // Adds a finding about a trial, that is, one step of grading that was tried on this machine. wrong: the
  // finding's status if the trial failed.
  void tried(const char* name, const Trial& trial, std::string good, const std::string& bad,
             std::string repair, Status wrong = Status::fail) {
    if (!trial.made) {
      add(name, Status::caution, "not tested: the engine that it needs cannot be used", std::move(repair));
    } else if (trial.trouble.empty()) {
      add(name, Status::pass, std::move(good));
    } else {
      add(name, wrong, fmt::format("{}: {}", bad, trial.trouble), std::move(repair));
    }
  }

  void thrust() {
    if (facts_.thrust_headers) {
      tried("thrust", facts_.thrust, "a Thrust sort and sum ran on the simulator",
            "versions that use thrust do not work on the simulator",
            "sudo apt-get install --reinstall libthrust-dev clang, then ./warpmark doctor");
    } else {
      add("thrust", Status::caution,
          "no headers for the simulator: versions that use thrust are not checked there",
          "sudo apt-get install libthrust-dev");
    }
  }

  void engines(bool gpu, bool simulator) {
    const Status without = gpu || simulator ? Status::caution : Status::fail;
    const EngineFacts& on_gpu = facts_.engines.at(Engine::gpu);
    const EngineFacts& simulated = facts_.engines.at(Engine::simulator);
    if (gpu) {
      add("gpu", Status::pass, fmt::format("{}; grading uses it", on_gpu.device));
      add("nvcc", Status::pass, on_gpu.compiler);
    } else if (facts_.gpus.empty()) {
      add("gpu", simulator ? Status::pass : Status::fail,
          simulator ? "none; grading uses the simulator, and `fast` stays undecided"
                    : fmt::format("none usable: {}", on_gpu.missing),
          simulator ? "" : "install the simulator's compiler: sudo apt-get install clang");
    } else {
      add("gpu", without,
          fmt::format("{} is installed but cannot be used: {}", facts_.gpus.front().name, on_gpu.missing),
          "repair this, then run ./warpmark doctor, which builds the GPU worker with nvcc");
    }
    if (!gpu && !facts_.gpus.empty()) {
      judge("nvcc", !facts_.nvcc.empty(), facts_.nvcc.empty() ? "none" : facts_.nvcc,
            "install CUDA 13: https://developer.nvidia.com/cuda-downloads");
    }
    if (simulator) {
      add("clang", Status::pass, fmt::format("{} with the NVPTX back end", simulated.compiler));
      tried("kernel", facts_.kernel, "a test kernel was built and ran on the simulator",
            "a test kernel does not run on the simulator",
            "sudo apt-get install --reinstall clang, then ./warpmark doctor",
            gpu ? Status::caution : Status::fail);
    } else {
      add("clang", without, simulated.missing, "sudo apt-get install clang");
    }
  }

  // Adds the diagnosis of the compiler for plain C++ submissions, which only some assignments need.
  void host() {
    const auto compiled = facts_.engines.find(Engine::host);
    if (compiled == facts_.engines.end()) return;
    const bool good = usable(Engine::host);
    judge("g++", good,
          good ? fmt::format("{}; versions in C++ run on {} {}", compiled->second.compiler, facts_.cpus,
                             facts_.cpus == 1 ? "core, so their `fast` stays undecided" : "cores")
               : compiled->second.missing,
          "sudo apt-get install g++, then ./warpmark doctor");
    std::string missing;
    for (const Engine engine : {Engine::thread_sanitizer, Engine::address_sanitizer}) {
      const auto found = facts_.engines.find(engine);
      if (found != facts_.engines.end() && !found->second.missing.empty()) missing = found->second.missing;
    }
    judge("sanitizers", missing.empty(),
          missing.empty() ? "clang's run in the `clean` check of versions in C++"
                          : fmt::format("`clean` of versions in C++ stays undecided: {}", missing),
          "sudo apt-get install clang libclang-rt-dev libomp-dev, then ./warpmark doctor; if the problem is "
          "with addresses: sudo sysctl vm.mmap_rnd_bits=28");
    if (facts_.mpi.empty() && facts_.no_mpi.empty()) return;
    const char* const repair = "sudo apt-get install libopenmpi-dev openmpi-bin, then ./warpmark doctor";
    if (facts_.mpi.empty()) {
      add("mpi", Status::caution, "versions with MPI stay undecided: " + facts_.no_mpi, repair);
    } else {
      tried("mpi", facts_.ranks, facts_.mpi + " started two ranks", facts_.mpi + " does not start two ranks",
            repair);
    }
  }

  void driver(const GpuFacts& gpu) {
    const int toolkit = major_of(facts_.nvcc);
    const auto* rule = std::find_if(std::begin(kDrivers), std::end(kDrivers),
                                    [&](const DriverRule& one) { return one.toolkit == toolkit; });
    if (rule == std::end(kDrivers)) {
      add("driver", Status::pass, gpu.driver);
      return;
    }
    const bool fits = major_of(gpu.driver) >= rule->driver;
    judge("driver", fits,
          fits ? fmt::format("{}, new enough for CUDA {}", gpu.driver, toolkit)
               : fmt::format("{} is older than {}, which CUDA {} needs", gpu.driver, rule->driver, toolkit),
          fmt::format("sudo apt-get install nvidia-driver-{}", rule->driver));
  }

  // Adds those findings about this machine that matter only if kernels are graded on its GPU.
  void on_gpu() {
    judge("cupti", facts_.observer.empty(),
          facts_.observer.empty()
              ? "records copies and launches"
              : fmt::format("does not record, so `upload_once` stays undecided: {}", facts_.observer),
          "sudo sh -c 'echo options nvidia NVreg_RestrictProfilingToAdminUsers=0 > "
          "/etc/modprobe.d/nvidia-profiling.conf' "
          "and restart; or install the CUDA toolkit's cuda-cupti package");
    judge("uvm tools", facts_.uvm_tools,
          facts_.uvm_tools
              ? "/dev/nvidia-uvm-tools can be read"
              : "/dev/nvidia-uvm-tools cannot be read: data that crosses as managed memory is not counted",
          "sudo nvidia-modprobe -c 0 -u");
  }

  void sandbox() {
    const bool boxed = facts_.sandbox_trouble.empty();
    judge("sandbox", boxed,
          boxed ? fmt::format("level {}: submissions run in namespaces of their own; {}",
                              facts_.sandbox_level, limits_of_boxes())
                : fmt::format("level {}, so grade only code that you trust: {}", facts_.sandbox_level,
                              facts_.sandbox_trouble),
          facts_.sandbox_remedy);
  }

  [[nodiscard]] std::string limits_of_boxes() const {
    if (facts_.control_groups != "none")
      return fmt::format("control groups ({}) limit their memory and processes", facts_.control_groups);
    return "their memory is checked ten times per second, because this user cannot create control groups";
  }

  void machine() {
    judge("build", !facts_.debug_build,
          facts_.debug_build ? "a Debug build of Warpmark: the simulator is several times slower" : "Release",
          "./warpmark (the wrapper builds Release)");
    const bool governed = facts_.governor.empty() || facts_.governor == "performance";
    judge("governor", governed, facts_.governor.empty() ? "the system reports none" : facts_.governor,
          "sudo cpupower frequency-set -g performance");
    const bool shared = facts_.steal_percent > kStolen || facts_.busy_cpus > kBusyCpus * facts_.cpus;
    judge("cpu", !shared,
          fmt::format("{} cores, {:.1f} of them busy, {:.1f} % of the time taken by other virtual machines",
                      facts_.cpus, facts_.busy_cpus, facts_.steal_percent),
          "find the process with: top");
    resource("memory", facts_.free_memory, kLeastMemory, kEnoughMemory,
             size_text(facts_.free_memory) + " free", "end other programs, or grade with --jobs 1");
    resource("disk", facts_.free_disk, kLeastDisk, kEnoughDisk,
             fmt::format("{} free in {}", size_text(facts_.free_disk), facts_.disk),
             fmt::format("free disk space; the cache may be deleted: rm -r {}", facts_.disk));
  }

  void resource(const char* name, std::uint64_t free, std::uint64_t least, std::uint64_t enough,
                std::string found, std::string repair) {
    const Status status = free < least ? Status::fail : free < enough ? Status::caution : Status::pass;
    add(name, status, std::move(found), status == Status::pass ? "" : std::move(repair));
  }

  const Facts& facts_;
  Diagnosis result_;
};

}  // namespace

int Diagnosis::exit_status() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Assessment& finding) { return finding.status == Status::fail; })
             ? 1
             : 0;
}

Diagnosis diagnose(const Facts& facts) {
  Diagnosis diagnosis = Examination(facts).run();
  // Texts on how to repair a machine name the wrapper script of a source clone, ./warpmark; an installed
  // Warpmark replaces it by its own command.
  static const std::string wrapper = "./warpmark";
  for (Assessment& finding : diagnosis.findings) {
    if (facts.program == wrapper) break;
    for (std::size_t at = 0; (at = finding.repair.find(wrapper, at)) != std::string::npos;
         at += facts.program.size())
      finding.repair.replace(at, wrapper.size(), facts.program);
  }
  return diagnosis;
}

}  // namespace warpmark::doctor

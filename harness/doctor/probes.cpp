#include "harness/doctor/probes.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <unistd.h>

#include "harness/base/file.h"
#include "harness/base/processor_time.h"
#include "harness/build/builder.h"
#include "harness/doctor/parse.h"
#include "harness/doctor/trials.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/rules/thresholds.h"
#include "harness/judge/speed/device_lock.h"
#include "harness/judge/speed/predicted.h"
#include "harness/judge/workers/engines.h"
#include "harness/sandbox/control_group.h"
#include "harness/sandbox/process.h"

namespace warpmark::doctor {
namespace {

namespace fs = std::filesystem;

// Time limit for nvidia-smi, which is slow without persistence mode.
constexpr std::chrono::seconds kAnswerLimit{30};
// Duration of the interval over which the CPU load is measured.
constexpr std::chrono::milliseconds kLooking{500};

// Reads a file in /proc or /sys. read_file() rejects these because they report size 0.
std::string system_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Answer {
  bool good = false;  // true: the external command, such as nvidia-smi, ended with exit status 0
  std::string text;   // complete output
};

Answer ask(const fs::path& program, std::vector<std::string> arguments) {
  sandbox::Command command;
  command.argv = {program.string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}};
  const auto finished = sandbox::run(command, kAnswerLimit);
  if (!finished) return {false, finished.error().message};
  const auto& ending = finished->ending;
  const bool good = !finished->timed_out && ending.kind == sandbox::Ending::Kind::exited && ending.code == 0;
  return {good, ending.output};
}

// Returns the driver's nvidia-smi. `warpmark env` puts a stand-in, which describes the simulator, before it.
std::optional<fs::path> find_nvidia_smi() {
  std::optional<fs::path> found = sandbox::find_program("nvidia-smi");
  const auto text = found ? read_file(*found) : std::string();
  if (!text || text->find("Warpmark's stand-in") == std::string::npos) return found;
  const fs::path usual = "/usr/bin/nvidia-smi";
  return fs::exists(usual) ? std::optional(usual) : std::nullopt;
}

void look_at_gpus(Facts& facts) {
  const auto nvidia_smi = find_nvidia_smi();
  facts.has_nvidia_smi = nvidia_smi.has_value();
  if (!nvidia_smi) return;
  const auto query = [&](const std::string& what) {
    const Answer answer = ask(*nvidia_smi, {what, "--format=csv,noheader,nounits"});
    return answer.good ? answer.text : std::string();
  };
  const Answer list = ask(*nvidia_smi, {"-L"});
  SmiOutputs outputs{query("--query-gpu=" + gpu_query()), list.good ? list.text : "",
                     query("--query-compute-apps=pid,process_name,used_memory"), ""};
  // Name of nvidia-smi's field for throttle reasons: first the one of newer drivers, then that of older ones.
  for (const char* name : {"clocks_event_reasons.active", "clocks_throttle_reasons.active"}) {
    if (parse_mask(outputs.reasons)) break;
    outputs.reasons = query(std::string("--query-gpu=") + name);
  }
  take(outputs, facts);
}

// Finds out which speedups and input size `fast` would use on the GPU.
void look_at_speeds(Facts& facts, const judge::Engines& engines, const judge::Installation& installation,
                    const AssignmentHome& home, const fs::path& cache) {
  const judge::Device& gpu = engines.devices.at(Engine::gpu);
  const fs::path file = judge::thresholds_file(home, gpu.name);
  facts.thresholds_file = file.lexically_relative(installation.root).string();
  const auto thresholds = judge::thresholds_of(home, gpu.name);
  facts.calibrated = thresholds && *thresholds;
  const auto rubric = judge::read_rubric(home);
  if (!rubric || !rubric->plain || rubric->fast.size == Size(0)) return;
  const auto assignment = judge::make_assignment(*rubric, installation, cache);
  if (!assignment) return;
  const judge::SpeedConditions fitted = judge::fitted(
      **assignment, rubric->fast.type, gpu, facts.calibrated ? (*thresholds)->size : rubric->fast.size);
  facts.smaller_size = fitted.smaller_size;
  if (fitted.obstacle) facts.no_size = fitted.obstacle->message;
  const auto counts = judge::counts_of(home);
  if (!counts || !*counts || (facts.calibrated && !fitted.size)) return;
  judge::DeviceLock lock(installation.locks, gpu.uuid);
  if (!lock.acquire(judge::DeviceLock::Use::measuring, std::chrono::steady_clock::now() + kAnswerLimit, {})) {
    facts.probe_trouble = "gradings use the GPU; run ./warpmark doctor again when they are done";
    return;
  }
  const auto probe = judge::probe_gpu({installation, engines, cache, {}}, true);
  if (probe)
    facts.probe = measure::to_text(probe->rates);
  else
    facts.probe_trouble = probe.error().message;
}

void look_at_engines(Facts& facts, const judge::Installation& installation, const std::string& assignment,
                     const fs::path& cache) {
  const judge::Engines engines = judge::find_engines(installation, judge::kEngineLimit, true);
  for (const Engine engine :
       {Engine::gpu, Engine::simulator, Engine::host, Engine::thread_sanitizer, Engine::address_sanitizer}) {
    EngineFacts& found = facts.engines[engine];
    if (engines.has(engine)) {
      found = {engines.toolchains.at(engine).description, engines.devices.at(engine).name, ""};
    } else {
      found.missing = first_line(engines.missing.at(engine).message);
    }
  }
  try_out(facts, engines, installation, cache);
  if (const auto nvcc = build::find_toolchain(Engine::gpu)) facts.nvcc = nvcc->description;
  if (!engines.has(Engine::gpu)) return;
  {
    const auto worker = judge::WorkerClient::start(installation, Engine::gpu, true, judge::kEngineLimit);
    facts.observer = worker ? worker->hello().observer : worker.error().message;
  }  // ended before the probe, which must be alone on the GPU
  facts.uvm_tools = ::access("/dev/nvidia-uvm-tools", R_OK) == 0;
  const auto home = find_assignment(installation.root, assignment);
  if (!home) return;
  look_at_speeds(facts, engines, installation, *home, cache);
}

void look_at_sandbox(Facts& facts) {
  const sandbox::Machine& machine = sandbox::machine();
  facts.sandbox_level = sandbox::name_of(machine.best);
  facts.control_groups = name_of(sandbox::control_groups());
  facts.sandbox_trouble = first_line(machine.trouble);
  facts.sandbox_remedy = machine.remedy;
}

void look_at_machine(Facts& facts, const fs::path& cache) {
#if !defined(NDEBUG) || !defined(__OPTIMIZE__)
  facts.debug_build = true;
#endif
  std::error_code error;
  facts.thrust_headers = build::has_thrust();
  facts.governor = first_line(system_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  facts.cpus = std::max(1U, std::thread::hardware_concurrency());
  const CpuTime before = parse_cpu_time(system_file("/proc/stat"));
  std::this_thread::sleep_for(kLooking);
  const CpuTime after = parse_cpu_time(system_file("/proc/stat"));
  if (after.all > before.all) {
    const double idle = (after.idle - before.idle) / (after.all - before.all);
    facts.busy_cpus = (1 - idle) * facts.cpus;
  }
  if (after.all > 0) facts.steal_percent = 100 * after.stolen / after.all;
  facts.free_memory = parse_free_memory(system_file("/proc/meminfo"));
  facts.disk = cache.string();
  fs::path made = cache;
  while (!fs::exists(made, error) && made.has_relative_path()) made = made.parent_path();
  const fs::space_info space = fs::space(made, error);
  facts.free_disk = error ? 0 : space.available;
}

}  // namespace

Facts look_around(judge::Installation installation, const std::string& assignment, const fs::path& cache) {
  Facts facts;
  // As strict a sandbox as this machine supports, as in grading.
  installation.sandbox = sandbox::best_level();
  look_at_machine(facts, cache);  // measures the CPU load before the other probes cause load themselves
  look_at_gpus(facts);  // reads the GPU's clocks before a worker process wakes up the GPU and raises them
  look_at_engines(facts, installation, assignment, cache);
  look_at_sandbox(facts);
  return facts;
}

}  // namespace warpmark::doctor

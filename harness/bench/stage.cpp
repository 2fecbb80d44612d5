#include "harness/bench/stage.h"

#include <algorithm>
#include <bit>
#include <ctime>
#include <iterator>
#include <map>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/plain/adapter.h"
#include "harness/base/system_entry.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/oracle/course_build.h"
#include "harness/judge/workers/libraries.h"

namespace warpmark::bench {
namespace {

// Returns the version of NVIDIA's kernel module, from "NVRM version: NVIDIA UNIX x86_64 Kernel Module
// 580.95.05  ...".
std::string driver_version() {
  const std::string line = system_entry("/proc/driver/nvidia/version", "NVRM version");
  const std::size_t digits = line.find("  ");
  if (digits == std::string::npos) return {};
  const std::size_t begin = line.find_first_not_of(' ', digits);
  return line.substr(begin, line.find(' ', begin) - begin);
}

std::string_view way_of(const judge::VersionRule& version, const judge::Course& course) {
  if (!version.host) return version.gpus > 1 ? kGpus : kGpu;
  if (!version.ranks.empty()) return kRanks;
  return version.name == course.rubric.host.naive ? kOneCore : kThreads;
}

// Returns the powers of two among the numbers of ranks that the rubric lists, for strong scaling; all numbers
// if none is a power of two.
std::vector<unsigned> ranks_of(const judge::VersionRule& version) {
  if (version.ranks.empty()) return {0};
  std::vector<unsigned> doubled, all(version.ranks.begin(), version.ranks.end());
  std::ranges::copy_if(all, std::back_inserter(doubled), [](unsigned n) { return std::has_single_bit(n); });
  return doubled.empty() ? all : doubled;
}

void add_baselines(const Stage& stage, const StageOptions& options, std::vector<Candidate>& candidates) {
  if (!options.baselines || !stage.course.rubric.plain) return;
  for (const plain::CpuBaseline& baseline : stage.course.rubric.plain->cpu) {
    if (!options.wanted(baseline.name)) continue;
    for (const std::string& type : stage.types) {
      Candidate candidate{baseline.name, type, {}, {}};
      candidate.engine = Engine::host;
      candidate.way = baseline.threads ? kThreads : kOneCore;
      candidate.baseline = &baseline;
      candidates.push_back(std::move(candidate));
    }
  }
}

// Returns the contenders of a benchmark: the assignment's CPU baselines, then the student's versions.
std::vector<Candidate> candidates_of(const Stage& stage, const StageOptions& options) {
  std::vector<Candidate> candidates;
  add_baselines(stage, options, candidates);
  for (const judge::VersionRule& version : stage.course.rubric.versions) {
    if (!options.wanted(version.name)) continue;
    for (const std::string& type : stage.types) {
      for (const unsigned ranks : ranks_of(version)) {
        Candidate candidate{version.name, type, {}, {}};
        candidate.engine = version.host ? Engine::host : Engine::gpu;
        candidate.way = way_of(version, stage.course);
        candidate.ranks = ranks;
        candidates.push_back(std::move(candidate));
      }
    }
  }
  return candidates;
}

bool asks_for_host(const Stage& stage) {
  return std::ranges::any_of(stage.candidates,
                             [](const Candidate& candidate) { return candidate.engine == Engine::host; });
}

// Returns the reason why a student's version cannot run on this machine (too few MPI ranks or GPUs); empty if
// there is none.
std::string obstacle_to(const Candidate& candidate, const judge::VersionRule& version,
                        const judge::Course& course, const judge::Engines& engines,
                        const judge::Libraries& libraries) {
  // Without any GPU, the report says so once rather than per version.
  if (!version.host && !engines.has(Engine::gpu)) return {};
  if (!version.host && std::max(1U, candidate.ranks) > 1 && !engines.has_gpus(version.gpus))
    return fmt::format("not run: it needs {} GPUs, and this machine has {}", version.gpus,
                       engines.devices.at(Engine::gpu).count);
  if (candidate.ranks == 0) return {};
  if (!engines.mpi) return "not run: " + engines.no_mpi.message;
  if (!libraries.mpi_side().causes.empty())
    return "the library that starts MPI does not build: " + libraries.mpi_side().causes.front().message;
  if (version.host && candidate.ranks > course.cores)
    return fmt::format("not run: {} ranks need one core each, and this process may use {}", candidate.ranks,
                       course.cores);
  return {};
}

// Returns the path of the library that evicts the engine's caches; the error says why it does not build.
Result<std::filesystem::path> sweep_of(const judge::Libraries& libraries, Engine engine) {
  const build::Built& sweep = libraries.sweep(engine);
  if (!sweep.library.empty()) return sweep.library;
  const std::string why = "the library that sweeps the caches does not build";
  return fail(sweep.causes.empty() ? why : why + ": " + sweep.causes.front().message);
}

// Builds a baseline of the assignment. Throws AssignmentFault if it does not build.
Runner runner_of(const Candidate& candidate, const plain::Spec& spec, judge::CourseBuilder& builder,
                 const std::filesystem::path& folder) {
  const plain::CpuBaseline& baseline = *candidate.baseline;
  return {baseline.function, candidate.type,
          builder.library(folder / baseline.file, baseline.file, candidate.type, {baseline.function}, "-O3"),
          builder.adapter(plain::adapter_of(spec, false, ""), candidate.type)};
}

// Creates the object that times one of the student's MPI implementations in a worker with a given number of
// ranks.
LadderTimer crew_of(const judge::Installation& installation, const Candidate& candidate, Runner runner,
                    std::filesystem::path sweep, const judge::Engines& engines,
                    const judge::Libraries& libraries) {
  judge::WorkerShape shape;
  shape.ranks = std::make_shared<const judge::RankStart>(
      judge::RankStart{static_cast<int>(candidate.ranks), libraries.mpi_side().library, *engines.mpi});
  return {installation, std::move(sweep), {std::move(runner)}, kRequestLimit, candidate.engine, shape};
}

void build(const judge::Installation& installation, const StageOptions& options, const judge::Opened& opened,
           const judge::Engines& engines, Stage& stage) {
  const auto wanted = [&](const judge::VersionRule& version) { return options.wanted(version.name); };
  judge::Libraries libraries({installation, stage.course.rubric, opened.submission, engines, Engine::gpu,
                              options.cache, std::max(1U, std::thread::hardware_concurrency()), wanted, false,
                              options.progress});
  libraries.build();
  std::map<Engine, std::vector<Runner>> runners;
  const judge::Rubric& rubric = stage.course.rubric;
  judge::CourseBuilder course({installation, options.cache, rubric.home.folder});
  for (Candidate& candidate : stage.candidates) {
    if (candidate.baseline != nullptr) {
      if (!stage.no_host.empty()) continue;
      candidate.runner = runners[Engine::host].size();
      runners[Engine::host].push_back(runner_of(candidate, *rubric.plain, course, rubric.home.folder));
      continue;
    }
    const judge::SubmittedFile& file = opened.submission.files.at(candidate.version);
    candidate.obstacle = obstacle_to(candidate, *stage.course.rubric.find(candidate.version), stage.course,
                                     engines, libraries);
    if (!candidate.obstacle.empty()) continue;
    const judge::BuiltTypes built = libraries.version(candidate.engine, candidate.version);
    const auto library = built.versions.find(candidate.type);
    const auto& causes =
        !file.causes.empty() || library == built.versions.end() ? file.causes : library->second.causes;
    if (library == built.versions.end() || !causes.empty()) {
      candidate.obstacle = causes.empty() ? "not built" : std::string(name_of(causes.front().kind));
      continue;
    }
    Runner runner{candidate.version, candidate.type, library->second.library,
                  built.adapters.at(candidate.type)};
    if (candidate.ranks == 0) {
      candidate.runner = runners[candidate.engine].size();
      runners[candidate.engine].push_back(std::move(runner));
    } else if (const auto sweep = sweep_of(libraries, candidate.engine)) {
      candidate.runner = 0;
      candidate.crew = stage.crews.size();
      stage.crews.push_back(crew_of(installation, candidate, std::move(runner), *sweep, engines, libraries));
    } else {
      candidate.obstacle = sweep.error().message;
    }
  }
  const auto start = [&](Engine engine, std::optional<LadderTimer>& timer, std::string& obstacle) {
    if (!obstacle.empty()) return;
    auto sweep = sweep_of(libraries, engine);
    // A submission without C++ versions was built without the library that evicts the CPU's caches; the CPU
    // baselines need it.
    if (!sweep && engine == Engine::host && libraries.sweep(engine).causes.empty())
      sweep =
          course.library(installation.root / "harness/worker/sweep.cpp", "sweep.cpp", "", {"warpmark_sweep"});
    if (!sweep) {
      obstacle = sweep.error().message;
      return;
    }
    timer.emplace(installation, *sweep, std::move(runners[engine]), kRequestLimit, engine);
  };
  start(Engine::gpu, stage.timer, stage.no_gpu);
  if (asks_for_host(stage)) start(Engine::host, stage.host_timer, stage.no_host);
}

}  // namespace

std::uint64_t largest_input_bytes() {
  const std::string kilobytes = system_entry("/proc/meminfo", "MemAvailable");
  // Half of the free memory is for the input and its workspace (1/16 of the input), the rest for everything
  // else on the machine.
  return std::strtoull(kilobytes.c_str(), nullptr, 10) * 1024 / 2;
}

Result<Stage> set_stage(const judge::Installation& installation, const StageOptions& options) {
  auto opened =
      judge::open_submission(options.submission, options.assignment, "", installation, options.cache);
  if (!opened) return tl::unexpected(opened.error());
  Stage stage;
  stage.assignment = std::move(opened->assignment);
  stage.submission = opened->submission.name;
  stage.types = options.types;
  if (stage.types.empty()) stage.types.push_back(opened->rubric.types.front());
  for (const std::string& type : stage.types) {
    if (stage.assignment->data_classes(type).empty()) {
      return fail(fmt::format("--type {}: {} does not know it; the rubric grades {}", type,
                              opened->assignment_name, fmt::join(opened->rubric.types, ", ")));
    }
  }
  stage.course =
      judge::resolve(with_types(judge::rubric_for(opened->submission, opened->rubric), stage.types));
  stage.candidates = candidates_of(stage, options);

  stage.setting.date = fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(std::time(nullptr)));
  stage.setting.cpu = system_entry("/proc/cpuinfo", "model name");
  stage.setting.cpu_threads = std::thread::hardware_concurrency();
  const bool with_ranks =
      std::ranges::any_of(stage.candidates, [](const Candidate& candidate) { return candidate.ranks > 0; });
  const bool with_host = asks_for_host(stage) || with_ranks;
  judge::Engines engines = judge::find_engines(installation, judge::kEngineLimit, with_host);
  // Benchmarks use neither the simulator nor the sanitizers.
  for (const Engine engine : {Engine::simulator, Engine::thread_sanitizer, Engine::address_sanitizer})
    engines.toolchains.erase(engine);
  if (engines.has(Engine::gpu)) {
    const judge::Device& device = engines.devices.at(Engine::gpu);
    stage.setting.gpu = device.name;
    stage.setting.peak_gb_per_s = device.peak_gb_per_s;
    stage.peak_gflops = device.peak_gflops;
    stage.setting.driver = driver_version();
    stage.setting.compiler = engines.toolchains.at(Engine::gpu).description;
  } else {
    stage.no_gpu = engines.missing.at(Engine::gpu).message;
  }
  if (with_ranks) judge::look_for_mpi(engines);
  if (!with_host) {
    engines.toolchains.erase(Engine::host);
  } else if (!engines.has(Engine::host)) {
    stage.no_host = engines.missing.at(Engine::host).message;
  } else if (stage.setting.compiler.empty()) {
    stage.setting.compiler = engines.toolchains.at(Engine::host).description;
  }
  if (engines.toolchains.empty()) return stage;
  build(installation, options, *opened, engines, stage);
  return stage;
}

}  // namespace warpmark::bench

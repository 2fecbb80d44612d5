#include "harness/doctor/trials.h"

#include <exception>
#include <functional>
#include <future>
#include <memory>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "harness/doctor/parse.h"
#include "harness/judge/workers/libraries.h"
#include "harness/judge/workers/mpi.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/program_analysis/program_run.h"

namespace warpmark::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kRunLimit{30};
constexpr std::size_t kMemory = std::size_t{4} << 30;
constexpr std::size_t kOutput = 65536;
constexpr int kRanks = 2;
constexpr int kWrongAnswer = 3;  // exit status by which the trial kernels report a wrong result

constexpr const char* kKernelProgram = R"(__global__ void add_one(int* value) { *value += 1; }
int main() {
  int* value = nullptr;
  int there = 41;
  cudaMalloc(&value, sizeof there);
  cudaMemcpy(value, &there, sizeof there, cudaMemcpyHostToDevice);
  add_one<<<1, 1>>>(value);
  cudaMemcpy(&there, value, sizeof there, cudaMemcpyDeviceToHost);
  cudaFree(value);
  return there == 42 ? 0 : 3;
}
)";
constexpr const char* kThrustProgram = R"(#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
int main() {
  thrust::device_vector<int> values(1000, 2);
  values[7] = 1;
  thrust::sort(values.begin(), values.end());
  return values[0] == 1 && thrust::reduce(values.begin(), values.end()) == 1999 ? 0 : 3;
}
)";

std::string told(const Cause& cause) {
  if (cause.file.empty()) return first_line(cause.message);
  if (cause.line == 0) return fmt::format("{}: {}", cause.file, first_line(cause.message));
  return fmt::format("{}:{}: {}", cause.file, cause.line, first_line(cause.message));
}

std::string how_it_ended(const program_analysis::ProgramRun& run) {
  if (run.stopped != program_analysis::Stopped::by_itself)
    return "the program was stopped: it exceeded the limit on time or memory";
  if (run.status() == kWrongAnswer) return "the program ran, but its result is wrong";
  if (run.status() != 0) return fmt::format("the program ended with status {}", run.status());
  if (!run.journal.findings.empty()) return first_line(run.journal.findings.front().message);
  return {};
}

build::Settings settings_of(const judge::Installation& installation, const fs::path& cache) {
  build::Settings settings;
  settings.cache = cache;
  settings.simulator_include = installation.simulator_headers();
  settings.simulator_library = installation.libraries / "libwarpmark_cudart.so";
  settings.sandbox = installation.sandbox;
  return settings;
}

// Builds one trial CUDA program and runs it once on the simulator. Returns the error message, or an empty
// string on success.
std::string run_on_simulator(const judge::Installation& installation, const build::Builder& builder,
                             const std::string& name, const char* text) {
  const TemporaryFolder folder;
  build::Request request;
  request.source = folder.path() / name;
  request.display_name = name;
  if (const auto written = write_file(request.source, text); !written) return written.error().message;
  const fs::path program = folder.path() / "program";
  const auto built = builder.build_program({request}, program);
  if (!built) return built.error().message;
  if (!built->causes.empty()) return told(built->causes.front());
  program_analysis::RunCommand command;
  command.program = program;
  command.device = installation.device();
  command.folder = folder.path() / "run";
  command.working = folder.path();
  command.input = "/dev/null";
  command.limits = {sandbox::Clock::now() + kRunLimit, kMemory, kOutput, UINT64_MAX};
  fs::create_directory(command.folder);
  const auto run = program_analysis::run_program(command);
  return run ? how_it_ended(*run) : run.error().message;
}

// Starts a worker process with two MPI ranks, which replies once both have started MPI. Returns the error, or
// an empty string.
std::string start_ranks(const judge::Installation& installation, const build::Builder& builder,
                        const judge::Mpi& mpi) {
  const auto side = builder.build(judge::request_of_mpi_side(installation, mpi));
  if (!side) return side.error().message;
  if (!side->causes.empty()) return told(side->causes.front());
  judge::WorkerShape shape;
  shape.ranks = std::make_shared<const judge::RankStart>(judge::RankStart{kRanks, side->library, mpi});
  const auto worker = judge::WorkerClient::start(installation, Engine::host, false, kRunLimit, shape);
  if (worker) return {};
  const std::string printed = first_line(worker.error().printed);
  return printed.empty() ? told(worker.error()) : printed;
}

}  // namespace

void try_out(Facts& facts, const judge::Engines& engines, const judge::Installation& installation,
             const fs::path& cache) {
  const build::Settings settings = settings_of(installation, cache);
  std::vector<std::future<void>> trials;
  const auto begin = [&](Trial& trial, std::function<std::string()> work) {
    trials.push_back(std::async(std::launch::async, [&trial, work = std::move(work)] {
      try {
        trial = {true, work()};
      } catch (const std::exception& error) {
        trial = {true, error.what()};
      }
    }));
  };
  if (engines.has(Engine::simulator)) {
    const build::Builder builder(engines.toolchains.at(Engine::simulator), settings);
    begin(facts.kernel, [=] { return run_on_simulator(installation, builder, "kernel.cu", kKernelProgram); });
    if (facts.thrust_headers)
      begin(facts.thrust,
            [=] { return run_on_simulator(installation, builder, "thrust.cu", kThrustProgram); });
  }
  if (const auto mpi = judge::find_mpi()) {
    facts.mpi = mpi->description;
    if (engines.has(Engine::host)) {
      const build::Builder builder(engines.toolchains.at(Engine::host), settings);
      begin(facts.ranks, [=, mpi = *mpi] { return start_ranks(installation, builder, mpi); });
    }
  } else {
    facts.no_mpi = mpi.error().message;
  }
  for (std::future<void>& trial : trials) trial.get();
}

}  // namespace warpmark::doctor

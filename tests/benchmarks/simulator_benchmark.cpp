// Nanoseconds an element of a reduction, at both levels, with and without a look at every access.
//   build/tests/simulator_benchmark
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "harness/build/clang_flags.h"
#include "harness/simulator/device/launch/launch.h"

#ifndef NDEBUG
#error "a Debug build measures nothing: configure with the preset release"
#endif

namespace {

using namespace warpmark::simulator;
namespace fs = std::filesystem;

constexpr std::size_t kValues = std::size_t{16} << 20;

std::string compiled(Level level) {
  const fs::path ptx =
      fs::temp_directory_path() / fmt::format("simulator_benchmark.{}.ptx", static_cast<int>(level));
  std::string command = WARPMARK_TEST_CLANG;
  for (const auto& flag : device_flags(level)) command += " '" + flag + "'";
  command += " -I'" WARPMARK_TEST_INCLUDE "' '" WARPMARK_TEST_KERNELS "' -o '" + ptx.string() + "'";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("clang failed: " + command);
  std::ifstream text(ptx);
  return {std::istreambuf_iterator<char>(text), {}};
}

struct Workload {
  const char* kernel;
  std::uint32_t blocks;
};

void reduce(benchmark::State& state, const Workload& workload, Level level, LaunchOptions options) {
  DeviceMemory memory;
  auto module = LoadedModule::load(compiled(level), memory);
  if (!module) return state.SkipWithError(module.error().c_str());
  const Address values = memory.allocate(kValues * sizeof(int), Allocation::Kind::device).value();
  const Address partial = memory.allocate(workload.blocks * sizeof(int), Allocation::Kind::device).value();
  memory.written_by_host(values, kValues * sizeof(int));
  const std::uint64_t n = kValues;
  const std::array<const void*, 3> arguments{&values, &partial, &n};
  const LaunchParameters launch{.kernel = (*module)->find(workload.kernel),
                                .grid = {workload.blocks},
                                .block = {256},
                                .arguments = arguments.data()};
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {  // NOLINT(clang-analyzer-deadcode.DeadStores): as the library wants it
    const Outcome outcome = run(launch, options, memory);
    if (!outcome.completed || !outcome.findings.empty()) state.SkipWithError("a finding");
  }
  const std::chrono::duration<double, std::nano> all = std::chrono::steady_clock::now() - start;
  state.SetLabel(fmt::format("{:.2f} ns an element", all.count() / static_cast<double>(state.iterations()) /
                                                         static_cast<double>(kValues)));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const Workload workload : {Workload{"tree", kValues / 256}, Workload{"shuffle", 128}}) {
    for (const Level level : {Level::counting, Level::checking}) {
      for (const bool check : {false, true}) {
        for (const unsigned threads : {1, 2}) {
          const std::string name =
              fmt::format("{}/{}/{}/{} host threads", workload.kernel, level == Level::counting ? "O2" : "O0",
                          check ? "checked" : "unchecked", threads);
          benchmark::RegisterBenchmark(name.c_str(),
                                       [=](benchmark::State& state) {
                                         reduce(state, workload, level,
                                                {.host_threads = threads, .check_accesses = check});
                                       })
              ->Unit(benchmark::kMillisecond)
              ->UseRealTime()
              ->MeasureProcessCPUTime();
        }
      }
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

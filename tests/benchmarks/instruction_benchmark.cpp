// Nanoseconds of processor time a thread instruction of the kinds of kernel in kinds.cu: at both levels,
// every access looked at, on one host thread; then the same on two, by the clock on the wall; then what a
// launch costs.
//   build/tests/instruction_benchmark [kernel...]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "harness/build/clang_flags.h"
#include "harness/simulator/device/launch/launch.h"

#ifndef NDEBUG
#error "a Debug build measures nothing: configure with the preset release"
#endif

namespace {

using namespace warpmark::simulator;
namespace fs = std::filesystem;

constexpr std::uint32_t kSide = 128;
constexpr std::uint32_t kValues = 1 << 18;
constexpr std::uint32_t kTile = 16;
constexpr int kRuns = 3;    // the fastest counts
constexpr int kLonger = 5;  // launches of what is fast

struct Kind {
  const char* kernel;
  Dim3 grid;
  Dim3 block;
  std::uint32_t n;
};
constexpr std::array kKinds{
    Kind{"vector_add", {kValues / 256}, {256}, kValues},
    Kind{"one_thread", {1}, {1}, 1 << 14},
    Kind{"stencil", {kValues / 256}, {256}, kValues},
    Kind{"multiply", {kSide / kTile, kSide / kTile}, {kTile, kTile}, kSide},
    Kind{"multiply_tiled", {kSide / kTile, kSide / kTile}, {kTile, kTile}, kSide},
    Kind{"transpose", {32, 32}, {kTile, kTile}, 512},
    Kind{"histogram", {64}, {256}, kValues},
    Kind{"mandelbrot", {256}, {256}, 1 << 16},
    Kind{"gather", {kValues / 256}, {256}, kValues},
    Kind{"reduce", {64}, {256}, kValues},
    Kind{"bodies", {8}, {256}, 2048},
    Kind{"blur", {32, 32}, {kTile, kTile}, 512},
    Kind{"copy_vectors", {kValues / 1024}, {256}, kValues},
};

std::string compiled(Level level) {
  const fs::path ptx =
      fs::temp_directory_path() / fmt::format("instruction_benchmark.{}.ptx", static_cast<int>(level));
  std::string command = WARPMARK_TEST_CLANG;
  for (const auto& flag : device_flags(level)) command += " '" + flag + "'";
  command += " -I'" WARPMARK_TEST_INCLUDE "' '" WARPMARK_TEST_KINDS "' -o '" + ptx.string() + "'";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("clang failed: " + command);
  std::ifstream text(ptx);
  return {std::istreambuf_iterator<char>(text), {}};
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Costs {
  double processor = 0;  // seconds, the least of several runs
  double wall = 0;
};

// A device with the two arrays, and the kernels of one level.
class Bench {
 public:
  explicit Bench(Level level) {
    auto loaded = LoadedModule::load(compiled(level), memory_);
    if (!loaded) throw std::runtime_error(loaded.error());
    module_ = std::move(*loaded);
    for (Address* array : {&in_, &out_}) {
      *array = memory_.allocate(kValues * sizeof(float), Allocation::Kind::device).value();
      auto* values = reinterpret_cast<float*>(memory_.host_view(*array, kValues * sizeof(float)));
      for (std::uint32_t i = 0; i < kValues; ++i) values[i] = static_cast<float>(i * 2654435761U >> 16);
      memory_.written_by_host(*array, kValues * sizeof(float));
    }
  }

  Outcome run_once(const Kind& kind, const LaunchOptions& options) {
    const std::array<const void*, 3> arguments{&in_, &out_, &kind.n};
    Outcome outcome = run({.kernel = module_->find(kind.kernel),
                           .grid = kind.grid,
                           .block = kind.block,
                           .arguments = arguments.data()},
                          options, memory_);
    if (!outcome.completed || !outcome.findings.empty())
      throw std::runtime_error(fmt::format("{} has a finding", kind.kernel));
    return outcome;
  }
  double thread_instructions(const Kind& kind) {
    const Outcome outcome = run_once(kind, {.host_threads = 1, .count_work = true});
    return static_cast<double>(outcome.work->total.active_lanes);
  }
  Costs costs(const Kind& kind, const LaunchOptions& options, int launches = 1) {
    Costs least{1e9, 1e9};
    for (int i = 0; i < kRuns; ++i) {
      const double before = processor_seconds();
      const auto start = std::chrono::steady_clock::now();
      for (int k = 0; k < launches; ++k) run_once(kind, options);
      const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
      least = {std::min(least.processor, processor_seconds() - before), std::min(least.wall, wall.count())};
    }
    return least;
  }

 private:
  DeviceMemory memory_;
  std::unique_ptr<LoadedModule> module_;
  Address in_ = 0;
  Address out_ = 0;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const auto is_wanted = [&](const Kind& kind) {
    return wanted.empty() || std::ranges::find(wanted, kind.kernel) != wanted.end();
  };
  Bench checking(Level::checking);
  Bench counting(Level::counting);
  fmt::print("{:16}{:>12}{:>12}{:>12}{:>12}{:>12}   ns of processor time a thread instruction\n", "kernel",
             "O0 checked", "O2 checked", "O2 counted", "O2 alone", "O2 native");
  std::vector<double> all;
  for (const Kind& kind : kKinds) {
    if (!is_wanted(kind)) continue;
    const double at_checking = checking.thread_instructions(kind);
    const double at_counting = counting.thread_instructions(kind);
    const LaunchOptions checks{.host_threads = 1, .check_accesses = true};
    const LaunchOptions counts{.host_threads = 1, .count_work = true};
    const LaunchOptions alone{.host_threads = 1, .native = false};  // nobody looks on
    const LaunchOptions native{.host_threads = 1};
    const double ns[]{1e9 * checking.costs(kind, checks).processor / at_checking,
                      1e9 * counting.costs(kind, checks).processor / at_counting,
                      1e9 * counting.costs(kind, counts).processor / at_counting,
                      1e9 * counting.costs(kind, alone, kLonger).processor / kLonger / at_counting,
                      1e9 * counting.costs(kind, native, kLonger).processor / kLonger / at_counting};
    all.push_back(ns[0]);
    fmt::print("{:16}{:12.3f}{:12.3f}{:12.3f}{:12.3f}{:12.3f}\n", kind.kernel, ns[0], ns[1], ns[2], ns[3],
               ns[4]);
  }
  if (all.empty()) return 1;
  fmt::print("{:16}{:12.3f}\n", "median", median(all));
  const Kind launched{"vector_add", {2}, {128}, 256};
  constexpr int kLaunches = 1000;
  const LaunchOptions checks{.host_threads = 1, .check_accesses = true};
  fmt::print("a launch of two small blocks: {:.2f} us\n",
             1e6 * checking.costs(launched, checks, kLaunches).processor / kLaunches);
  for (const std::size_t which : {2U, 3U}) {
    const Kind& many = kKinds[which];
    const auto two_of = [&](const char* how, Bench& bench, LaunchOptions options, int launches) {
      options.host_threads = 1;
      const Costs one = bench.costs(many, options, launches);
      options.host_threads = 2;
      const Costs two = bench.costs(many, options, launches);
      fmt::print(
          "{} {} on two host threads: {:.2f} times as fast by the clock, {:.2f} times the processor time\n",
          many.kernel, how, one.wall / two.wall, two.processor / one.processor);
    };
    two_of("checked", checking, {.check_accesses = true}, 1);
    two_of("native", counting, {}, 4 * kLonger);
  }
  return 0;
}

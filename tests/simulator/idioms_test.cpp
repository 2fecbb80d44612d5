// Right ways of working together over memory stay without a complaint, 200 runs each: several schedules,
// several host threads, and a machine that has other things to do.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <regex>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/build/clang_flags.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kIdiomBlocks = 12;
constexpr std::uint32_t kIdiomThreads = 64;
constexpr unsigned kRuns = 200;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Empty when there is no clang.
std::string compiled() {
  if (std::string(WARPMARK_TEST_CLANG).empty()) return {};
  const fs::path ptx = fs::path(testing::TempDir()) / fmt::format("idioms.{}.ptx", getpid());
  std::string command = WARPMARK_TEST_CLANG;
  for (const auto& flag : device_flags(Level::checking)) command += " '" + flag + "'";
  command += " -I'" WARPMARK_TEST_INCLUDE "' '" WARPMARK_TEST_IDIOMS "' -o '" + ptx.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::string text = text_of(ptx);
  fs::remove(ptx);
  return text;
}

const std::string& code() {
  static const std::string ptx = compiled();
  return ptx;
}

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  const std::string source = text_of(WARPMARK_TEST_IDIOMS);
  const std::regex kernel(R"(__global__ void (\w+)\(const int\* values, int\* sum, int\*)");
  for (auto at = std::sregex_iterator(source.begin(), source.end(), kernel); at != std::sregex_iterator();
       ++at)
    names.push_back((*at)[1]);
  return names;
}

// Takes a processor away for a while, again and again.
class Load {
 public:
  Load()
      : thread_([this] {
          while (!over_) {
            for (int k = 0; k < 100000; ++k) {
              std::atomic_signal_fence(std::memory_order_seq_cst);
            }
            std::this_thread::yield();
          }
        }) {}
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() {
    over_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

class Idioms : public testing::TestWithParam<std::string> {};

TEST_P(Idioms, stay_without_a_complaint_in_every_run) {
  const std::string& ptx = code();
  if (ptx.empty()) GTEST_SKIP() << "no clang to compile the kernels with";
  const std::string mangled = fmt::format("_Z{}{}PKiPiS1_", GetParam().size(), GetParam());
  const std::vector<int> values = counting(std::size_t{kIdiomBlocks} * kIdiomThreads, 1);
  const int wanted = std::accumulate(values.begin(), values.end(), 0);
  SimulatedDevice device;
  device.load(ptx);
  const Address input = device.upload(values);
  const Load load;
  for (unsigned run = 0; run < kRuns; ++run) {
    const Address sum = device.upload(std::vector<int>{0});
    const Address partial = device.allocate(kIdiomBlocks * sizeof(int));
    const LaunchOptions options{.schedule = run % 5, .host_threads = 1 + run % 4, .check_accesses = true};
    const Outcome outcome = device.launch({.grid = {kIdiomBlocks}, .block = {kIdiomThreads}},
                                          {input, sum, partial}, options, mangled.c_str());
    for (const Finding& finding : outcome.findings) {
      EXPECT_EQ(rule_of(finding.kind).severity, Severity::note)
          << "run " << run << ", line " << finding.line << ": " << finding.message;
    }
    EXPECT_EQ(device.download<int>(sum, 1), std::vector<int>{wanted}) << "run " << run;
    ASSERT_FALSE(HasFailure());
    device.memory.release(sum);
    device.memory.release(partial);
  }
}

struct Name {
  const char* kernel;
  std::vector<std::string> words;
};
class Named : public testing::TestWithParam<Name> {};

// Arrays by the names of parameters, and code of a function with the line that called it.
TEST_P(Named, as_the_kernel_names_it) {
  if (code().empty()) GTEST_SKIP() << "no clang to compile the kernels with";
  SimulatedDevice device;
  device.load(code());
  const std::string kernel = GetParam().kernel;
  const Kernel* found = device.module->find(fmt::format("_Z{}{}PKiPi4Work", kernel.size(), kernel));
  ASSERT_NE(found, nullptr);
  const Address values = device.upload(counting(64));
  const Address sum = device.upload(std::vector<int>{0});
  struct {
    std::uint64_t bytes;
    Address data;
  } work{.bytes = 8, .data = device.allocate(8)};
  const std::array<const void*, 3> arguments{&values, &sum, &work};
  const Outcome outcome = run({.kernel = found, .grid = {1}, .block = {64}, .arguments = arguments.data()},
                              {.host_threads = 1, .check_accesses = true}, device.memory);
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].kind, CauseKind::race);
  for (const std::string& word : GetParam().words)
    EXPECT_THAT(outcome.findings[0].message, testing::HasSubstr(word));
}

// The line of a kernel in the file.
std::string line_of(const std::string& text) {
  const std::string source = text_of(WARPMARK_TEST_IDIOMS);
  const std::size_t at = source.find(text);
  return std::to_string(1 +
                        std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

INSTANTIATE_TEST_SUITE_P(
    , Named,
    testing::Values(
        Name{"inlined", {"sum[0]", "atomicAdd", "called from idioms.cu:" + line_of("void inlined(")}},
        Name{"called", {"sum[0]", "atomicAdd", "called from idioms.cu:" + line_of("void called(")}},
        Name{"member", {"work.data[1]", "let one thread store"}}),
    [](const auto& entry) { return std::string(entry.param.kernel); });

INSTANTIATE_TEST_SUITE_P(, Idioms, testing::ValuesIn(kernels()),
                         [](const auto& entry) { return entry.param; });

}  // namespace
}  // namespace warpmark::simulator::test

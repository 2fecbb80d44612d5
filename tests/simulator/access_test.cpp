// Races, stores to one word, reads of what nobody wrote: each rule by a kernel that breaks it and by one that
// is like it and right (accesses.cu).
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/simulator/front_end.h"
#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kBlocks = 4;
constexpr std::uint32_t kThreads = 128;
constexpr std::size_t kValues = 4096;

std::string read_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Empty when there is no clang.
std::string compiled(Level level) {
  if (std::string(WARPMARK_TEST_CLANG).empty()) return {};
  const fs::path ptx = fs::path(testing::TempDir()) /
                       fmt::format("accesses.{}.{}.ptx", getpid(), level == Level::checking ? 0 : 2);
  std::string command = WARPMARK_TEST_CLANG;
  for (const auto& flag : device_flags(level)) command += " '" + flag + "'";
  command += " -I'" WARPMARK_TEST_INCLUDE "' '" WARPMARK_TEST_KERNELS "' -o '" + ptx.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::string text = read_text(ptx);
  fs::remove(ptx);
  return text;
}

const std::string& ptx_of(Level level) {
  static const std::string checking = compiled(Level::checking);
  static const std::string counting = compiled(Level::counting);
  return level == Level::checking ? checking : counting;
}

// What accesses.cu says of a kernel.
struct Expected {
  std::string name, kind;
  int line = 0, other_line = 0;
};

std::vector<Expected> expectations() {
  std::ifstream source(WARPMARK_TEST_KERNELS);
  std::vector<Expected> all;
  const std::regex kernel(
      R"(__global__ void ((clean|race|warp_synchronous|same_word_store|uninitialised_read|out_of_bounds)_\w+)\()");
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, kernel)) all.push_back({match[1], match[2]});
    const auto mark = line.rfind("// ");
    if (all.empty() || mark == std::string::npos) continue;
    if (line.find("here", mark) == mark + 3) all.back().line = number;
    if (line.find("there", mark) != std::string::npos) all.back().other_line = number;
  }
  return all;
}

using Found = std::set<std::tuple<std::string, int, int>>;

std::ostream& operator<<(std::ostream& out, const Expected& expected) {
  return out << expected.name;
}

class Accesses : public testing::TestWithParam<std::tuple<Expected, Level>> {
 protected:
  void SetUp() override {
    if (ptx_of(level()).empty()) GTEST_SKIP() << "no clang to compile the kernels with";
  }
  [[nodiscard]] const Expected& expected() const { return std::get<0>(GetParam()); }
  [[nodiscard]] Level level() const { return std::get<1>(GetParam()); }

  Found found(const LaunchOptions& options) {
    SimulatedDevice device;
    device.load(ptx_of(level()));
    const Address data = device.upload(counting(kValues));
    const Address out = device.allocate(kValues * sizeof(int));
    // A second launch is not disturbed by what the first left behind, but for what it wrote.
    const std::string mangled = fmt::format("_Z{}{}PiS_", expected().name.size(), expected().name);
    const Outcome outcome =
        device.launch({.grid = {kBlocks}, .block = {kThreads}}, {data, out}, options, mangled.c_str());
    Found all;
    messages.clear();
    for (const Finding& finding : outcome.findings) {
      if (finding.kind == Finding::Kind::early_exit) continue;
      all.emplace(name_of(finding.kind), finding.line, finding.other_line);
      messages += finding.message + "\n";
    }
    return all;
  }
  std::string messages;
};

TEST_P(Accesses, AreJudged) {
  Found wanted;
  if (expected().kind != "clean") wanted.emplace(expected().kind, expected().line, expected().other_line);
  for (const std::uint64_t schedule : {0, 1, 2}) {
    for (const unsigned host_threads : {1, 2}) {
      const Found seen = found({.schedule = schedule, .host_threads = host_threads, .check_accesses = true});
      EXPECT_EQ(seen, wanted) << "schedule " << schedule << ", " << host_threads << " host threads\n"
                              << messages;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Accesses,
                         testing::Combine(testing::ValuesIn(expectations()),
                                          testing::Values(Level::checking, Level::counting)),
                         [](const auto& entry) {
                           return std::get<0>(entry.param).name +
                                  (std::get<1>(entry.param) == Level::checking ? "_O0" : "_O2");
                         });

}  // namespace
}  // namespace warpmark::simulator::test

// The corpus on the simulator: its counters are those of a chip, whichever clang compiled it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/base/counters.h"
#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "harness/sandbox/process.h"
#include "tests/simulator/simulator_control.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using Counts = std::map<std::string, double>;  // by the counter's name
using Corpus = std::map<std::string, Counts>;  // by case

// The callback of run_corpus() is a plain function.
Corpus* running = nullptr;

void launched(const char* name, const char* kernel) {
  const auto drained = nlohmann::json::parse(simulator_control().drain());
  if (!drained.at("findings").empty()) fmt::print("{} {}\n", name, drained.at("findings").dump());
  ASSERT_EQ(drained.at("launches").size(), 1U) << name;
  const auto& launch = drained.at("launches").at(0);
  EXPECT_EQ(launch.at("kernel"), kernel);
  (*running)[name] = launch.at("work").at("counters").get<Counts>();
}

// Builds the corpus with a compiler and runs its -O2 code.
Corpus run(const build::Toolchain& toolchain) {
  build::Settings settings;
  settings.cache = WARPMARK_TEST_CACHE;
  settings.simulator_include = WARPMARK_TEST_INCLUDE;
  settings.simulator_library = WARPMARK_TEST_RUNTIME;
  build::Request request;
  request.source = fs::path(WARPMARK_TEST_CORPUS) / "corpus.cu";
  request.display_name = "corpus.cu";
  const auto built = build::Builder(toolchain, settings).build(request);
  if (!built) throw std::runtime_error(built.error().message);
  for (const Cause& cause : built->causes) throw std::runtime_error(cause.message + cause.details);
  void* library = ::dlopen(built->library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(::dlerror());
  auto* run_corpus =
      reinterpret_cast<void (*)(void (*)(const char*, const char*))>(::dlsym(library, "run_corpus"));
  const WarpmarkSimulatorOptions options{.checking = 0,
                                         .schedule = 0,
                                         .instruction_budget = 0,
                                         .host_threads = 1,
                                         .check_accesses = 0,
                                         .count_work = 1,
                                         .keep_costly = 0,
                                         .work_limit = 0,
                                         .time_limit = 0,
                                         .devices = 0};
  simulator_control().configure(&options);
  Corpus corpus;
  running = &corpus;
  simulator_control().drain();
  run_corpus(launched);
  running = nullptr;
  return corpus;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
  return fields;
}

// readings.csv as read_counters writes it: a comment, a header, a row a case.
Corpus readings() {
  std::istringstream text(read_file(fs::path(WARPMARK_TEST_CORPUS) / "readings.csv").value());
  std::vector<std::string> names;
  Corpus corpus;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("#")) continue;
    const auto fields = fields_of(line);
    if (names.empty()) {
      names = fields;
      continue;
    }
    for (std::size_t i = 1; i < names.size(); ++i) corpus[fields.at(0)][names[i]] = std::stod(fields.at(i));
  }
  return corpus;
}

bool is_one_of(std::string_view counter, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), counter) != names.end();
}

// What compilers decide: how many instructions and branches there are, and whether a warp skips an access or
// executes it for no lane. Shown, never graded; compared where nvcc and clang chose the same.
bool belongs_to_the_compiler(std::string_view counter) {
  namespace n = counter;
  return is_one_of(counter, {n::kInstructions, n::kActiveLanes, n::kDivergentBranches});
}

// Loads from shared memory wait for each other: the chip counts up to 2 % more passes.
bool is_arbitrated(std::string_view counter) {
  return is_one_of(counter, {counter::kLoadWavefronts, counter::kLoadConflicts});
}

// Every other difference, by the case (all of a kernel's with a final '.') and a part of the counter's name.
struct Deviation {
  std::string_view of;
  std::string_view counter;
  std::string_view why;
};
constexpr std::string_view kPredicated =
    "nvcc executes the access for warps without an active lane, where clang branches around it";
constexpr std::string_view kUnrolled =
    "nvcc unrolls the loop and lets the lanes of the last warp leave it one turn apart";
constexpr std::string_view kWidened = "nvcc loads four neighbours in one access of 16 bytes";
constexpr Deviation kDeviations[] = {
    {"store_shared_4.nobody", "inst_executed_op_shared_st", kPredicated},
    {"store_shared_8.nobody", "inst_executed_op_shared_st", kPredicated},
    {"store_shared_16.nobody", "inst_executed_op_shared_st", kPredicated},
    {"tree_modulo.", "inst_executed_op_shared", kPredicated},
    {"tree_strided.", "inst_executed_op_shared", kPredicated},
    {"tree_sequential.", "inst_executed_op_shared", kPredicated},
    {"tree_of_doubles.", "inst_executed_op_shared", kPredicated},
    {"copy_grid_stride.with_a_tail", "mem_global_op", kUnrolled},
    {"matrix_product.64", "inst_executed_op_shared_ld", kWidened},
    {"matrix_product.64", "wavefronts_mem_shared_op_ld", kWidened},
};

const Deviation* deviation_of(std::string_view name, std::string_view counter) {
  for (const Deviation& each : kDeviations) {
    const bool all = each.of.ends_with('.');
    if ((all ? name.starts_with(each.of) : name == each.of) &&
        counter.find(each.counter) != std::string_view::npos)
      return &each;
  }
  return nullptr;
}

class CorpusTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto toolchain = build::find_toolchain(Engine::simulator);
    if (!toolchain) return;
    toolchain_in_use = *toolchain;
    simulated = run(*toolchain);
  }
  void SetUp() override {
    if (!toolchain_in_use) GTEST_SKIP() << "not run: there is no clang";
  }

  inline static std::optional<build::Toolchain> toolchain_in_use;
  inline static Corpus simulated;
};

TEST_F(CorpusTest, has_the_cases_that_the_chip_ran) {
  const Corpus chip = readings();
  EXPECT_GT(chip.size(), 1000U);
  for (const auto& [name, counts] : simulated) EXPECT_TRUE(chip.contains(name)) << name;
  for (const auto& [name, counts] : chip) EXPECT_TRUE(simulated.contains(name)) << name;
}

TEST_F(CorpusTest, counts_memory_as_the_chip_does) {
  std::size_t exact = 0;
  std::size_t close = 0;
  for (const auto& [name, counts] : readings()) {
    for (const auto& [counter, read] : counts) {
      if (belongs_to_the_compiler(counter) || deviation_of(name, counter) != nullptr) continue;
      const double ours = simulated.at(name).at(counter);
      if (ours == read) {
        ++exact;
      } else if (is_arbitrated(counter) && ours < read && read <= ours * 1.02) {
        ++close;
      } else {
        ADD_FAILURE() << fmt::format("{}: {} is {}, on the chip {}", name, counter, ours, read);
      }
    }
  }
  fmt::print("{} counters as on the chip, {} within 2 %\n", exact, close);
  EXPECT_GT(exact, 10000U);
}

TEST_F(CorpusTest, every_deviation_that_is_listed_is_there) {
  std::set<const Deviation*> seen;
  for (const auto& [name, counts] : readings()) {
    for (const auto& [counter, read] : counts) {
      const Deviation* listed = deviation_of(name, counter);
      if (listed != nullptr && simulated.at(name).at(counter) != read) seen.insert(listed);
    }
  }
  for (const Deviation& each : kDeviations) {
    EXPECT_TRUE(seen.contains(&each)) << fmt::format("{} {}: {}", each.of, each.counter, each.why);
  }
}

// Where both compilers branch: each time that a warp parts counts once, also when one side is empty.
TEST_F(CorpusTest, counts_divergent_branches_as_the_chip_does) {
  const Corpus chip = readings();
  for (const char* name : {"two_ways.8", "stencil.whole", "copy_grid_stride.with_a_tail", "copy.whole"}) {
    const std::string counter(counter::kDivergentBranches);
    EXPECT_EQ(simulated.at(name).at(counter), chip.at(name).at(counter)) << name;
  }
}

TEST_F(CorpusTest, counts_active_lanes_as_the_chip_does_where_all_is_one_warp_wide) {
  const Corpus chip = readings();
  for (const char* name : {"copy.whole", "copy.blocks_of_48", "copy.blocks_of_1", "transpose_padded.256"}) {
    const std::string counter(counter::kActiveLanes);
    EXPECT_EQ(simulated.at(name).at(counter), chip.at(name).at(counter)) << name;
  }
}

// Another clang than the one that grading would take.
std::optional<build::Toolchain> newer_clang(const build::Toolchain& used) {
  for (int version = 22; version > 14; --version) {
    const auto path = sandbox::find_program(fmt::format("clang++-{}", version));
    if (!path) continue;
    ::setenv("WARPMARK_CLANG", path->c_str(), 1);
    const auto found = build::find_toolchain(Engine::simulator);
    ::unsetenv("WARPMARK_CLANG");
    if (found && found->description != used.description) return *found;
  }
  return std::nullopt;
}

TEST_F(CorpusTest, another_clang_gives_the_same_memory_counters) {
  const auto other = newer_clang(*toolchain_in_use);
  if (!other) GTEST_SKIP() << "not run: only one clang (" << toolchain_in_use->description << ")";
  const Corpus again = run(*other);
  ASSERT_EQ(again.size(), simulated.size());
  for (const auto& [name, counts] : simulated) {
    for (const auto& [counter, ours] : counts) {
      if (belongs_to_the_compiler(counter)) continue;
      EXPECT_EQ(again.at(name).at(counter), ours) << name << " " << counter << " with " << other->description;
    }
  }
}

}  // namespace
}  // namespace warpmark

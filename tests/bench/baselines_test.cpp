// The versions on the CPU that assignments bring along give the right answers.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/bench/stage.h"
#include "tests/assignment_called.h"

namespace warpmark::bench {
namespace {

constexpr std::uint64_t kMostValues = 70'000;  // of the sizes that are tried

std::vector<std::string> with_baselines() {
  std::vector<std::string> names;
  const auto homes = all_assignments(WARPMARK_ROOT);
  if (!homes) throw std::runtime_error(homes.error().message);
  for (const AssignmentHome& home : *homes) {
    const auto rubric = judge::read_rubric(home);
    if (!rubric) throw std::runtime_error(rubric.error().message);
    if (rubric->plain && !rubric->plain->cpu.empty()) names.push_back(home.name);
  }
  return names;
}

class Baselines : public testing::TestWithParam<std::string> {
 protected:
  // The baselines alone, without any version.
  [[nodiscard]] Result<Stage> stage(const std::vector<std::string>& types) const {
    const auto baseline = [](const std::string& name) { return name.starts_with("cpu_"); };
    return set_stage(installation, {GetParam(), home_of(GetParam()).reference, baseline, types, true,
                                    WARPMARK_CACHE, [](const auto&) {}});
  }

  // Times the baselines at one input three times, which changes it, and returns what was wrong.
  static std::string wrong_at(Stage& stage, const Case& which) {
    Input input(*stage.assignment, which, Engine::host);
    std::string wrong;
    if (const auto put = stage.host_timer->put(input); !put) return put.error().message;
    for (const Candidate& candidate : stage.candidates) {
      if (candidate.type != which.type) continue;
      for (int call = 0; call < 3; ++call) {
        const auto time = stage.host_timer->time(candidate.runner.value());
        if (!time)
          wrong += fmt::format("{} {} {} {}: {}; ", candidate.version, which.type, which.data,
                               to_text(which.sizes()), time.error().message);
      }
    }
    return wrong;
  }

  judge::Installation installation{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
};

TEST_P(Baselines, are_right_at_all_sizes_types_and_classes_of_data) {
  const auto rubric = judge::read_rubric(home_of(GetParam())).value();
  auto ready = stage(rubric.types);
  ASSERT_TRUE(ready) << ready.error().message;
  ASSERT_TRUE(ready->host_timer) << ready->no_host;
  for (const std::string& type : rubric.types) {
    const auto classes = ready->assignment->data_classes(type);
    std::uint64_t seed = 0;  // each size has another class than the one before
    for (const Size& size : rubric.correct.sizes) {
      if (ready->assignment->values_at(size) > kMostValues) continue;
      const std::string& data = classes[seed % classes.size()];
      ASSERT_EQ(wrong_at(*ready, ready->assignment->case_of(type, data, size, ++seed)), "");
    }
    EXPECT_GE(seed, classes.size());
  }
}

TEST_P(Baselines, have_one_on_one_core_and_one_on_all) {
  const auto rubric = judge::read_rubric(home_of(GetParam())).value();
  const auto& cpu = rubric.plain->cpu;
  EXPECT_TRUE(std::ranges::any_of(cpu, &plain::CpuBaseline::threads));
  EXPECT_FALSE(std::ranges::all_of(cpu, &plain::CpuBaseline::threads));
}

INSTANTIATE_TEST_SUITE_P(Of, Baselines, testing::ValuesIn(with_baselines()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace warpmark::bench

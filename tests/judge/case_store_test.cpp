#include "harness/judge/cases/case_store.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "harness/base/parallel.h"
#include "tests/assignment_called.h"

namespace warpmark::judge {
namespace {

const Case kSmall{"int", "uniform", 100, 0, 7};
const Case kOther{"int", "uniform", 100, 0, 8};

class Stored : public testing::Test {
 protected:
  std::shared_ptr<const Assignment> reduction = assignment_called("reduction");
};

TEST_F(Stored, a_case_is_made_once_for_all_who_ask) {
  CaseStore store;
  std::vector<std::shared_ptr<const CaseData>> got(8);
  {
    std::vector<std::jthread> threads;
    threads.reserve(got.size());
    for (auto& each : got) {
      threads.emplace_back([&] { each = store.get(*reduction, kSmall, Engine::simulator); });
    }
  }
  EXPECT_EQ(std::set(got.begin(), got.end()).size(), 1U);
  EXPECT_EQ(got.front()->which.seed, 7U);
}

// The course's functions run in several processes, each of which keeps the inputs of its last call.
TEST_F(Stored, made_on_several_threads_are_those_of_one) {
  const auto which = [&](std::size_t i) {
    Case each = kSmall;
    each.seed = i / 2;
    return each;
  };
  const auto bytes_of = [](const CaseData& data) {
    std::vector<std::byte> all;
    for (const Buffers::Region& region : data.buffers.regions())
      std::ranges::copy(region.image.bytes(), std::back_inserter(all));
    return all;
  };
  CaseStore store;
  std::vector<std::shared_ptr<const CaseData>> made(16);
  in_parallel(made.size(), 8,
              [&](std::size_t i) { made[i] = store.get(*reduction, which(i), Engine::host); });
  for (std::size_t i = 0; i < made.size(); ++i) {
    const CaseData alone(*reduction, which(i), Engine::host);
    EXPECT_EQ(bytes_of(*made[i]), bytes_of(alone));
    const std::vector<std::byte> nothing(made[i]->buffers.read_bytes());
    const auto answers = alone.buffers.compare(*alone.problem, CauseKind::wrong_sum, nothing).causes;
    const auto same = alone.buffers.compare(*made[i]->problem, CauseKind::wrong_sum, nothing).causes;
    ASSERT_EQ(same.size(), answers.size());
    for (std::size_t k = 0; k < same.size(); ++k) EXPECT_EQ(same[k].expected, answers[k].expected);
  }
}

TEST_F(Stored, other_cases_and_other_engines_have_data_of_their_own) {
  CaseStore store;
  const auto data = store.get(*reduction, kSmall, Engine::simulator);
  EXPECT_NE(store.get(*reduction, kOther, Engine::simulator), data);
  const auto guarded = store.get(*reduction, kSmall, Engine::gpu);
  EXPECT_NE(guarded, data);
  EXPECT_GT(guarded->buffers.bytes(), data->buffers.bytes());
}

TEST_F(Stored, what_does_not_fit_is_made_again) {
  const std::size_t bytes = CaseData(*reduction, kSmall, Engine::simulator).buffers.bytes();
  CaseStore store(bytes);
  const auto kept = store.get(*reduction, kSmall, Engine::simulator);
  const auto other = store.get(*reduction, kOther, Engine::simulator);
  EXPECT_EQ(store.get(*reduction, kSmall, Engine::simulator), kept);
  EXPECT_NE(store.get(*reduction, kOther, Engine::simulator), other);
  store.clear();
  const auto first_now = store.get(*reduction, kOther, Engine::simulator);
  EXPECT_EQ(store.get(*reduction, kOther, Engine::simulator), first_now);
}

}  // namespace
}  // namespace warpmark::judge

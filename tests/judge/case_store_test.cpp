#include "harness/judge/cases/case_store.h"

#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

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

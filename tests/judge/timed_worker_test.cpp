// What a timed call finds in the outputs. The calls themselves: fast_check_test.cpp.
#include "harness/judge/speed/timed_worker.h"

#include <cstring>
#include <set>

#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

std::unique_ptr<Assignment> assignment_called(std::string_view name) {
  for (const AssignmentEntry& entry : assignments()) {
    if (entry.name == name) return entry.make();
  }
  throw std::logic_error("the table of assignments lacks " + std::string(name));
}

// The last buffer of a case of ints: what a version writes.
struct Answer {
  Answer(std::string_view assignment, std::uint64_t n)
      : data(*assignment_called(assignment),
             {"int", assignment_called(assignment)->data_classes("int").front(), n, 0, 5}, Engine::gpu),
        region(data.buffers.regions().at(data.buffers.answers().front())) {}
  CaseData data;
  const Buffers::Region& region;
};

std::set<std::size_t> places(const std::vector<wire::Patch>& patches) {
  std::set<std::size_t> found;
  for (const wire::Patch& patch : patches) found.insert(patch.where.offset);
  return found;
}

TEST(PoisonOf, gives_places_of_a_long_answer_back_what_they_first_held) {
  const Answer grids("grids", 100 * 100);
  const auto patches = poison_of(grids.region, 1);
  EXPECT_GT(patches.size(), 20U);
  const auto image = grids.region.image.bytes();
  for (const wire::Patch& patch : patches) {
    ASSERT_EQ(patch.where.buffer, "b");
    ASSERT_GE(patch.where.offset, grids.region.data_begin);
    ASSERT_LE(patch.where.offset + patch.where.bytes, grids.region.data_begin + grids.region.spec.bytes);
    ASSERT_EQ(std::memcmp(&patch.value, image.data() + patch.where.offset, patch.where.bytes), 0);
  }
}

TEST(PoisonOf, takes_other_places_for_another_seed) {
  const Answer grids("grids", 100 * 100);
  EXPECT_EQ(places(poison_of(grids.region, 1)), places(poison_of(grids.region, 1)));
  EXPECT_NE(places(poison_of(grids.region, 1)), places(poison_of(grids.region, 2)));
}

TEST(PoisonOf, is_all_of_a_short_answer) {
  const Answer sum("reduction", 1000);
  const auto patches = poison_of(sum.region, 1);
  ASSERT_EQ(patches.size(), 1U);
  EXPECT_EQ(patches[0].where.bytes, sizeof(int));
}

}  // namespace
}  // namespace warpmark::judge

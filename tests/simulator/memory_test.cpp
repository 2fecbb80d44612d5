#include <algorithm>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {
namespace {

TEST(DeviceMemory, aligns_allocations_and_keeps_red_zones_between_them) {
  DeviceMemory memory;
  const Address first = memory.allocate(100, Allocation::Kind::device).value();
  const Address second = memory.allocate(4096, Allocation::Kind::device).value();
  EXPECT_EQ(first % kAllocationAlignment, 0U);
  EXPECT_EQ(second % kAllocationAlignment, 0U);
  EXPECT_GE(second, first + 100 + 2 * kRedZoneBytes);
  EXPECT_TRUE(memory.in_range(first));
}

TEST(DeviceMemory, fills_allocations_with_a_pattern_that_is_not_zero) {
  DeviceMemory memory;
  const Address address = memory.allocate(64, Allocation::Kind::device).value();
  const std::byte* bytes = memory.host_view(address, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(bytes[i], std::byte{0xCD});
}

TEST(DeviceMemory, finds_what_holds_an_address_and_what_is_near) {
  DeviceMemory memory;
  const Address address = memory.allocate(1000, Allocation::Kind::device).value();
  EXPECT_EQ(memory.find(address + 999)->begin, address);
  EXPECT_FALSE(memory.find(address + 1000));
  EXPECT_FALSE(memory.find(address - 1));
  EXPECT_EQ(memory.nearest(address + 1000)->begin, address);
  EXPECT_EQ(memory.nearest(address - 1)->begin, address);
  EXPECT_FALSE(memory.nearest(address + 100000));
}

TEST(DeviceMemory, gives_no_view_that_leaves_an_allocation) {
  DeviceMemory memory;
  const Address address = memory.allocate(1000, Allocation::Kind::device).value();
  EXPECT_NE(memory.host_view(address + 10, 990), nullptr);
  EXPECT_EQ(memory.host_view(address + 10, 991), nullptr);
  EXPECT_EQ(memory.host_view(address - 1, 2), nullptr);
}

TEST(DeviceMemory, releases_once_and_remembers_what_was_freed) {
  DeviceMemory memory;
  const Address address = memory.allocate(1000, Allocation::Kind::device).value();
  EXPECT_FALSE(memory.release(address + 256));
  EXPECT_TRUE(memory.release(address));
  EXPECT_FALSE(memory.release(address));
  EXPECT_EQ(memory.host_view(address, 4), nullptr);
  EXPECT_TRUE(memory.find(address)->freed);
}

TEST(DeviceMemory, does_not_reuse_a_freed_address_while_there_is_other_room) {
  DeviceMemory memory;
  const Address address = memory.allocate(1000, Allocation::Kind::device).value();
  memory.release(address);
  EXPECT_NE(memory.allocate(1000, Allocation::Kind::device).value(), address);
}

TEST(DeviceMemory, keeps_the_bytes_of_freed_memory_for_another_address) {
  DeviceMemory memory;
  constexpr std::size_t kBytes = 1 << 20;
  const Address first = memory.allocate(kBytes, Allocation::Kind::device).value();
  std::byte* bytes = memory.host_view(first, kBytes);
  std::memset(bytes, 7, kBytes);
  memory.written_by_host(first, kBytes);
  ASSERT_TRUE(memory.release(first));

  const Address second = memory.allocate(kBytes / 2, Allocation::Kind::device).value();
  EXPECT_NE(second, first);
  EXPECT_EQ(memory.host_view(second, kBytes / 2), bytes);
  EXPECT_EQ(bytes[0], std::byte{0xCD});
  EXPECT_EQ(bytes[kBytes / 2 - 1], std::byte{0xCD});
  EXPECT_EQ(memory.undefined_in(second, kBytes / 2).bytes, kBytes / 2);
  EXPECT_TRUE(memory.find(first)->freed);
  // Of many times the size, or of another allocation, they are not taken.
  EXPECT_NE(memory.host_view(memory.allocate(kBytes, Allocation::Kind::device).value(), kBytes), bytes);
  ASSERT_TRUE(memory.release(second));
  EXPECT_NE(memory.host_view(memory.allocate(100, Allocation::Kind::device).value(), 100), bytes);
}

TEST(DeviceMemory, hands_out_more_than_its_size_over_time) {
  DeviceMemory memory;
  constexpr std::size_t bytes = std::size_t{1} << 30;
  for (std::size_t i = 0; i < 3 * kDeviceMemoryBytes / bytes; ++i) {
    const auto address = memory.allocate(bytes, Allocation::Kind::device);
    ASSERT_TRUE(address) << i;
    ASSERT_TRUE(memory.release(*address));
  }
}

TEST(DeviceMemory, is_used_up_at_its_size) {
  DeviceMemory memory;
  EXPECT_FALSE(memory.allocate(kDeviceMemoryBytes + 1, Allocation::Kind::device));
  EXPECT_TRUE(memory.allocate(kDeviceMemoryBytes / 2, Allocation::Kind::device));
  EXPECT_FALSE(memory.allocate(kDeviceMemoryBytes / 2 + 1, Allocation::Kind::device));
}

TEST(DeviceMemory, keeps_pinned_memory_readable_by_the_host_outside_of_the_range) {
  DeviceMemory memory;
  const Address address = memory.allocate(1000, Allocation::Kind::host_pinned).value();
  EXPECT_FALSE(memory.in_range(address));
  EXPECT_EQ(reinterpret_cast<Address>(memory.host_view(address, 1000)), address);
}

TEST(DeviceMemoryDeathTest, faults_when_the_host_reads_it) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  DeviceMemory memory;
  const Address address = memory.allocate(16, Allocation::Kind::device).value();
  const auto* pointer = reinterpret_cast<const volatile int*>(address);  // NOLINT(performance-no-int-to-ptr)
  EXPECT_DEATH({ [[maybe_unused]] const int value = *pointer; }, "");
}

TEST(DeviceMemory, lists_live_and_freed_allocations_by_address) {
  DeviceMemory memory;
  const Address gone = memory.allocate(5, Allocation::Kind::device).value();
  memory.allocate(10, Allocation::Kind::device);
  memory.allocate(20, Allocation::Kind::variable, "counter");
  ASSERT_TRUE(memory.release(gone));
  const auto live = memory.allocations();
  ASSERT_EQ(live.size(), 2U);
  EXPECT_LT(live[0].begin, live[1].begin);
  EXPECT_EQ(live[1].name, "counter");
  const auto freed = memory.freed_allocations();
  ASSERT_EQ(freed.size(), 1U);
  EXPECT_EQ(freed[0].begin, gone);
  EXPECT_TRUE(freed[0].freed);
}

TEST(DeviceMemory, lays_allocations_far_apart) {
  DeviceMemory memory;
  const Address first = memory.allocate(1000, Allocation::Kind::device).value();
  const Address second = memory.allocate(1000, Allocation::Kind::device).value();
  EXPECT_GE(second - first, std::size_t{1} << 30);
  EXPECT_FALSE(memory.find(first + 100'000));
}

TEST(DeviceMemory, knows_which_bytes_nobody_has_set) {
  DeviceMemory memory;
  const Address address = memory.allocate(1000, Allocation::Kind::device).value();
  EXPECT_EQ(memory.undefined_in(address, 1000).bytes, 1000U);
  memory.written_by_host(address, 100);
  memory.written_by_host(address + 201, 1);
  const DefinedBytes::Undefined rest = memory.undefined_in(address, 1000);
  EXPECT_EQ(rest.bytes, 899U);
  EXPECT_EQ(rest.first, 100U);
  EXPECT_EQ(memory.undefined_in(address + 201, 1).bytes, 0U);
}

TEST(DeviceMemory, copies_what_is_not_set_along) {
  DeviceMemory memory;
  const Address from = memory.allocate(512, Allocation::Kind::device).value();
  const Address to = memory.allocate(512, Allocation::Kind::device).value();
  memory.written_by_host(to, 512);
  memory.written_by_host(from, 128);
  memory.copied(to, from, 256);
  EXPECT_EQ(memory.undefined_in(to, 128).bytes, 0U);
  EXPECT_EQ(memory.undefined_in(to, 512).bytes, 128U);
}

// Elements of the structure with these members: where each begins, and its bytes.
struct Member {
  std::size_t offset;
  unsigned bytes;
};
DefinedBytes& store(DefinedBytes& defined, std::size_t structure, std::size_t count,
                    const std::vector<Member>& members) {
  for (std::size_t i = 0; i < count; ++i) {
    for (const Member& member : members) defined.define(i * structure + member.offset, member.bytes);
  }
  return defined;
}

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST(Padding, is_what_the_type_behind_a_kernels_pointer_says) {
  std::vector<bool> behind(16);
  std::fill(behind.begin() + 12, behind.end(), true);
  Padding padding;
  padding.note(256, 256, {16, behind});
  DefinedBytes defined(kMiB);
  for (std::size_t i = 0; i < 100; ++i) defined.define_all(256 + 16 * i, i % 7 == 0 ? 16 : 12);
  EXPECT_TRUE(padding.covers(256, 256, 1600, defined)) << "double, int";
  EXPECT_TRUE(padding.covers(256, 256 + 160, 160, defined));
  padding.forget(256);
  padding.note(256, 256, {16, std::vector<bool>(16)});
  EXPECT_FALSE(padding.covers(256, 256, 1600, defined)) << "four floats, of which one is not set";
  padding.note(256, 256 + 8, {16, behind});
  EXPECT_FALSE(padding.covers(256, 256, 1600, defined)) << "elsewhere in the elements";
  padding.note(256, 256 + 32, {16, behind});
  EXPECT_TRUE(padding.covers(256, 256, 1600, defined)) << "one of the pointers says so";
}

TEST(Padding, lies_before_aligned_members_where_no_pointer_has_a_type) {
  const Padding padding;
  DefinedBytes many(kMiB);
  EXPECT_TRUE(padding.covers(0, 0, 24'000, store(many, 24, 1000, {{0, 1}, {8, 8}, {16, 2}})));
  DefinedBytes vectors(kMiB);
  EXPECT_TRUE(padding.covers(0, 0, 3200, store(vectors, 32, 100, {{0, 4}, {16, 16}})));
  DefinedBytes eight(kMiB);
  EXPECT_FALSE(padding.covers(0, 0, 24'000, store(eight, 24, 1000, {{0, 8}, {16, 8}})));
  DefinedBytes first(kMiB);
  EXPECT_FALSE(padding.covers(0, 0, 160, store(first, 16, 10, {{4, 4}, {8, 8}}))) << "none begins so";
  DefinedBytes before_four(kMiB);
  EXPECT_FALSE(padding.covers(0, 0, 240, store(before_four, 24, 10, {{0, 8}, {12, 4}, {16, 8}})))
      << "what comes behind the hole is aligned to 4 bytes";
}

TEST(Padding, is_missing_from_many_elements_where_no_pointer_has_a_type) {
  const Padding padding;
  DefinedBytes defined(kMiB);
  store(defined, 16, 1000, {{0, 8}, {8, 4}});
  store(defined, 16, 500, {{12, 4}});
  EXPECT_TRUE(padding.covers(0, 0, 16'000, defined)) << "the others were copied whole";
  store(defined, 16, 800, {{12, 4}});
  EXPECT_FALSE(padding.covers(0, 0, 16'000, defined));
  DefinedBytes here_and_there(kMiB);
  store(here_and_there, 16, 1000, {{0, 8}, {8, 4}});
  here_and_there.define(16 * 333 + 12, 4);
  EXPECT_FALSE(padding.covers(0, 0, 16'000, here_and_there));
}

TEST(DeviceMemory, takes_released_memory_for_unset_when_it_is_handed_out_again) {
  DefinedBytes defined(std::size_t{1} << 20);
  defined.define_all(3, 200'000);
  EXPECT_EQ(defined.undefined_in(0, 200'003).bytes, 3U);
  defined.undefine_all(5, 150'000);
  EXPECT_EQ(defined.undefined_in(0, 200'003).bytes, 150'003U);
  EXPECT_EQ(defined.undefined(150'004, 4), 1U);
}

}  // namespace
}  // namespace warpmark::simulator

#include "harness/simulator/watch/counting.h"

#include <array>
#include <bit>
#include <functional>

#include <gtest/gtest.h>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {
namespace {

using Addresses = std::array<Address, kLanes>;

Addresses addresses_of(const std::function<std::uint64_t(unsigned)>& address_of) {
  Addresses addresses{};
  for (unsigned lane = 0; lane < kLanes; ++lane) addresses[lane] = address_of(lane);
  return addresses;
}
Addresses strided(std::uint64_t step, std::uint64_t begin = 0) {
  return addresses_of([=](unsigned lane) { return begin + lane * step; });
}

unsigned sectors(const Addresses& addresses) {
  return sectors_of(addresses.data());
}
unsigned wavefronts(const Addresses& offsets, unsigned width, std::uint32_t mask = kAllLanes) {
  return passes_of(offsets.data(), mask, width, true).wavefronts;
}
unsigned conflicts(const Addresses& offsets, unsigned width, std::uint32_t mask = kAllLanes) {
  return passes_of(offsets.data(), mask, width, true).conflicts;
}
unsigned store_wavefronts(const Addresses& offsets, unsigned width) {
  return passes_of(offsets.data(), kAllLanes, width, false).wavefronts;
}

TEST(Sectors, are_the_distinct_ones_of_all_lanes) {
  EXPECT_EQ(sectors(strided(4)), 4U);
  EXPECT_EQ(sectors(strided(4, 4)), 5U);  // begins within a sector
  EXPECT_EQ(sectors(strided(4, 16)), 5U);
  EXPECT_EQ(sectors(strided(8)), 8U);
  EXPECT_EQ(sectors(strided(16)), 16U);
  EXPECT_EQ(sectors(strided(1)), 1U);
  EXPECT_EQ(sectors(strided(12)), 12U);
  EXPECT_EQ(sectors(strided(32)), 32U);
  EXPECT_EQ(sectors(strided(4096)), 32U);
  EXPECT_EQ(sectors(strided(0, 400)), 1U);
}

TEST(Sectors, do_not_depend_on_the_order_of_the_lanes) {
  EXPECT_EQ(sectors(addresses_of([](unsigned lane) { return 4U * (31 - lane); })), 4U);
  EXPECT_EQ(sectors(addresses_of([](unsigned lane) { return 4U * (lane * 7 % 32); })), 4U);
  EXPECT_EQ(sectors(addresses_of([](unsigned lane) { return lane % 2 * 32U; })), 2U);
}

TEST(Sectors, may_be_in_memories_far_apart) {
  const auto addresses = addresses_of([](unsigned lane) { return lane % 2 * 0x7f0000000000U + lane * 32; });
  EXPECT_EQ(sectors(addresses), 32U);
}

TEST(Wavefronts, of_four_bytes_are_the_most_rows_of_one_bank) {
  for (unsigned stride = 1; stride <= 33; ++stride) {
    const unsigned expected = 1U << static_cast<unsigned>(std::countr_zero(stride | 32U));
    EXPECT_EQ(wavefronts(strided(std::uint64_t{4} * stride), 4), expected) << stride;
    EXPECT_EQ(conflicts(strided(std::uint64_t{4} * stride), 4), expected - 1) << stride;
  }
}

TEST(Wavefronts, a_word_read_by_many_lanes_is_read_once) {
  EXPECT_EQ(wavefronts(strided(0), 4), 1U);
  EXPECT_EQ(wavefronts(addresses_of([](unsigned lane) { return lane / 4 * 4U; }), 4), 1U);
  EXPECT_EQ(wavefronts(strided(1), 1), 1U);
  EXPECT_EQ(wavefronts(strided(2), 2), 1U);
  // Two rows of the same bank, in turns.
  EXPECT_EQ(wavefronts(addresses_of([](unsigned lane) { return lane % 2 * 128U; }), 4), 2U);
}

TEST(Wavefronts, of_wide_accesses_are_served_in_halves_and_quarters) {
  EXPECT_EQ(wavefronts(strided(8), 8), 2U);
  EXPECT_EQ(conflicts(strided(8), 8), 0U);
  EXPECT_EQ(wavefronts(strided(16), 8), 4U);
  EXPECT_EQ(conflicts(strided(16), 8), 2U);
  EXPECT_EQ(wavefronts(strided(16), 16), 4U);
  EXPECT_EQ(conflicts(strided(16), 16), 0U);
  EXPECT_EQ(wavefronts(strided(32), 16), 8U);
  EXPECT_EQ(wavefronts(strided(8), 8, 0xFFFF), 1U);
  EXPECT_EQ(wavefronts(strided(16), 16, 0xFF), 1U);
}

// As read on an H200: see tests/simulator/counters.
TEST(Wavefronts, of_a_wide_load_are_fewer_when_lanes_agree_in_pairs) {
  const auto pairs = [](unsigned bytes) {
    return addresses_of([=](unsigned lane) { return std::uint64_t{lane / 2} * bytes; });
  };
  const auto over_one = addresses_of([](unsigned lane) { return std::uint64_t{lane & ~2U} * 8; });
  const auto in_one_half = addresses_of([](unsigned lane) { return (lane < 16 ? lane & ~1U : lane) * 8U; });
  EXPECT_EQ(wavefronts(pairs(8), 8), 1U);
  EXPECT_EQ(wavefronts(pairs(16), 16), 2U);
  EXPECT_EQ(wavefronts(over_one, 8), 2U);  // one group, of two rows
  EXPECT_EQ(conflicts(over_one, 8), 1U);
  EXPECT_EQ(wavefronts(in_one_half, 8), 2U);
  EXPECT_EQ(conflicts(in_one_half, 8), 0U);
  EXPECT_EQ(store_wavefronts(pairs(8), 8), 2U);
  EXPECT_EQ(store_wavefronts(pairs(16), 16), 4U);
}

TEST(Wavefronts, idle_lanes_do_not_count) {
  EXPECT_EQ(wavefronts(addresses_of([](unsigned lane) { return (lane < 4 ? lane : 0) * 128U; }), 4, 0xF), 4U);
  EXPECT_EQ(wavefronts(strided(0, 64), 4, 1U << 7), 1U);
}

TEST(RepeatedAddresses, are_those_that_a_lower_lane_has_too) {
  const auto repeated = [](const Addresses& addresses, std::uint32_t mask) {
    return repeated_addresses(addresses.data(), mask);
  };
  EXPECT_EQ(repeated(strided(0), kAllLanes), 31U);
  EXPECT_EQ(repeated(strided(4), kAllLanes), 0U);
  EXPECT_EQ(repeated(addresses_of([](unsigned lane) { return lane % 4 * 4U; }), kAllLanes), 28U);
  EXPECT_EQ(repeated(strided(0), 0x80000001), 1U);
  EXPECT_EQ(repeated(strided(0), 0x80000000), 0U);
}

}  // namespace
}  // namespace warpmark::simulator

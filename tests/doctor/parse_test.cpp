#include "harness/doctor/parse.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::doctor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ParseGpus, takes_a_line_a_gpu) {
  const auto gpus = parse_gpus(
      "NVIDIA H200, 580.95.05, Default, Disabled, Enabled, Disabled, [N/A], Enabled, 345, 1980, 700.00, "
      "700.00, 31, 0, "
      "143771, 0\n"
      "NVIDIA RTX A2000, 535.1, Exclusive_Process, [N/A], [N/A], [N/A], [N/A], Disabled, 210, [N/A], [N/A], "
      "70.00, 40, 11, "
      "6138, 7\n");
  ASSERT_THAT(gpus, SizeIs(2));
  EXPECT_EQ(gpus[0].name, "NVIDIA H200");
  EXPECT_EQ(gpus[0].driver, "580.95.05");
  EXPECT_EQ(gpus[0].mig, "Disabled");
  EXPECT_EQ(gpus[0].ecc, "Enabled");
  EXPECT_EQ(gpus[0].ecc_pending, "Disabled");
  EXPECT_EQ(gpus[0].persistence, "Enabled");
  EXPECT_EQ(gpus[0].sm_mhz, 345);
  EXPECT_EQ(gpus[0].max_sm_mhz, 1980);
  EXPECT_EQ(gpus[0].default_power_limit, 700);
  EXPECT_EQ(gpus[0].total_mib, 143771);
  EXPECT_EQ(gpus[1].compute_mode, "Exclusive_Process");
  EXPECT_FALSE(gpus[1].max_sm_mhz);
  EXPECT_FALSE(gpus[1].power_limit);
  EXPECT_EQ(gpus[1].busy_percent, 7);
}

TEST(ParseGpus, asks_for_as_many_fields_as_it_takes) {
  const std::string query = gpu_query();
  EXPECT_EQ(std::count(query.begin(), query.end(), ','), 15);
  EXPECT_THAT(query, testing::StartsWith("name,driver_version,"));
}

TEST(ParseGpus, takes_no_message_for_a_gpu) {
  EXPECT_THAT(parse_gpus("No devices were found\n"), IsEmpty());
  EXPECT_THAT(parse_gpus("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"),
              IsEmpty());
  EXPECT_THAT(parse_gpus(""), IsEmpty());
}

TEST(ParseMask, takes_hexadecimal_numbers_only) {
  EXPECT_EQ(parse_mask("0x0000000000000024\n"), 0x24U);
  EXPECT_EQ(parse_mask("0x0\n0x1\n"), 0U);
  for (const char* other : {"", "[N/A]", "Field \"x\" is not a valid field to query.", "0x", "0x1g", "12"}) {
    EXPECT_EQ(parse_mask(other), std::nullopt) << other;
  }
}

TEST(ParseProcesses, names_each_with_its_memory) {
  EXPECT_THAT(parse_processes("1234, /usr/bin/python3, 20480\n77, ./sum, [N/A]\n"),
              ElementsAre("1234 /usr/bin/python3 (20480 MiB)", "77 ./sum ([N/A] MiB)"));
  EXPECT_THAT(parse_processes("No running processes found\n"), IsEmpty());
}

TEST(ParseFreeMemory, reads_what_is_available) {
  EXPECT_EQ(parse_free_memory("MemTotal:  100 kB\nMemFree: 1 kB\nMemAvailable:   2048 kB\n"), 2048U * 1024);
  EXPECT_EQ(parse_free_memory("MemTotal: 100 kB\n"), 0U);
}

}  // namespace
}  // namespace warpmark::doctor

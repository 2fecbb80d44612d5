#include "harness/simulate/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::simulate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kLaunched[] =
    R"({"findings":[],"launches":[{"kernel":"k","grid":[1,1,1],"block":[32,1,1]}],"notes":[],)"
    R"("transfers":[{"direction":"host_to_device","kind":"copy","launches_before":0,"bytes":4}]})";

constexpr char kCrashed[] = R"({"kind":"crashed","kernel":"","file":"","line":0,"message":"m"})";

TEST(Record, GathersTheLinesInOrder) {
  const Record record =
      parse_record(std::string(kLaunched) + "\n" +
                   R"({"findings":[{"kind":"race","kernel":"k","file":"a.cu","line":3,"other_line":5,)"
                   R"("message":"m"}],"launches":[],"transfers":[],"notes":[]})"
                   "\n" +
                   kLaunched + "\n");
  EXPECT_EQ(record.launches.size(), 2U);
  EXPECT_EQ(record.transfers.size(), 2U);
  ASSERT_EQ(record.findings.size(), 1U);
  EXPECT_EQ(record.findings[0].kind, CauseKind::race);
  EXPECT_EQ(record.findings[0].line, 3);
  EXPECT_EQ(record.findings[0].other_line, 5);
}

TEST(Record, ALaunchRunsUntilItIsWrittenDown) {
  const std::string begun = R"({"running":{"kernel":"k","grid":[1,1,1],"block":[32,1,1]}})";
  ASSERT_TRUE(parse_record(begun).running);
  EXPECT_EQ(parse_record(begun).running->kernel, "k");
  EXPECT_FALSE(parse_record(begun + "\n" + kLaunched).running);
}

TEST(Record, APlaceBelongsToTheFindingBeforeIt) {
  const Record record = parse_record(std::string(kCrashed) + "\n{\"frames\":[7,9]}\n");
  ASSERT_EQ(record.findings.size(), 1U);
  EXPECT_THAT(record.findings[0].frames, ElementsAre(7, 9));
  EXPECT_THAT(parse_record("{\"frames\":[7]}").findings, IsEmpty());
}

TEST(Record, WhatIsCutOffOrForeignIsLeftOut) {
  const Record record =
      parse_record("hello\n[1]\n{\"findings\":7,\"launches\":{}}\n{\"kind\":\"race\",\"line\":\"x\"}\n" +
                   std::string(kCrashed) + "\n{\"findings\":[{\"ki");
  ASSERT_EQ(record.findings.size(), 1U);
  EXPECT_EQ(record.findings[0].kind, CauseKind::crashed);
  EXPECT_THAT(record.launches, IsEmpty());
}

TEST(Record, KeepsEachNoteOnce) {
  const std::string line =
      R"({"launches":[],"transfers":[],"findings":[],"notes":[{"kernel":"k","message":"k printed too much"}]})";
  EXPECT_THAT(parse_record(line + "\n" + line).notes, testing::ElementsAre("k printed too much"));
}

}  // namespace
}  // namespace warpmark::simulate

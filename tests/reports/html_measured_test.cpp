// The parts of a page that show what was measured: times, copies, work, a ladder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports.h"
#include "tests/reports/page.h"
#include "tests/reports/sample_grade.h"

namespace warpmark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Html, shows_times_and_copies_with_their_total) {
  const Document document = parsed(sample_grade());
  const std::string rows = text_of(document, "tr");
  EXPECT_THAT(
      rows, HasSubstr("v08_tree_first_add1.610.4033.99\u00D73.97 to 4.014.6\u00D71.85\u00D766614\u2009%\n"));
  EXPECT_THAT(rows, HasSubstr("v08_tree_first_addcertainly too slow120.997 to 1.002"
                              "1.609 before, 1.611 after; 1.61 when calibrated\n"));
  EXPECT_THAT(rows, HasSubstr("v04_atomic_per_blockcertainly fast enough12"));
  const std::string facts = text_of(document, "dd");
  EXPECT_THAT(
      facts,
      HasSubstr("2 other processes, 1755 MHz, memory 3201 MHz, 48 \u00B0C, slowed down by: power limit"));
  EXPECT_THAT(text_of(document, "p"), HasSubstr("measured with the course's solution on this GPU model"));
  EXPECT_THAT(rows, HasSubstr("v13_shared_grid_stridein its callhost to device267,108,864\n"));
  EXPECT_THAT(rows, HasSubstr("Host to device in all, without the grader's own134,217,728\n"));
  EXPECT_GT(document.named("svg").size(), 10U);
  EXPECT_THAT(text_of(document, "title"), HasSubstr("kernel add_up, 3 times, 12.000 to 12.500 ms"));
  const std::string without = text_of(parsed(sample_grade_without_gpu()), "h2");
  EXPECT_THAT(without, Not(HasSubstr("Speed")));
}

TEST(Html, shows_the_work_counted_a_version_and_a_line) {
  const Document document = parsed(sample_grade());
  const std::string rows = text_of(document, "tr");
  EXPECT_THAT(rows, HasSubstr("v06_tree_strided20,0110.03543.668,400720030.2\n"));
  EXPECT_THAT(text_of(document, "p"), HasSubstr("The simulated device has 16 multiprocessors"));
  EXPECT_THAT(rows, HasSubstr("v06_tree_stridedshared memory requests per warp5.63at most 14\n"));
  EXPECT_THAT(rows, HasSubstr("v06_tree_stridedbank conflicts per shared memory request1.31at most 0.02"
                              "Let neighbouring threads add neighbouring elements.\n"));
  EXPECT_THAT(rows, HasSubstr("v06_tree_strided.cu\n20  const unsigned tid = threadIdx.x;\n"));
  EXPECT_THAT(rows, HasSubstr("21  shared[tid] = i < n ? values[i] : 0;3,2006294031.5\n"));
  EXPECT_THAT(
      rows,
      HasSubstr("\u22EE\n24  {\n25    if (at < blockDim.x) shared[at] += shared[at + s];9,1008,40024.2\n"));
  EXPECT_THAT(rows, HasSubstr("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum629\n"));
  Grade without = sample_grade();
  without.counters.clear();
  EXPECT_THAT(text_of(parsed(without), "h2"), Not(HasSubstr("Work")));
}

TEST(Html, shows_time_and_bandwidth_over_the_size_where_a_ladder_was_measured) {
  Ladder ladder;
  ladder.submission = "ada";
  ladder.type = "int";
  ladder.setting.gpu = "NVIDIA H200";
  ladder.setting.peak_gb_per_s = 4814;
  LadderSeries series;
  series.name = "v01_atomic_per_element";
  for (const std::uint64_t n : {1U << 20U, 1U << 24U}) {
    LadderTime time;
    time.n = n;
    time.median_ms = 0.1;
    time.gb_per_s = 41;
    time.samples = 12;
    series.times.push_back(time);
  }
  ladder.series = {series};
  const Document document = parse_document(to_html(sample_grade(), &ladder));
  EXPECT_EQ(document.error, "");
  EXPECT_THAT(text_of(document, "h2"),
              AllOf(HasSubstr("\nBandwidth\n"), HasSubstr("\nTime\n"), Not(HasSubstr("CPU"))));
  EXPECT_THAT(text_of(parsed(sample_grade()), "h2"), Not(HasSubstr("\nBandwidth\n")));
}

TEST(Html, folds_the_annotated_source_away) {
  const Document document = parsed(sample_grade());
  const Element* details = with_attribute(document, "class", "lines");
  ASSERT_NE(details, nullptr);
  EXPECT_EQ(details->name, "details");
  EXPECT_EQ(details->attributes.count("open"), 0U);
}

TEST(Html, compares_the_counted_work_of_neighbouring_versions) {
  Grade grade = sample_grade();
  Counted before;
  before.version = "v02";
  before.n = 1000;
  before.sectors_per_request = 32;
  before.active_lanes = 32;
  Counted after = before;
  after.version = "v03";
  after.sectors_per_request = 4;
  after.active_lanes = 16;
  grade.counters = {before, after};
  std::string text = text_of(parsed(grade), "main");
  EXPECT_THAT(text,
              AllOf(HasSubstr("v02: Still to gain: 32 sectors per request."),
                    HasSubstr("v03, against v02: sectors per request 32 to 4, active lanes 32 to 16. Still "
                              "to gain: only 16 of 32 lanes are active on average.")));
  grade.counters[1].n = 999;
  EXPECT_THAT(text_of(parsed(grade), "main"), Not(HasSubstr("against v02")));
  grade.counters = {grade.counters[0]};
  grade.counters[0].sectors_per_request = 4;
  EXPECT_THAT(text_of(parsed(grade), "main"), Not(HasSubstr("From version to version")));
}

}  // namespace
}  // namespace warpmark

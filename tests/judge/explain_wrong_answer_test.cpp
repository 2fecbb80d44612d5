// What experiments with a version say of its wrong answer. The versions are behaviours of fake_device.h; line
// 7 of "v.cu", in a function that line 20 calls, reads their values, and line 9 those that are read twice.
#include "harness/judge/checks/explain_wrong_answer.h"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/checks/version_worker.h"
#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Explain : public FakeChecks {
 protected:
  // The explanation of a wrong answer for n ints.
  [[nodiscard]] std::optional<Cause> explained(const std::string& behaviour, std::uint64_t n = 1000,
                                               CauseKind kind = CauseKind::wrong_sum) const {
    const GradingContext context = bench();
    const BuiltTypes types = built(behaviour);
    const std::string version = "v";
    VersionWorker worker(context, version, types);
    const Case which{.type = "int", .data = reduction->data_classes("int").front(), .n = n, .seed = 1};
    static_cast<void>(worker.run(which));
    return worker.explain(which, make_cause(kind, "the sum is wrong", "v.cu"));
  }
};

TEST_F(Explain, values_that_no_line_reads_are_told_with_the_line_that_reads_the_others) {
  const auto cause = explained("first_hundred");
  ASSERT_TRUE(cause);
  EXPECT_THAT(
      cause->message,
      AllOf(HasSubstr("the sum is wrong: values[100] to values[126], the last 27 of 127 values, did not "
                      "enter the sum: they were never read (line 7, called from v.cu:20 reads the "
                      "others)"),
            HasSubstr("first_hundred ran with 2 blocks of 128 threads, 256 threads in all")));
  EXPECT_EQ(cause->n, 127U) << "the smallest size that shows it";
  EXPECT_EQ(cause->file, "v.cu");
  EXPECT_EQ(cause->line, 7);
}

TEST_F(Explain, where_nothing_is_read_a_larger_input_shows_the_line) {
  const auto cause = explained("half");
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("values[0], the only value, did not enter the sum: it was never read "
                                        "(line 7, called from v.cu:20 reads values of larger inputs)"));
  EXPECT_EQ(cause->n, 1U);
  EXPECT_EQ(cause->line, 7);
}

TEST_F(Explain, values_that_are_read_and_lost_are_told_apart_from_those) {
  const auto cause = explained("last_lost");
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message,
              AllOf(HasSubstr("values[0], the only value, did not enter the sum: line 7, called "
                              "from v.cu:20 reads it, but what is done with it afterwards loses "
                              "it"),
                    Not(HasSubstr("never read"))));
  EXPECT_EQ(cause->n, 1U);
  EXPECT_EQ(cause->line, 7);
}

TEST_F(Explain, a_value_that_counts_twice_is_told_with_the_line_that_reads_no_other) {
  const auto cause = explained("first_twice");
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message,
              HasSubstr("values[0] was counted twice, read at line 7, called from v.cu:20 and "
                        "again at line 9"));
  EXPECT_EQ(cause->n, 127U);
  EXPECT_EQ(cause->line, 9);
}

TEST_F(Explain, a_byte_that_fills_the_sum_is_told_at_the_memset_that_sets_it) {
  submission.files["v"].text =
      "// cudaMemsetAsync(sum, 1, 4);\n  cudaMemsetAsync(work, 0, 8);\n  cudaMemsetAsync(sum, 1, 4);\n";
  for (const std::uint64_t n : {0U, 1000U}) {
    const auto cause = explained("filled", n);
    ASSERT_TRUE(cause);
    EXPECT_THAT(cause->message, HasSubstr("the sum is 16843009 (0x1010101)"));
    EXPECT_EQ(cause->line, 3);
  }
  submission.files["v"].text = "cudaMemsetAsync(sum, 2, 4);\n";
  EXPECT_EQ(explained("filled")->line, 0) << "another byte";
}

TEST_F(Explain, goes_on_in_a_fresh_worker_after_a_size_that_faults) {
  const auto cause = explained("small_sizes_fault", 1000);
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("did not enter the sum"));
  EXPECT_EQ(cause->n, 31U) << "1 to 3 fault";
}

TEST_F(Explain, no_kernel_is_told_first) {
  const auto cause = explained("on_the_cpu");
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("no kernel was launched"));
}

TEST_F(Explain, a_missing_answer_is_told_with_the_launches) {
  const auto cause = explained("never_writes", 1000, CauseKind::not_written);
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("never_writes ran with 2 blocks of 128 threads"));
}

TEST_F(Explain, a_right_sum_needs_no_explanation) {
  EXPECT_FALSE(explained("sum"));
}

}  // namespace
}  // namespace warpmark::judge

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

TEST_F(Explain, values_that_are_lost_are_told_to_the_last_with_the_line_that_reads_others) {
  const auto cause = explained("first_hundred");
  ASSERT_TRUE(cause);
  EXPECT_THAT(
      cause->message,
      AllOf(HasSubstr("the sum lacks values[100] to values[999], the last 900 of 1000 numbers of values "
                      "(changing them changes nothing)"),
            HasSubstr("No line loads it; others are loaded at line 7"),
            HasSubstr("first_hundred ran with 2 blocks of 128 threads, 256 threads in all")));
  ASSERT_EQ(cause->elements.size(), 1U);
  EXPECT_EQ(cause->elements[0].first, 100U);
  EXPECT_EQ(cause->elements[0].last, 999U);
  EXPECT_EQ(cause->elements[0].times, 0);
  EXPECT_EQ(cause->file, "v.cu");
  EXPECT_EQ(cause->line, 7);
}

TEST_F(Explain, values_that_are_read_and_lost_are_told_apart_from_those) {
  const auto cause = explained("last_lost");
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, AllOf(HasSubstr("the sum lacks values[32]"), HasSubstr("Loaded at line 7"),
                                    Not(HasSubstr("No line loads"))));
  EXPECT_EQ(cause->line, 7);
}

TEST_F(Explain, a_value_that_counts_twice_is_told_with_the_line_that_reads_no_other) {
  const auto cause = explained("first_twice");
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message,
              HasSubstr("the sum counts values[0], the first of 1000 numbers of values, twice"));
  EXPECT_EQ(cause->line, 9);
}

TEST_F(Explain, a_byte_that_fills_the_sum_is_told_at_the_memset_that_sets_it) {
  submission.files["v"].text =
      "// cudaMemsetAsync(sum, 1, 4);\n  cudaMemsetAsync(work, 0, 8);\n  cudaMemsetAsync(sum, 1, 4);\n";
  for (const std::uint64_t n : {0U, 1000U}) {
    const auto cause = explained("filled", n);
    ASSERT_TRUE(cause);
    EXPECT_THAT(cause->message, HasSubstr("16843009"));
    EXPECT_EQ(cause->line, 3);
  }
  submission.files["v"].text = "cudaMemsetAsync(sum, 2, 4);\n";
  EXPECT_EQ(explained("filled")->line, 7) << "another byte: the line that loads";
}

TEST_F(Explain, goes_on_in_a_fresh_worker_after_a_size_that_faults) {
  const auto cause = explained("small_sizes_fault", 1000);
  ASSERT_TRUE(cause);
  EXPECT_THAT(cause->message, HasSubstr("the sum lacks"));
  EXPECT_EQ(cause->n, 33U) << "1 to 3 fault";
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

#include "harness/judge/checks/upload_check.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The reduction with its input called otherwise, and one more input that the submission does not upload.
class Points final : public Problem {
 public:
  explicit Points(std::unique_ptr<Problem> sums) : sums_(std::move(sums)) {}
  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    auto buffers = sums_->buffers();
    buffers.front().name = "points";
    buffers.push_back({.name = "queries", .role = Role::input, .bytes = 1 << 20});
    return buffers;
  }
  [[nodiscard]] std::vector<std::uint64_t> scalars() const override { return sums_->scalars(); }
  void fill(std::size_t buffer, std::span<std::byte> target) override { sums_->fill(buffer, target); }
  [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer,
                                              std::span<const std::byte> actual) const override {
    return sums_->check(buffer, actual);
  }
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    return sums_->patch(seed, count, contents);
  }
  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<Points>(sums_->clone());
  }

 private:
  std::unique_ptr<Problem> sums_;
};

class PointsAssignment final : public Assignment {
 public:
  explicit PointsAssignment(std::shared_ptr<const Assignment> sums) : sums_(std::move(sums)) {}
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return sums_->data_classes(type);
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    return std::make_unique<Points>(sums_->make(which));
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return sums_->value_bytes(type);
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return sums_->wrong_answer(); }

 private:
  std::shared_ptr<const Assignment> sums_;
};

class UploadOnce : public FakeChecks {
 protected:
  UploadOnce() { course.focus.size = 1000; }

  // The audit of an upload and of versions v, w, ... that behave as named.
  [[nodiscard]] UploadOutcome audit(const std::string& upload,
                                    const std::map<std::string, std::string>& versions = {},
                                    const std::map<std::string, std::string>& incorrect = {},
                                    const std::map<std::string, Cause>& sent = {}) const {
    const GradingContext context = bench();
    UploadCheck check(context, built(upload));
    for (const auto& [name, behaviour] : versions) check.audit_version(name, built(behaviour), true);
    check.audit_upload();
    for (const auto& [name, behaviour] : incorrect) check.audit_version(name, built(behaviour), false);
    return check.outcome(sent);
  }
  [[nodiscard]] std::vector<std::string> kinds_of(
      const std::string& upload, const std::map<std::string, std::string>& versions = {}) const {
    return kinds(audit(upload, versions).outcome.causes);
  }
};

TEST_F(UploadOnce, asks_for_a_secret_number_of_values_beyond_the_rubrics) {
  course.focus.size.reset();
  const auto [outcome, transfers, launches] = audit("device", {{"v", "sum"}});
  ASSERT_EQ(transfers.size(), 3U);
  EXPECT_GT(transfers[1].bytes, 4000U);
  EXPECT_LT(transfers[1].bytes, 4300U);
}

TEST_F(UploadOnce, looks_at_the_answers_of_correct_versions) {
  EXPECT_THAT(kinds_of("device", {{"v", "sum"}, {"w", "never_writes"}}), ElementsAre("wrong_sum"));
  EXPECT_THAT(kinds(audit("device", {{"v", "sum"}}, {{"w", "never_writes"}}).outcome.causes), IsEmpty());
}

TEST_F(UploadOnce, counts_what_calls_sent_before_it) {
  const std::map<std::string, Cause> sent{
      {"v", make_cause(CauseKind::uploaded_again, "v sent 5000 bytes", "v.cu")}};
  const auto causes = audit("device", {{"v", "sum"}}, {}, sent).outcome.causes;
  ASSERT_EQ(kinds(causes), (std::vector<std::string>{"uploaded_again"}));
  EXPECT_EQ(causes[0].file, "v.cu");
}

TEST_F(UploadOnce, one_copy_for_all_versions_passes) {
  EXPECT_THAT(kinds_of("device"), IsEmpty());
  EXPECT_THAT(kinds_of("device", {{"v", "sum"}, {"w", "sum"}}), IsEmpty());
}

TEST_F(UploadOnce, records_every_transfer_between_two_canaries) {
  const auto [outcome, transfers, launches] = audit("device", {{"v", "sum"}});
  ASSERT_EQ(transfers.size(), 3U);
  EXPECT_TRUE(transfers.front().canary);
  EXPECT_TRUE(transfers.back().canary);
  EXPECT_NE(transfers.front().bytes, transfers.back().bytes) << "secret sizes";
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].during, "v");
  EXPECT_LT(transfers[1].order, launches[0].order);
  EXPECT_EQ(transfers[1].during, "upload");
  EXPECT_EQ(transfers[1].bytes, 4000U);
  EXPECT_EQ(transfers[1].direction, "host_to_device");
  EXPECT_FALSE(transfers[1].canary);
}

TEST_F(UploadOnce, the_memory_that_upload_returns_must_hold_the_data) {
  for (const auto& [upload, kind] : {std::pair{"null", "not_uploaded"},
                                     {"unregistered", "not_uploaded"},
                                     {"host", "zero_copy"},
                                     {"short", "not_uploaded"},
                                     {"freed", "use_after_free"},
                                     {"other", "not_uploaded"}}) {
    EXPECT_THAT(kinds_of(upload, {{"v", "sum"}}), ElementsAre(kind)) << upload;
  }
}

TEST_F(UploadOnce, values_that_are_missing_are_counted) {
  const auto causes = audit("short").outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("not_uploaded"));
  EXPECT_THAT(causes[0].message, AllOf(HasSubstr("values 500 is the first one missing"),
                                       HasSubstr("2000 bytes were copied; 1000 values of 4 bytes are 4000")));
}

TEST_F(UploadOnce, managed_memory_fails_however_it_is_filled) {
  EXPECT_THAT(kinds_of("managed", {{"v", "sum"}}), ElementsAre("managed_memory"));
}

TEST_F(UploadOnce, sending_it_twice_fails_and_names_the_upload) {
  const auto causes = audit("twice", {{"v", "sum"}}).outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("uploaded_again"));
  EXPECT_EQ(causes[0].file, "upload.cu");
  EXPECT_THAT(causes[0].actual, HasSubstr("8000"));
  EXPECT_THAT(causes[0].expected, HasSubstr("4100"));
}

TEST_F(UploadOnce, a_version_that_sends_it_again_is_named) {
  const auto causes = audit("device", {{"v", "sum"}, {"w", "copies"}}).outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("uploaded_again"));
  EXPECT_EQ(causes[0].file, "w.cu");
  EXPECT_THAT(causes[0].message, AllOf(HasSubstr("w"), HasSubstr("4000 bytes")));
  EXPECT_EQ(causes[0].n, 1000U);
}

TEST_F(UploadOnce, each_way_of_sending_it_again_has_its_own_cause) {
  for (const auto& [version, kind, said] :
       {std::tuple{"pieces", "uploaded_again", "4000 bytes in 40 copies during its call"},
        {"mapped", "zero_copy", "4000 bytes of pinned host memory"},
        {"pages", "managed_memory", "4000 bytes of managed memory"},
        {"at_load", "uploaded_again", "5000 bytes in 1 copy while its library was loaded"},
        {"late", "uploaded_again", "5000 bytes in 1 copy after its call had returned, by a thread"}}) {
    const auto causes = audit("device", {{"v", version}}).outcome.causes;
    ASSERT_THAT(kinds(causes), ElementsAre(kind)) << version;
    EXPECT_EQ(causes[0].file, "v.cu") << version;
    EXPECT_THAT(causes[0].message, AllOf(HasSubstr("v sent"), HasSubstr(said)));
  }
}

TEST_F(UploadOnce, what_is_sent_while_the_upload_is_loaded_counts) {
  course.rubric.upload_once.allowance_bytes = 4999;
  const auto causes = audit("at_load", {{"v", "sum"}}).outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("uploaded_again"));
  EXPECT_EQ(causes[0].file, "upload.cu");
}

TEST_F(UploadOnce, every_version_that_sends_is_named_the_worst_first) {
  const auto causes = audit("device", {{"v", "copies"}, {"w", "late"}}).outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("uploaded_again", "uploaded_again"));
  EXPECT_EQ(causes[0].file, "w.cu");
  EXPECT_EQ(causes[1].file, "v.cu");
  EXPECT_THAT(causes[0].actual, HasSubstr("13000"));
}

TEST_F(UploadOnce, a_version_that_is_not_correct_is_audited_too) {
  const auto causes = audit("device", {{"v", "sum"}}, {{"w", "copies"}}).outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("uploaded_again"));
  EXPECT_EQ(causes[0].file, "w.cu");
  EXPECT_THAT(causes[0].actual, HasSubstr("8000"));
}

TEST_F(UploadOnce, a_version_that_is_not_correct_cannot_end_the_audit) {
  EXPECT_THAT(kinds_of("device", {{"v", "sum"}}), IsEmpty());
  EXPECT_THAT(kinds(audit("device", {{"v", "sum"}}, {{"w", "crashes"}}).outcome.causes), IsEmpty());
}

TEST_F(UploadOnce, what_the_allowance_covers_passes) {
  course.rubric.upload_once.allowance_bytes = 4000;
  EXPECT_THAT(kinds_of("device", {{"v", "copies"}}), IsEmpty());
  course.rubric.upload_once.allowance_bytes = 3999;
  EXPECT_THAT(kinds_of("device", {{"v", "copies"}}), ElementsAre("uploaded_again"));
}

TEST_F(UploadOnce, a_record_that_stops_while_the_submission_runs_was_tampered_with) {
  EXPECT_THAT(kinds_of("unseen"), ElementsAre("tampering"));
}

TEST_F(UploadOnce, without_a_record_from_the_beginning_nothing_is_said) {
  fake.at_hello("record_nothing");
  const auto causes = audit("device").outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("no_profiler"));
  EXPECT_THAT(causes[0].message, HasSubstr("CUPTI"));
}

TEST_F(UploadOnce, an_observer_that_cannot_record_says_why) {
  fake.at_hello("no_observer");
  const auto causes = audit("device").outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("no_profiler"));
  EXPECT_EQ(causes[0].message, "no CUPTI here");
}

TEST_F(UploadOnce, an_upload_that_throws_has_crashed) {
  const auto causes = audit("throws").outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("crashed"));
  EXPECT_THAT(causes[0].message, HasSubstr("std::bad_alloc"));
  EXPECT_EQ(causes[0].file, "upload.cu");
}

TEST_F(UploadOnce, a_version_that_crashes_ends_the_audit_and_is_named_once) {
  const auto causes = audit("device", {{"v", "crashes"}, {"w", "sum"}}).outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("crashed"));
  EXPECT_EQ(causes[0].file, "v.cu");
}

TEST_F(UploadOnce, an_upload_that_cannot_be_loaded_fails) {
  EXPECT_THAT(kinds_of("not_loadable"), ElementsAre("compile_error"));
}

TEST_F(UploadOnce, an_answer_of_another_type_is_tampering) {
  EXPECT_THAT(kinds_of("odd"), ElementsAre("tampering"));
}

TEST_F(UploadOnce, audits_the_buffer_that_the_assignment_marks_and_sends_nothing_of_the_others) {
  reduction = std::make_shared<PointsAssignment>(reduction);
  EXPECT_THAT(kinds_of("device", {{"v", "sum"}}), IsEmpty());
  EXPECT_THAT(kinds_of("other", {{"v", "sum"}}), ElementsAre("not_uploaded"));
  EXPECT_THAT(kinds_of("device", {{"v", "copies"}}), ElementsAre("uploaded_again"));
}

}  // namespace
}  // namespace warpmark::judge

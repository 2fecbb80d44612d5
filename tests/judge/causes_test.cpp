#include "harness/judge/cases/causes.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

json reply_with(const json& finding) {
  return {{"observed", {{"findings", {finding}}}}};
}

// A submission of one file, in a folder beside something that is none of its business.
class Findings : public testing::Test {
 protected:
  Findings() {
    submission.folder = fs::canonical(folder.path()) / "alice";
    fs::create_directory(submission.folder);
    write("alice/v.cu", "one\ntwo\nthree\nfour\nfive\nsix\n");
    write("secret.h", "secret\n");
    file.name = "v.cu";
  }
  void write(const fs::path& name, const std::string& text) const {
    if (!write_file(folder.path() / name, text)) throw std::runtime_error("cannot write " + name.string());
  }
  Cause cause_of(const json& finding) const {
    const auto causes = causes_of(reply_with(finding), {&file, &submission});
    EXPECT_THAT(causes, SizeIs(1));
    return causes.empty() ? Cause{} : causes.front();
  }

  TemporaryFolder folder;
  Submission submission;
  SubmittedFile file;
};

TEST_F(Findings, become_causes_with_the_students_lines_around) {
  const Cause cause =
      cause_of({{"kind", "out_of_bounds"}, {"file", "v.cu"}, {"line", 3}, {"message", "past the end"}});
  EXPECT_EQ(cause.kind, CauseKind::out_of_bounds);
  EXPECT_EQ(cause.message, "past the end");
  EXPECT_EQ(cause.file, "v.cu");
  EXPECT_EQ(cause.line, 3);
  ASSERT_FALSE(cause.excerpt.empty());
  bool shown = false;
  for (const SourceLine& line : cause.excerpt) shown = shown || (line.number == 3 && line.text == "three");
  EXPECT_TRUE(shown);
}

TEST_F(Findings, keep_their_order) {
  const json reply{{"observed", {{"findings", {{{"kind", "misaligned"}}, {{"kind", "deadlock"}}}}}}};
  const auto causes = causes_of(reply, {&file, &submission});
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].kind, CauseKind::misaligned);
  EXPECT_EQ(causes[1].kind, CauseKind::deadlock);
}

TEST_F(Findings, that_the_simulator_does_not_support_are_no_fault) {
  EXPECT_EQ(cause_of({{"kind", "unsupported"}}).kind, CauseKind::unsupported);
}

TEST_F(Findings, of_an_unknown_kind_are_our_fault) {
  EXPECT_EQ(cause_of({{"kind", "gremlins"}}).kind, CauseKind::internal);
  EXPECT_EQ(cause_of({{"kind", 7}}).kind, CauseKind::internal);
  EXPECT_EQ(cause_of("text").kind, CauseKind::internal);
}

TEST_F(Findings, that_would_excuse_the_submission_are_forged) {
  for (const char* kind : {"no_gpu", "no_compiler", "no_profiler", "noise", "internal", "depends"}) {
    EXPECT_EQ(cause_of({{"kind", kind}}).kind, CauseKind::tampering) << kind;
  }
}

TEST_F(Findings, show_no_file_from_outside_the_submission) {
  fs::create_symlink(folder.path() / "secret.h", submission.folder / "link.h");
  for (const std::string name : {"../secret.h", "x/../../secret.h", "link.h",
                                 (folder.path() / "secret.h").c_str(), ".", "missing.cu"}) {
    EXPECT_THAT(cause_of({{"kind", "out_of_bounds"}, {"file", name}, {"line", 1}}).excerpt, IsEmpty())
        << name;
  }
}

TEST_F(Findings, with_odd_members_are_still_causes) {
  for (const json& finding :
       {json{{"kind", "deadlock"}}, json{{"kind", "deadlock"}, {"file", 7}, {"line", "x"}, {"message", {}}},
        json{{"kind", "deadlock"}, {"file", std::string("a\0b", 3)}, {"line", 1}},
        json{{"kind", "deadlock"}, {"file", "v.cu"}, {"line", -5}},
        json{{"kind", "deadlock"}, {"file", "v.cu"}, {"line", 18446744073709551615u}}}) {
    const Cause cause = cause_of(finding);
    EXPECT_EQ(cause.kind, CauseKind::deadlock) << finding;
    EXPECT_GE(cause.line, 0) << finding;
    EXPECT_THAT(cause.excerpt, IsEmpty()) << finding;
  }
}

TEST_F(Findings, behind_the_end_of_a_file_are_still_causes) {
  for (const std::uint64_t line : {std::uint64_t{7}, std::uint64_t{9223372036854775807}}) {
    EXPECT_EQ(cause_of({{"kind", "deadlock"}, {"file", "v.cu"}, {"line", line}}).kind, CauseKind::deadlock);
  }
}

TEST_F(Findings, without_end_are_cut) {
  json findings = json::array();
  for (int i = 0; i < 10'000; ++i) findings.push_back({{"kind", "deadlock"}, {"line", i}});
  EXPECT_LE(causes_of({{"observed", {{"findings", findings}}}}, {&file, &submission}).size(), 1000U);
}

TEST(Replies, without_findings_and_errors_have_no_causes) {
  for (const json& reply : {json::object(), json{{"observed", {{"findings", json::array()}}}},
                            json{{"observed", 7}}, json{{"observed", {{"findings", "none"}}}}}) {
    EXPECT_THAT(causes_of(reply, {}), IsEmpty()) << reply;
  }
}

TEST(Replies, of_a_function_that_threw_are_crashes) {
  const auto causes = causes_of({{"threw", "std::bad_alloc"}}, {});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].kind, CauseKind::crashed);
  EXPECT_THAT(causes[0].message, HasSubstr("std::bad_alloc"));
}

TEST(Replies, tell_what_cuda_said) {
  const json reply{
      {"cuda_error",
       {{"error", "cudaErrorInvalidValue"}, {"when", "launch"}, {"message", "invalid argument"}}}};
  const auto causes = causes_of(reply, {});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].kind, CauseKind::cuda_error);
  EXPECT_THAT(causes[0].message,
              AllOf(HasSubstr("cudaErrorInvalidValue"), HasSubstr("launch"), HasSubstr("invalid argument")));
}

TEST(Replies, with_an_error_of_an_odd_type_are_errors_all_the_same) {
  const auto causes = causes_of({{"cuda_error", 7}}, {});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].kind, CauseKind::cuda_error);
}

TEST(Replies, tell_the_finding_rather_than_the_error_that_it_led_to) {
  json reply = reply_with({{"kind", "out_of_bounds"}});
  reply["cuda_error"] = {{"error", "cudaErrorIllegalAddress"}};
  const auto causes = causes_of(reply, {});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].kind, CauseKind::out_of_bounds);
}

Cause cause_at(CauseKind kind, const std::string& file, int line) {
  Cause cause = make_cause(kind, "", file);
  cause.line = line;
  return cause;
}

TEST(AddOnce, keeps_one_of_a_kind_and_place) {
  std::vector<Cause> causes{cause_at(CauseKind::wrong_sum, "v.cu", 1)};
  add_once(causes, {cause_at(CauseKind::wrong_sum, "v.cu", 1), cause_at(CauseKind::wrong_sum, "v.cu", 2),
                    cause_at(CauseKind::wrong_sum, "w.cu", 1), cause_at(CauseKind::deadlock, "v.cu", 1),
                    cause_at(CauseKind::deadlock, "v.cu", 1)});
  EXPECT_THAT(causes, SizeIs(4));
}

}  // namespace
}  // namespace warpmark::judge

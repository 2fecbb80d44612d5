#include "harness/judge/rules/rubric.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// A rubric that keeps every rule. The tests below break one rule each, in a line that is named by its text.
constexpr std::string_view kSound = R"(title = "Sums"
contract = "sums.h"
types = ["int", "float"]
naive = "slow"
upload = "upload"

[points]
builds = 1
correct = 4
clean = 3
work = 2
fast = 8
upload_once = 15

[correct]
sizes = [0, 1]
gpu_sizes = [100]
secret_sizes = 2
secret_max = 50
shifted_size = 9

[clean]
sizes = [33]
large_size = 500
schedules = 3

[upload_once]
size = 1000
allowance_bytes = 64

[work]
type = "float"
size = 2048

[fast]
type = "int"
size = 4096

[limits]
build_seconds = 60
call_seconds = 5
submission_seconds = 90

[[version]]
name = "slow"
given = true
checks = ["builds", "correct", "clean"]

[[version]]
name = "quick"
checks = ["builds", "correct", "fast"]
speedup = 1.5
points = { correct = 6 }

[[version]]
name = "lean"
checks = ["builds", "work"]

[[version.work]]
counter = "atomics_a_value"
at_most = 0.25
lesson = "one atomic a thread"

[[version.work]]
counter = "stores_a_block"
at_least = 1
lesson = "store a sum a block"
)";

int line_of(std::string_view text, std::string_view what) {
  const std::size_t at = text.find(what);
  return at == std::string_view::npos
             ? 0
             : static_cast<int>(
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                   1;
}

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result(text);
  const std::size_t at = result.find(what);
  EXPECT_NE(at, std::string::npos) << "the sound rubric has no " << what;
  return at == std::string::npos ? result : result.replace(at, what.size(), by);
}

class Rubrics : public testing::Test {
 protected:
  Result<Rubric> read(std::string_view text) const {
    EXPECT_TRUE(write_file(file, text));
    return read_rubric({.name = "sums", .folder = folder.path()});
  }
  std::string error_of(std::string_view text) const {
    const auto rubric = read(text);
    EXPECT_FALSE(rubric) << "a broken rubric was accepted";
    return rubric ? "" : rubric.error().message;
  }

  const TemporaryFolder folder;
  const fs::path file = folder.path() / "assignment.toml";
};

TEST_F(Rubrics, that_keep_every_rule_are_read_whole) {
  const auto rubric = read(kSound);
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_EQ(rubric->assignment, "sums");
  EXPECT_EQ(rubric->title, "Sums");
  EXPECT_EQ(rubric->contract, "sums.h");
  EXPECT_THAT(rubric->types, ElementsAre("int", "float"));
  EXPECT_EQ(rubric->naive, "slow");
  EXPECT_EQ(rubric->upload, "upload");
  EXPECT_THAT(rubric->correct.sizes, ElementsAre(0, 1));
  EXPECT_THAT(rubric->correct.gpu_sizes, ElementsAre(100));
  EXPECT_EQ(rubric->correct.secret.count, 2U);
  ASSERT_EQ(rubric->correct.secret.ranges.size(), 1U);
  EXPECT_EQ(rubric->correct.secret.ranges[0].first.text(), "1");
  EXPECT_EQ(rubric->correct.secret.ranges[0].second.text(), "50");
  EXPECT_FALSE(rubric->correct.secret.where);
  EXPECT_EQ(rubric->correct.shifted_size, 9U);
  EXPECT_THAT(rubric->clean.sizes, ElementsAre(33));
  EXPECT_EQ(rubric->clean.large_size, 500U);
  EXPECT_EQ(rubric->clean.schedules, 3U);
  EXPECT_EQ(rubric->upload_once.points, 15);
  EXPECT_EQ(rubric->upload_once.size, 1000U);
  EXPECT_EQ(rubric->upload_once.allowance_bytes, 64U);
  EXPECT_EQ(rubric->fast.type, "int");
  EXPECT_EQ(rubric->fast.size, 4096U);
  EXPECT_TRUE(rubric->fast.calibrate);
  EXPECT_EQ(rubric->limits.build, std::chrono::seconds(60));
  EXPECT_EQ(rubric->limits.call, std::chrono::seconds(5));
  EXPECT_EQ(rubric->limits.submission, std::chrono::seconds(90));
  ASSERT_EQ(rubric->versions.size(), 3U);
  EXPECT_TRUE(rubric->versions[0].given);
  EXPECT_FALSE(rubric->versions[1].given);
  EXPECT_THAT(rubric->versions[1].checks, ElementsAre(Check::builds, Check::correct, Check::fast));
  EXPECT_EQ(rubric->versions[1].required_speed(), 1.5);
}

TEST_F(Rubrics, give_a_version_points_of_its_own_beside_the_common_ones) {
  const auto rubric = read(kSound);
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_EQ(rubric->find("slow")->points.at(Check::correct), 4);
  EXPECT_EQ(rubric->find("quick")->points.at(Check::correct), 6);
  EXPECT_EQ(rubric->find("quick")->points.at(Check::builds), 1);
  EXPECT_EQ(rubric->find("nobody"), nullptr);
}

TEST_F(Rubrics, say_which_remarks_fail) {
  const auto plain = read(kSound);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_TRUE(plain->clean.fails(CauseKind::race));
  EXPECT_TRUE(plain->clean.fails(CauseKind::warp_synchronous));
  EXPECT_FALSE(plain->clean.fails(CauseKind::leak));
  EXPECT_FALSE(plain->clean.fails(CauseKind::early_exit));
  const auto changed = read(replaced(kSound, "schedules = 3\n",
                                     "schedules = 3\nlower = [\"warp_synchronous\"]\nraise = [\"leak\"]\n"));
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_TRUE(changed->clean.fails(CauseKind::race));
  EXPECT_FALSE(changed->clean.fails(CauseKind::warp_synchronous));
  EXPECT_TRUE(changed->clean.fails(CauseKind::leak));
  EXPECT_FALSE(changed->clean.fails(CauseKind::early_exit));
}

TEST_F(Rubrics, give_no_points_for_what_only_the_course_writes) {
  const auto rubric = read(replaced(kSound, "speedup = 1.5", "speedup = 1.5\nreference_only = true"));
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_TRUE(rubric->find("quick")->reference_only);
  EXPECT_EQ(rubric->find("quick")->points.at(Check::builds), 0);
  EXPECT_EQ(rubric->find("quick")->points.at(Check::correct), 6) << "its own table says so";
  EXPECT_EQ(rubric->find("slow")->points.at(Check::builds), 1);
}

TEST_F(Rubrics, need_no_more_than_the_checks_that_they_name) {
  const auto rubric = read(R"(title = "t"
contract = "c.h"
types = ["int"]
[points]
builds = 1
[correct]
sizes = [1]
[[version]]
name = "v"
checks = ["builds"]
)");
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_EQ(rubric->naive, "");
  EXPECT_EQ(rubric->upload, "");
  EXPECT_EQ(rubric->limits.call, std::chrono::seconds(20));
}

// The plain form, of which another rubric takes buffers and sizes.
constexpr std::string_view kPlain = R"toml(title = "Sums"
contract = "sums.h"
call = "version(a, n, b, stream)"
sizes = ["n"]
naive = "slow"
[[buffer]]
name = "a"
role = "input"
type = "float"
count = "n"
data = ["uniform", "exact"]
[[buffer]]
name = "b"
role = "output"
type = "float"
count = 1
[points]
builds = 1
fast = 1
[correct]
sizes = [1]
[clean]
sizes = [1]
schedules = 1
data = ["exact"]
[host]
call = "version(a, n, b)"
[limits]
bytes_to_host = 8
[fast]
size = 100
[[version]]
name = "slow"
checks = ["builds"]
[[version]]
name = "quick"
checks = ["builds", "fast"]
speedup = 2
)toml";

constexpr std::string_view kOther = R"toml(title = "Sums, a first part"
contract = "sums.h"
[points]
builds = 1
[correct]
sizes = [1]
[clean]
sizes = [1]
schedules = 1
%CLEAN%
[host]
%HOST%
[limits]
%LIMITS%
[[version]]
name = "slow"
checks = ["builds"]
)toml";

class OtherRubric : public Rubrics {
 protected:
  Result<Rubric> read_other(std::string_view clean, std::string_view host, std::string_view limits) const {
    EXPECT_TRUE(write_file(file, kPlain));
    std::string text = replaced(kOther, "%CLEAN%", clean);
    text = replaced(replaced(text, "%HOST%", host), "%LIMITS%", limits);
    EXPECT_TRUE(write_file(other, text));
    return read_rubric({.name = "sums", .folder = folder.path()}, other);
  }
  const fs::path other = folder.path() / "other.toml";
};

TEST_F(OtherRubric, replaces_what_it_says_of_the_plain_form) {
  const auto rubric =
      read_other("data = [\"uniform\"]", "call = \"version(b, a, n)\"", "bytes_to_host = \"2 * n\"");
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_THAT(rubric->plain->clean_data, ElementsAre("uniform"));
  EXPECT_EQ(rubric->plain->host_call, "version(b, a, n)");
  EXPECT_EQ(rubric->plain->bytes_to_host.value({{"n", 50}}).value_or(0), 100);
  EXPECT_EQ(rubric->plain->call, "version(a, n, b, stream)");
}

TEST_F(OtherRubric, keeps_what_it_does_not_say) {
  const auto rubric = read_other("", "", "");
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_THAT(rubric->plain->clean_data, ElementsAre("exact"));
  EXPECT_EQ(rubric->plain->host_call, "version(a, n, b)");
  EXPECT_EQ(rubric->plain->bytes_to_host.value({}).value_or(0), 8);
}

TEST_F(OtherRubric, is_refused_with_its_own_line) {
  const auto rubric = read_other("data = [\"ascending\"]", "", "");
  ASSERT_FALSE(rubric);
  EXPECT_THAT(rubric.error().message,
              AllOf(StartsWith(other.string() + ":" +
                               std::to_string(line_of(read_file(other).value_or(""), "data = ")) + ": "),
                    HasSubstr("clean.data names none of")));
}

TEST_F(OtherRubric, may_leave_out_the_naive_version_of_the_assignment) {
  ASSERT_TRUE(write_file(file, kPlain));
  const auto read_with = [&](std::string_view naive) {
    std::string text = fmt::format("naive = \"{}\"\n{}", naive, kOther);
    for (const char* place : {"%CLEAN%", "%HOST%", "%LIMITS%"}) text = replaced(text, place, "");
    EXPECT_TRUE(write_file(other, text));
    return read_rubric({.name = "sums", .folder = folder.path()}, other);
  };
  EXPECT_TRUE(read_with("quick"));
  const auto refused = read_with("quicker");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(other.string() + ":1: naive is \"quicker\", which is no"));
}

TEST_F(Rubrics, without_the_plain_form_do_not_know_its_members) {
  EXPECT_THAT(error_of(replaced(kSound, "schedules = 3", "schedules = 3\ndata = [\"exact\"]")),
              HasSubstr("clean.data is not known here"));
  EXPECT_THAT(error_of(replaced(kSound, "call_seconds = 5", "bytes_to_host = 5")),
              HasSubstr("limits.bytes_to_host is not known here"));
}

TEST_F(Rubrics, with_fast_need_an_input_that_can_change) {
  const std::string made = replaced(kPlain, "[\"uniform\", \"exact\"]", "[\"of_the_course\", \"exact\"]");
  EXPECT_TRUE(read(made)) << "the last input is taken that the course makes";
  const std::string input =
      "role = \"input\"\ntype = \"float\"\ncount = \"n\"\ndata = [\"uniform\", \"exact\"]";
  const std::string text =
      replaced(replaced(kPlain, input, "role = \"scratch\"\ntype = \"float\"\ncount = \"n\""),
               "data = [\"exact\"]\n", "");
  const std::string error = error_of(text);
  EXPECT_THAT(error, StartsWith(file.string() + ":" + std::to_string(line_of(text, "[fast]")) + ": "));
  EXPECT_THAT(error, HasSubstr("there is no [[buffer]] with the role input"));
  EXPECT_TRUE(read(replaced(text, "checks = [\"builds\", \"fast\"]\nspeedup = 2", "checks = [\"builds\"]")));
}

TEST_F(Rubrics, that_are_missing_say_so) {
  const auto rubric = read_rubric({.name = "sums", .folder = folder.path()}, folder.path() / "nowhere.toml");
  ASSERT_FALSE(rubric);
  EXPECT_THAT(rubric.error().message, HasSubstr("nowhere.toml"));
}

TEST_F(Rubrics, that_are_not_toml_say_where) {
  const std::string error = error_of("title = \"t\"\ncontract = = \"c.h\"\n");
  EXPECT_THAT(error, StartsWith(file.string() + ":2: not valid TOML"));
  EXPECT_THAT(error_of("title = \"t\"\n[ = 1\n"), StartsWith(file.string() + ":2: not valid TOML"));
}

struct Broken {
  const char* name;
  std::string_view what;   // in the sound rubric
  std::string_view by;     // what makes it unsound
  std::string_view where;  // the text of the line that must be named; empty: any line
  std::string_view rule;   // part of the message
};

std::ostream& operator<<(std::ostream& out, const Broken& broken) {
  return out << broken.name;
}

constexpr std::string_view kLongName =
    "name = \"v2345678901234567890123456789012345678901234567890123456789061\"";

class BrokenRubric : public Rubrics, public testing::WithParamInterface<Broken> {};

TEST_P(BrokenRubric, is_refused_with_file_line_and_rule) {
  const Broken& broken = GetParam();
  const std::string text = replaced(kSound, broken.what, broken.by);
  const std::string error = error_of(text);
  EXPECT_THAT(error, HasSubstr(broken.rule));
  EXPECT_THAT(error, StartsWith(file.string() + ":"));
  if (broken.where.empty()) return;
  ASSERT_NE(line_of(text, broken.where), 0);
  EXPECT_THAT(error, StartsWith(file.string() + ":" + std::to_string(line_of(text, broken.where)) + ": "));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BrokenRubric,
    testing::Values(
        Broken{"no_title", "title = \"Sums\"\n", "", "", "title is missing"},
        Broken{"no_contract", "contract = \"sums.h\"\n", "", "", "contract is missing"},
        Broken{"no_types", "types = [\"int\", \"float\"]\n", "", "", "types is missing"},
        Broken{"empty_title", "\"Sums\"", "\"\"", "title =", "title must be a non-empty text"},
        Broken{"title_a_number", "\"Sums\"", "7", "title =", "title must be a non-empty text"},
        Broken{"types_a_text", "[\"int\", \"float\"]", "\"int\"", "types =", "types must be a list"},
        Broken{"types_a_list_of_numbers", "[\"int\", \"float\"]", "[1]",
               "types =", "types must be a non-empty text"},
        Broken{"types_empty", "[\"int\", \"float\"]", "[]", "", "types"},
        Broken{"unknown_member", "naive =", "colour = \"red\"\nnaive =", "colour =", "colour is not known"},
        Broken{"unknown_member_of_a_table", "schedules = 3", "schedules = 3\nseeds = 1", "seeds = 1",
               "clean.seeds is not known"},
        Broken{"lowers_what_stops_a_kernel", "schedules = 3", "schedules = 3\nlower = [\"out_of_bounds\"]",
               "", "clean.lower: \"out_of_bounds\" is not one of race"},
        Broken{"raises_what_fails_anyway", "schedules = 3", "schedules = 3\nraise = [\"race\"]", "",
               "clean.raise: \"race\" is not one of leak"},
        Broken{"unknown_member_of_a_version", "given = true", "givn = true", "givn",
               "version.givn is not known"},
        Broken{"unknown_table", "[limits]", "[bounds]\nx = 1\n[limits]", "[bounds]", "bounds is not known"},
        Broken{"no_correct", "[correct]", "[limits2]", "", "[correct] is missing"},
        Broken{"correct_without_sizes", "sizes = [0, 1]\n", "", "[correct]", "correct.sizes is missing"},
        Broken{"correct_at_no_size", "sizes = [0, 1]", "sizes = []", "", "correct.sizes"},
        Broken{"a_negative_size", "sizes = [0, 1]", "sizes = [0, -1]", "sizes = [0, -1]", "correct.sizes"},
        Broken{"a_broken_size", "sizes = [0, 1]", "sizes = [0.5]", "sizes = [0.5]", "correct.sizes"},
        Broken{"secret_max_zero", "secret_max = 50", "secret_max = 0", "[correct]", "secret_max"},
        Broken{"clean_at_no_size", "sizes = [33]", "sizes = []", "", "clean.sizes"},
        Broken{"clean_without_schedules", "schedules = 3\n", "", "[clean]", "clean.schedules is missing"},
        Broken{"no_schedules", "schedules = 3", "schedules = 0", "[clean]", "clean.schedules"},
        Broken{"clean_without_its_table", "[clean]\nsizes = [33]\nlarge_size = 500\nschedules = 3\n", "", "",
               "[clean]"},
        Broken{"correct_a_number", "[clean]\nsizes = [33]\nlarge_size = 500\nschedules = 3\n",
               "[clean.a]\nb = 1\n", "", "clean"},
        Broken{"negative_points", "clean = 3", "clean = -3", "clean = -3", "points.clean must be a number"},
        Broken{"points_not_a_number", "clean = 3", "clean = nan", "clean = nan", "points.clean"},
        Broken{"endless_points", "clean = 3", "clean = inf", "clean = inf", "points.clean"},
        Broken{"points_a_text", "clean = 3", "clean = \"3\"", "clean = \"3\"", "points.clean"},
        Broken{"no_points_for_a_check", "clean = 3\n", "", "", "no points for the check \"clean\""},
        Broken{"points_for_an_unknown_check", "clean = 3", "clean = 3\nclaen = 4", "claen", "points.claen"},
        Broken{"own_points_for_an_unknown_check", "{ correct = 6 }", "{ corect = 6 }", "corect",
               "points.corect"},
        Broken{"upload_without_points", "upload_once = 15\n", "", "", "points.upload_once is needed"},
        Broken{"upload_without_its_table", "[upload_once]\nsize = 1000\nallowance_bytes = 64\n", "", "",
               "[upload_once] is needed"},
        Broken{"upload_of_nothing", "size = 1000", "size = 0", "[upload_once]", "upload_once.size"},
        Broken{"fast_of_an_unknown_type", "type = \"int\"", "type = \"double\"", "[fast]",
               "fast.type is \"double\""},
        Broken{"no_time_limit", "call_seconds = 5", "call_seconds = 0", "[limits]", "limits.call_seconds"},
        Broken{"an_endless_time_limit", "call_seconds = 5", "call_seconds = 3601", "[limits]",
               "limits.call_seconds"},
        Broken{"unknown_check", "\"clean\"]", "\"tidy\"]", "[[version]]", "no check is called \"tidy\""},
        Broken{"a_check_twice", "\"clean\"]", "\"correct\"]", "[[version]]", "is listed twice"},
        Broken{"builds_not_first", "[\"builds\", \"correct\", \"clean\"]", "[\"correct\", \"builds\"]",
               "[[version]]", "must begin with \"builds\""},
        Broken{"no_checks", "[\"builds\", \"correct\", \"clean\"]", "[]", "[[version]]",
               "must begin with \"builds\""},
        Broken{"a_version_without_a_name", "name = \"slow\"\n", "", "[[version]]", "version.name is missing"},
        Broken{"a_version_twice", "name = \"quick\"", "name = \"slow\"",
               "[[version]]\nname = \"slow\"\nchecks", "is listed twice"},
        Broken{"a_version_in_another_folder", "name = \"quick\"", "name = \"../quick\"",
               "name = \"../quick\"", "version.name is the name of a function"},
        Broken{"a_version_with_a_word_of_cpp", "name = \"quick\"", "name = \"int\"", "name = \"int\"",
               "version.name is the name of a function"},
        Broken{"a_version_with_a_long_name", "name = \"quick\"", kLongName, kLongName, "at most 60"},
        Broken{"an_upload_in_another_folder", "upload = \"upload\"", "upload = \"../upload\"",
               "upload = ", "upload must name a function"},
        Broken{"a_naive_that_is_no_version", "naive = \"slow\"", "naive = \"slower\"",
               "naive =", "naive is \"slower\", which is no [[version]]"},
        Broken{"secret_sizes_without_end", "secret_sizes = 2", "secret_sizes = 1000000000", "[correct]",
               "correct.secret_sizes must be at most 1000"},
        Broken{"schedules_without_end", "schedules = 3", "schedules = 100000000", "[clean]",
               "clean.schedules must be at most 1000"},
        Broken{"fast_without_a_threshold", "speedup = 1.5\n", "", "", "version.speedup is missing"},
        Broken{"fast_with_a_threshold_of_zero", "speedup = 1.5", "speedup = 0", "",
               "speedup must be above 0"},
        Broken{"fast_without_its_table", "[fast]\ntype = \"int\"\nsize = 4096\n", "", "",
               "needs a [fast] table"},
        Broken{"fast_without_a_naive_version", "naive = \"slow\"\n", "", "",
               "needs a [fast] table and a naive version"},
        Broken{"libraries_without_a_gpu", "given = true", "libraries = [\"cudnn\"]", "[[version]]",
               "cudnn is not simulated; add gpu_only"},
        Broken{"clean_without_a_simulator", "given = true", "gpu_only = true", "[[version]]",
               "\"clean\" runs on the simulator"},
        Broken{"work_without_its_table", "[work]\ntype = \"float\"\nsize = 2048\n", "", "",
               "\"work\" needs a [work] table"},
        Broken{"work_of_nothing", "size = 2048", "size = 0", "[work]", "work.size must be above 0"},
        Broken{"same_code_that_earns_more", "[work]", "[same_code]\nkeeps_percent = 101\n\n[work]",
               "[same_code]", "same_code.keeps_percent must be from 0 to 100"},
        Broken{"work_of_an_unknown_type", "type = \"float\"", "type = \"double\"", "[work]",
               "work.type is \"double\""},
        Broken{"work_without_a_limit", "[\"builds\", \"correct\", \"clean\"]", "[\"builds\", \"work\"]",
               "[[version]]", "\"work\" needs a [[version.work]]"},
        Broken{"limits_without_the_check", "[\"builds\", \"work\"]", "[\"builds\"]", "",
               "limits of work, but no check \"work\""},
        Broken{"a_limit_of_an_unknown_counter", "atomics_a_value", "atomics", "[[version.work]]",
               "no counter is called \"atomics\"; known: atomics_a_value"},
        Broken{"a_limit_without_a_value", "at_most = 0.25\n", "", "[[version.work]]",
               "atomics_a_value: give one of at_most and at_least"},
        Broken{"a_limit_with_a_size_of_its_own", "at_most = 0.25", "at_most = 0.25\nsize = 4321",
               "size = 4321", "counted at the size of [work]"},
        Broken{"a_limit_with_two_values", "at_most = 0.25", "at_most = 0.25\nat_least = 0.25",
               "[[version.work]]", "atomics_a_value: give one of at_most and at_least"},
        Broken{"a_maximum_that_is_used", "at_most = 0.25", "at_most = 0.25\nused = true", "used = true",
               "version.work.used: only a minimum"},
        Broken{"a_limit_without_a_lesson", "lesson = \"one atomic a thread\"\n", "", "[[version.work]]",
               "version.work.lesson is missing"},
        Broken{"given_a_text", "given = true", "given = \"yes\"",
               "given =", "version.given must be true or false"}),
    [](const auto& parameter) { return parameter.param.name; });

TEST_F(Rubrics, may_limit_the_work_of_a_version) {
  const auto rubric = read(kSound);
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_EQ(rubric->work.type, "float");
  EXPECT_EQ(rubric->work.size, 2048U);
  EXPECT_THAT(rubric->find("lean")->work,
              ElementsAre(WorkLimit{WorkCounter::atomics_a_value, false, 0.25, "one atomic a thread"},
                          WorkLimit{WorkCounter::stores_a_block, true, 1, "store a sum a block"}));
  EXPECT_EQ(rubric->find("lean")->points.at(Check::work), 2);
}

TEST_F(Rubrics, without_versions_are_refused) {
  const std::string head(kSound.substr(0, kSound.find("[[version]]")));
  EXPECT_THAT(error_of(head), HasSubstr("version is missing"));
  EXPECT_THAT(error_of("version = []\n" + head), HasSubstr("at least one [[version]]"));
}

TEST_F(Rubrics, whose_version_is_no_list_of_tables_are_refused) {
  const std::string head(kSound.substr(0, kSound.find("[[version]]")));
  const std::string table = head + "[version]\nname = \"v\"\nchecks = [\"builds\"]\n";
  EXPECT_THAT(error_of(table), StartsWith(file.string() + ":" + std::to_string(line_of(table, "[version]")) +
                                          ": version must be a list"));
  EXPECT_THAT(error_of("version = [1]\n" + head),
              StartsWith(file.string() + ":1: each [[version]] must be a table"));
}

}  // namespace
}  // namespace warpmark::judge

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/overview.h"
#include "reports/reports.h"
#include "tests/reports/sample_grade.h"
#include "tests/reports/well_formed.h"

namespace warpmark::junit_tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Document parsed_junit(const Grade& grade) {
  Document document = parse_document(to_junit(grade));
  EXPECT_EQ(document.error, "");
  return document;
}

// The index of a testcase among the elements; what it holds comes right behind it.
std::size_t index_of(const Document& document, const std::string& group, const std::string& name) {
  for (std::size_t i = 0; i < document.elements.size(); ++i) {
    const Element& element = document.elements[i];
    if (element.name == "testcase" && element.attributes.at("classname") == group &&
        element.attributes.at("name") == name) {
      return i;
    }
  }
  throw std::runtime_error("no testcase " + group + " " + name);
}

Element outcome(const Document& document, const std::string& group, const std::string& name) {
  const std::size_t next = index_of(document, group, name) + 1;
  return next < document.elements.size() ? document.elements[next] : Element{};
}

Grade hostile_grade() {
  Grade grade = sample_grade();
  for_each_text(grade, [](std::string& text) {
    text += "]]></failure><x a=\"b\" c='d'>&amp;&#0;\x1b[0m\v\xFF\xEF\xBF\xBE\u202E\r\n<!--<![CDATA[";
  });
  return grade;
}

TEST(Junit, has_a_testcase_a_check) {
  const Grade grade = sample_grade();
  const Document document = parsed_junit(grade);
  const auto cases = document.named("testcase");
  ASSERT_EQ(cases.size(), grade.checks.size());
  EXPECT_EQ(cases[0]->attributes.at("classname"), "reduction.v01_atomic_per_element");
  EXPECT_EQ(cases[0]->attributes.at("name"), "builds");
  EXPECT_EQ(cases[0]->attributes.at("time"), "0.250");
  EXPECT_EQ(cases.back()->attributes.at("classname"), "reduction");
  EXPECT_EQ(cases.back()->attributes.at("name"), "upload_once");
}

TEST(Junit, counts_what_it_holds) {
  const Document document = parsed_junit(sample_grade());
  const auto& suite = *document.named("testsuite").at(0);
  EXPECT_EQ(suite.attributes.at("name"), "reduction");
  EXPECT_EQ(suite.attributes.at("tests"), std::to_string(document.named("testcase").size()));
  EXPECT_EQ(suite.attributes.at("failures"), std::to_string(document.named("failure").size()));
  EXPECT_EQ(suite.attributes.at("errors"), std::to_string(document.named("error").size()));
  EXPECT_EQ(suite.attributes.at("skipped"), std::to_string(document.named("skipped").size()));
  EXPECT_EQ(suite.attributes.at("failures"), "5");
  EXPECT_EQ(suite.attributes.at("errors"), "1");
  EXPECT_EQ(suite.attributes.at("time"), "41.500");
  EXPECT_EQ(suite.attributes.at("hostname"), "localhost");
}

TEST(Junit, a_passed_check_holds_nothing) {
  const Document document = parsed_junit(sample_grade());
  EXPECT_EQ(outcome(document, "reduction.v01_atomic_per_element", "builds").name, "testcase");
}

TEST(Junit, a_failure_tells_its_cause) {
  const Element failure = outcome(parsed_junit(sample_grade()), "reduction.v07_tree_sequential", "correct");
  EXPECT_EQ(failure.name, "failure");
  EXPECT_EQ(failure.attributes.at("type"), "wrong_sum");
  EXPECT_THAT(failure.attributes.at("message"), StartsWith("The sum of 1023 values is 1044991"));
  EXPECT_THAT(failure.text,
              AllOf(HasSubstr("at v07_tree_sequential.cu:31\n"), HasSubstr("expected: 1046528\n"),
                    HasSubstr("actual: 1044991\n"), HasSubstr("> 31 |     shared[tid] += shared"),
                    HasSubstr("again: ./warpmark grade")));
}

TEST(Junit, a_failure_tells_every_cause_and_the_compilers_output) {
  const Document document = parsed_junit(sample_grade());
  EXPECT_THAT(outcome(document, "reduction.v09_tree_unrolled_warp", "clean").text,
              AllOf(HasSubstr("divergent_barrier: "), HasSubstr("out_of_bounds: ")));
  EXPECT_THAT(outcome(document, "reduction.v05_tree_modulo", "builds").text, HasSubstr("1 error generated"));
}

TEST(Junit, what_was_not_decided_is_skipped_with_its_reason) {
  const Document document = parsed_junit(sample_grade());
  const Element waits = outcome(document, "reduction.v05_tree_modulo", "correct");
  EXPECT_EQ(waits.name, "skipped");
  EXPECT_EQ(waits.attributes.at("message"), "waits for reduction.v05_tree_modulo.builds");
  const Element noise = outcome(document, "reduction.v09_tree_unrolled_warp", "fast");
  EXPECT_EQ(noise.name, "skipped");
  EXPECT_THAT(noise.attributes.at("message"), HasSubstr("something else uses this GPU"));
}

TEST(Junit, what_was_not_begun_is_skipped) {
  Grade grade = sample_grade();
  std::erase_if(grade.checks, [](const CheckResult& check) { return !is_not_implemented(check); });
  ASSERT_FALSE(grade.checks.empty());
  const Document document = parsed_junit(grade);
  EXPECT_EQ(document.named("skipped").size(), grade.checks.size());
  EXPECT_EQ(document.named("failure").size(), 0U);
}

TEST(Junit, a_failure_has_its_file_and_line) {
  const Document document = parsed_junit(sample_grade());
  const auto& failed = document.elements[index_of(document, "reduction.v07_tree_sequential", "correct")];
  EXPECT_EQ(failed.attributes.at("file"), "v07_tree_sequential.cu");
  EXPECT_EQ(failed.attributes.at("line"), "31");
  const auto& passed = document.elements[index_of(document, "reduction.v01_atomic_per_element", "builds")];
  EXPECT_EQ(passed.attributes.count("file"), 0U);
}

TEST(Junit, says_when_it_was_graded_without_a_time_zone) {
  Grade grade = sample_grade();
  EXPECT_EQ(parsed_junit(grade).named("testsuite")[0]->attributes.at("timestamp"), "2026-11-22T14:03:11");
  grade.graded_at.clear();
  EXPECT_EQ(parsed_junit(grade).named("testsuite")[0]->attributes.count("timestamp"), 0U);
}

// What windyroad's and Jenkins's schemas allow, without what one of the two refuses.
TEST(Junit, has_the_elements_and_attributes_that_the_schemas_allow) {
  const std::map<std::string, std::set<std::string>> allowed{
      {"testsuites", {}},
      {"testsuite",
       {"id", "package", "name", "hostname", "timestamp", "tests", "failures", "errors", "skipped", "time"}},
      {"properties", {}},
      {"property", {"name", "value"}},
      {"testcase", {"classname", "name", "time", "file", "line"}},
      {"failure", {"type", "message"}},
      {"error", {"type", "message"}},
      {"skipped", {"message"}},
      {"system-out", {}},
      {"system-err", {}}};
  for (const Element& element : parsed_junit(sample_grade()).elements) {
    ASSERT_TRUE(allowed.contains(element.name)) << element.name;
    for (const auto& [name, value] : element.attributes)
      EXPECT_TRUE(allowed.at(element.name).contains(name)) << element.name << " " << name;
  }
}

TEST(Junit, our_fault_is_an_error) {
  const Element error = outcome(parsed_junit(sample_grade()), "reduction.v08_tree_first_add", "clean");
  EXPECT_EQ(error.name, "error");
  EXPECT_EQ(error.attributes.at("type"), "internal");
}

TEST(Junit, says_who_was_graded_on_what_and_the_score) {
  std::map<std::string, std::string> properties;
  const Document document = parsed_junit(sample_grade());
  for (const Element* property : document.named("property")) {
    properties[property->attributes.at("name")] = property->attributes.at("value");
  }
  EXPECT_EQ(properties.at("submission"), "ada");
  EXPECT_EQ(properties.at("gpu.device"), "NVIDIA H200");
  EXPECT_EQ(properties.at("simulator.compiler"), "clang 14.0.6");
  EXPECT_EQ(properties.at("score.points"), "30");
  EXPECT_EQ(properties.at("score.possible"), "82");
  EXPECT_EQ(properties.at("warpmark.version"), "0.1.0");
}

TEST(Junit, stays_well_formed_whatever_comes) {
  const Document document = parsed_junit(hostile_grade());
  EXPECT_EQ(document.named("x").size(), 0U);
  EXPECT_EQ(document.named("testcase").size(), sample_grade().checks.size());
  EXPECT_THAT(document.named("failure").at(0)->text,
              HasSubstr("]]></failure><x a=\"b\" c='d'>&amp;&#0;\\x1b[0m"));
}

TEST(Junit, a_line_end_in_a_message_is_a_space_in_its_attribute) {
  Grade grade = sample_grade();
  for_each_text(grade, [](std::string& text) { text = "one\ntwo"; });
  EXPECT_EQ(parsed_junit(grade).named("failure").at(0)->attributes.at("message"), "one two");
}

TEST(Junit, stays_short_whatever_comes) {
  Grade grade = sample_grade();
  for_each_text(grade, [](std::string& text) { text.append(100000, '<'); });
  EXPECT_EQ(parse_document(to_junit(grade)).error, "");
  EXPECT_LT(to_junit(grade).size(), 4000000U);
}

TEST(Junit, copes_with_a_time_that_is_no_number) {
  Grade grade;
  grade.seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(parsed_junit(grade).named("testsuite").at(0)->attributes.at("time"), "0.000");
}

TEST(Junit, is_read_by_xmllint) {
  if (std::system("command -v xmllint >/dev/null 2>&1") != 0) GTEST_SKIP() << "apt-get install libxml2-utils";
  const std::string path = testing::TempDir() + "warpmark_junit_test.xml";
  for (const Grade& grade : {sample_grade(), hostile_grade()}) {
    std::ofstream(path, std::ios::binary) << to_junit(grade);
    EXPECT_EQ(std::system(("xmllint --nonet --noout '" + path + "'").c_str()), 0);
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace warpmark::junit_tests

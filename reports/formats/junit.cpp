// Renders JUnit XML for CI servers: one testsuite per assignment, one testcase per check. Valid under the two
// common schemas (windyroad's for Ant's format, Jenkins's junit-10.xsd) except for the attributes `file` and
// `line` of a testcase, which GitLab, pytest and GoogleTest use.
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "harness/model/overview.h"
#include "reports/reports.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Maximum lengths in bytes of texts in the XML, because servers keep these files in databases and show them
// in narrow columns; grade.json has the whole text.
constexpr std::size_t kLongestAttribute = 1000;
constexpr std::size_t kLongestText = 20000;
constexpr std::size_t kLongestValue = 1000;

// Newlines are escaped, because XML parsers turn a newline in an attribute into a space.
std::string attribute(std::string_view name, std::string_view text) {
  return fmt::format(" {}=\"{}\"", name, escaped(shortened(visible_line(text), kLongestAttribute)));
}

std::string number_attribute(std::string_view name, std::size_t value) {
  return fmt::format(" {}=\"{}\"", name, value);
}

std::string seconds_attribute(double seconds) {
  return fmt::format(" time=\"{:.3f}\"", std::isfinite(seconds) ? seconds : 0);
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("      <property{}{}/>\n", attribute("name", name), attribute("value", value));
}

void add_line(std::string& text, std::string_view label, std::string_view value) {
  if (!value.empty()) text += fmt::format("{}{}\n", label, shortened(visible_line(value), kLongestValue));
}

std::string text_of(const Cause& cause) {
  std::string text =
      fmt::format("{}: {}\n", name_of(cause.kind), shortened(visible(cause.message), kLongestText));
  add_line(text, "at ", place_of(cause));
  add_line(text, "expected: ", cause.expected);
  add_line(text, "actual: ", cause.actual);
  add_line(text, "input: ", input_line(cause));
  for (const SourceLine& line : cause.excerpt) {
    text += fmt::format("{} {} | {}\n", line.number == cause.line ? '>' : ' ', line.number,
                        shortened(source_line(line.text), kLongestValue));
  }
  add_line(text, "again: ", cause.again);
  if (!cause.printed.empty()) text += "printed:\n" + shortened(visible(cause.printed), kLongestText) + "\n";
  if (!cause.details.empty()) text += shortened(visible(cause.details), kLongestText) + "\n";
  return text;
}

std::string outcome(std::string_view element, const CheckResult& check) {
  std::string type(name_of(check.verdict));
  std::string message = "The grade does not say why.";
  std::string text;
  if (!check.causes.empty()) {
    type = name_of(check.causes.front().kind);
    message = visible(check.causes.front().message);
    for (char& letter : message) {
      if (letter == '\n' || letter == '\t') letter = ' ';
    }
  }
  for (const PointPart& part : check.parts)
    add_line(text, part.reached ? "earned: " : "to earn: ", part_text(part));
  for (const Cause& cause : check.causes) text += text_of(cause);
  if (element == "skipped") return fmt::format("      <skipped{}/>\n", attribute("message", message));
  return fmt::format("      <{0}{1}{2}>{3}</{0}>\n", element, attribute("type", type),
                     attribute("message", message), escaped(text));
}

// Returns the name of the XML element for a check's result; empty if the check passed. A check of a kernel
// file that the student has not started counts as skipped.
std::string_view element_of(const CheckResult& check) {
  switch (check.verdict) {
    case Verdict::passed:
      return "";
    case Verdict::failed:
      return is_not_implemented(check) ? "skipped" : "failure";
    case Verdict::not_run:
    case Verdict::inconclusive:
      return "skipped";
    case Verdict::broken:
      break;
  }
  return "error";
}

// Returns the XML attributes `file` and `line` that state where a failed check's cause is, relative to the
// submission's folder.
std::string place_attributes(const CheckResult& check) {
  if (check.causes.empty() || check.causes.front().file.empty()) return {};
  const Cause& cause = check.causes.front();
  return attribute("file", cause.file) +
         (cause.line > 0 ? number_attribute("line", static_cast<std::size_t>(cause.line)) : "");
}

std::string testcase(const Grade& grade, const CheckResult& check) {
  const std::string group = check.version.empty() ? grade.assignment : grade.assignment + "." + check.version;
  const std::string head =
      fmt::format("    <testcase{}{}{}{}", attribute("classname", group), attribute("name", check.check),
                  seconds_attribute(check.seconds), place_attributes(check));
  const std::string_view element = element_of(check);
  if (element.empty()) return head + "/>\n";
  return fmt::format("{}>\n{}    </testcase>\n", head, outcome(element, check));
}

std::string properties(const Grade& grade) {
  std::string list = "    <properties>\n";
  list += property("submission", grade.submission_name);
  list += property("submission.hash", grade.submission_hash);
  list += property("warpmark.version", grade.tool_version);
  list += property("exit_status", fmt::format("{}", grade.exit_status));
  list += property("score.points", plain_number(grade.score.points));
  list += property("score.possible", plain_number(grade.score.possible));
  list += property("score.open", plain_number(grade.score.open));
  list += property("score.needs_gpu", plain_number(grade.score.needs_gpu));
  if (grade.score.bonus_possible > 0) {
    list += property("score.bonus", plain_number(grade.score.bonus));
    list += property("score.bonus_possible", plain_number(grade.score.bonus_possible));
  }
  for (const EngineUsed& used : grade.engines) {
    list += property(fmt::format("{}.device", name_of(used.engine)), used.device);
    list += property(fmt::format("{}.compiler", name_of(used.engine)), used.compiler);
    if (!used.where.empty()) list += property(fmt::format("{}.where", name_of(used.engine)), used.where);
  }
  if (!grade.sandbox.empty()) list += property("sandbox", grade.sandbox);
  return list + "    </properties>\n";
}

// Returns the time of the grade in UTC as xs:dateTime without a time zone, as both schemas require.
std::string timestamp(const Grade& grade) {
  if (!grade.graded_at.ends_with('Z')) return {};
  return attribute("timestamp", std::string_view(grade.graded_at).substr(0, grade.graded_at.size() - 1));
}

}  // namespace

std::string to_junit(const Grade& grade) {
  std::string cases;
  for (const CheckResult& check : grade.checks) cases += testcase(grade, check);
  const Counts found = counts_of(grade);
  const std::string counts =
      number_attribute("tests", grade.checks.size()) + number_attribute("failures", found.failed) +
      number_attribute("errors", found.broken) +
      number_attribute("skipped", found.not_run + found.inconclusive + found.not_implemented) +
      seconds_attribute(grade.seconds);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite id=\"0\" package=\"warpmark\"{} hostname=\"localhost\"{}{}>\n{}{}"
      "    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n",
      attribute("name", grade.assignment), timestamp(grade), counts, properties(grade), cases);
}

}  // namespace warpmark

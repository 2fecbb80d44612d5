// Writes a grade in the result formats of the autograders of Gradescope and GitHub Classroom.
#include "reports/formats/autograders.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "harness/model/overview.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

using Json = nlohmann::ordered_json;

// Maximum length of one check's output in an autograder's results, in bytes.
constexpr std::size_t kLongestOutput = 8000;

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Formats whole points as integers, because autograders show these numbers unchanged.
Json number(double value) {
  if (std::trunc(value) == value && std::abs(value) < 1e9) return static_cast<std::int64_t>(value);
  return value;
}

std::string cause_text(const CheckResult& check) {
  std::string text(name_of(check.verdict));
  for (const PointPart& part : check.parts)
    text += fmt::format("\n{} {}", part.reached ? "earned" : "to earn", part_text(part));
  for (const Cause& cause : check.causes) {
    text += fmt::format("\n{}{}{}", visible(cause.message), cause.file.empty() ? "" : "\nat ",
                        visible_line(place_of(cause)));
    if (!cause.expected.empty()) text += "\nexpected: " + visible_line(cause.expected);
    if (!cause.actual.empty()) text += "\nactual: " + visible_line(cause.actual);
  }
  return shortened(text, kLongestOutput);
}

// Returns the bonus points of an undecided check that is worth bonus points only; 0 for any other check.
double open_bonus(const CheckResult& check) {
  const bool decided = check.verdict == Verdict::passed || check.verdict == Verdict::failed ||
                       waits_for_another(check) || check.possible > 0;
  return decided ? 0 : check.bonus_possible;
}

Json information(std::string name, std::string output) {
  return {{"name", std::move(name)},
          {"output", std::move(output)},
          {"output_format", "text"},
          {"visibility", "visible"}};
}

}  // namespace

std::string gradescope_results(const Grade& grade, const Adjusted* adjusted) {
  Json tests = Json::array();
  std::size_t count = 0;
  for (const CheckResult& check : grade.checks) {
    Json test{{"name", visible_line(check.id)}, {"number", fmt::format("{}", ++count)}};
    // The score includes bonus points: Gradescope accepts a score above a test's maximum, even if the maximum
    // is 0.
    if (const double open = check.open + open_bonus(check); open > 0) {
      test["output"] = fmt::format("{:g} points are open. {}", open, cause_text(check));
    } else {
      test["score"] = number(check.points + check.bonus);
      test["max_score"] = number(check.possible);
      test["status"] = check.verdict == Verdict::passed ? "passed" : "failed";
      test["output"] = cause_text(check);
    }
    test["output_format"] = "text";
    test["tags"] = Json::array({visible_line(check.check)});
    test["visibility"] = "visible";
    tests.push_back(std::move(test));
  }
  if (grade.score.open > 0) tests.push_back(information("open points", open_text(grade.score)));
  if (adjusted != nullptr) {
    for (const std::string& line : adjusted->lines)
      tests.push_back(information("adjustment", visible_line(line)));
  }
  Json results{{"score", number(adjusted != nullptr ? adjusted->points : grade.score.earned())},
               {"output", score_line(grade.score)},
               {"output_format", "text"},
               {"test_output_format", "text"},
               {"test_name_format", "text"},
               {"visibility", "visible"},
               {"stdout_visibility", "hidden"},
               {"tests", std::move(tests)}};
  if (grade.seconds >= 0) results["execution_time"] = grade.seconds;
  return dumped(results);
}

std::string classroom_result(const Grade& grade, const Adjusted* adjusted) {
  Json tests = Json::array();
  for (const CheckResult& check : grade.checks) {
    const bool passed = check.verdict == Verdict::passed;
    const bool error = check.verdict == Verdict::broken || check.verdict == Verdict::inconclusive;
    Json test{{"name", visible_line(check.id)},
              {"status", passed  ? "pass"
                         : error ? "error"
                                 : "fail"},
              {"score", number(check.points + check.bonus)},
              {"message", passed ? std::string() : cause_text(check)},
              {"test_code", check.causes.empty() ? std::string() : visible_line(check.causes.front().again)},
              {"filename", check.causes.empty() ? std::string() : visible_line(check.causes.front().file)},
              {"line_no", check.causes.empty() ? 0 : check.causes.front().line},
              {"duration", check.seconds}};
    tests.push_back(std::move(test));
  }
  if (adjusted != nullptr) {
    for (const std::string& line : adjusted->lines) {
      tests.push_back({{"name", visible_line(line)},
                       {"status", "pass"},
                       {"score", 0},
                       {"message", ""},
                       {"test_code", ""},
                       {"filename", ""},
                       {"line_no", 0},
                       {"duration", 0}});
    }
  }
  const char* status = grade.exit_status == 0 ? "pass" : grade.exit_status == 1 ? "fail" : "error";
  return dumped(Json{{"version", 1},
                     {"status", status},
                     {"max_score", static_cast<std::int64_t>(std::llround(grade.score.possible))},
                     {"tests", std::move(tests)}});
}

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

}  // namespace warpmark

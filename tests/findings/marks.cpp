#include "tests/findings/marks.h"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include <fmt/format.h>

namespace warpmark::findings {
namespace {

// What shows or not by luck when threads get in each other's way, or when a value was never set: it is no
// news beside one of these findings.
constexpr std::array<std::string_view, 4> kShowsInTheAnswer{"race", "warp_synchronous", "same_word_store",
                                                            "uninitialised_read"};
constexpr std::string_view kScheduleDependent = "schedule_dependent";

bool has(const std::vector<Mark>& marks, const std::string& kind, int line) {
  return std::find(marks.begin(), marks.end(), Mark{kind, line}) != marks.end();
}

// The two lines of a finding come in either order.
bool touches(const Found& found, const Mark& mark) {
  return found.kind == mark.kind && (found.line == mark.line || found.other_line == mark.line);
}

bool is_accepted(const Found& found, const Marks& marks) {
  const auto first = [&](int line) {
    return has(marks.expected, found.kind, line) || has(marks.allowed, found.kind, line);
  };
  const auto second = [&](int line) {
    return line == 0 || first(line) || has(marks.others, found.kind, line);
  };
  if (first(found.line) && second(found.other_line)) return true;
  if (found.other_line != 0 && first(found.other_line) && second(found.line)) return true;
  return found.kind == kScheduleDependent &&
         std::any_of(marks.expected.begin(), marks.expected.end(), [](const Mark& mark) {
           return std::find(kShowsInTheAnswer.begin(), kShowsInTheAnswer.end(), mark.kind) !=
                  kShowsInTheAnswer.end();
         });
}

}  // namespace

Marks marks_of(std::string_view program) {
  static const std::regex mark(R"(\b(EXPECT|MISSING|ALSO|OTHER)(-NEXT)?\((\w+)\))");
  Marks marks;
  std::istringstream text{std::string(program)};
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    for (std::sregex_iterator match(line.begin(), line.end(), mark), end; match != end; ++match) {
      const std::string role = (*match)[1];
      auto& list = role == "EXPECT"    ? marks.expected
                   : role == "MISSING" ? marks.missing
                   : role == "ALSO"    ? marks.allowed
                                       : marks.others;
      const std::string kind = (*match)[3];
      list.push_back({kind, kind == kScheduleDependent ? 0 : number + ((*match)[2].matched ? 1 : 0)});
    }
  }
  return marks;
}

std::vector<std::string> complaints(const Marks& marks, const std::vector<Found>& findings) {
  std::vector<std::string> all;
  for (const Mark& mark : marks.expected) {
    const bool there = std::any_of(findings.begin(), findings.end(),
                                   [&](const Found& found) { return touches(found, mark); });
    if (!there) all.push_back(fmt::format("{} at line {} is not found", mark.kind, mark.line));
  }
  for (const Mark& mark : marks.missing) {
    const bool there = std::any_of(findings.begin(), findings.end(),
                                   [&](const Found& found) { return touches(found, mark); });
    if (there) all.push_back(fmt::format("{} at line {} is found: mark it EXPECT", mark.kind, mark.line));
  }
  for (const Found& found : findings) {
    if (!is_accepted(found, marks))
      all.push_back(
          fmt::format("{} at lines {} and {} was not to be found", found.kind, found.line, found.other_line));
  }
  return all;
}

}  // namespace warpmark::findings

// Every line of every assignment.toml, wrong in every way: a mistake is refused with file, line and rule, or
// the file is still sound; nothing crashes.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/rules/rubric.h"
#include "tests/home.h"

namespace warpmark::judge {
namespace {

constexpr std::array<std::string_view, 20> kWrongValues{"7",
                                                        "0",
                                                        "-1",
                                                        "1.5",
                                                        "nan",
                                                        "9223372036854775807",
                                                        "true",
                                                        "1979-05-27",
                                                        R"("")",
                                                        R"("no_such_name")",
                                                        R"("n + ")",
                                                        R"("n / 0")",
                                                        R"("9223372036854775807 * n")",
                                                        "[]",
                                                        "[-1]",
                                                        "[[1]]",
                                                        R"(["no_such_name"])",
                                                        "{}",
                                                        "[{}]",
                                                        "{no_such_key = 1}"};

// Those of the tool, and one whose submissions are programs.
std::vector<std::string> rules_of_assignments() {
  std::vector<std::string> files;
  for (const std::string& name : names_of_assignments()) files.push_back(home_of(name).rules().string());
  files.emplace_back(WARPMARK_ROOT "/tests/programs/vector_add/assignment.toml");
  return files;
}

// Returns what is wrong with a message: each of its lines must begin with the file and a line of it.
std::string fault_of(const std::string& message, std::size_t lines) {
  for (const std::string& line : lines_of(message)) {
    static constexpr std::string_view kPlace = "assignment.toml:";
    const std::size_t end = line.find(": ");
    if (!line.starts_with(kPlace) || end == std::string::npos || end < kPlace.size()) return line;
    const auto number =
        number_in<std::size_t>(std::string_view(line).substr(kPlace.size(), end - kPlace.size()));
    if (!number || *number == 0 || *number > lines) return line;
  }
  return message.empty() ? "an empty message" : "";
}

class BrokenAssignment : public testing::TestWithParam<std::string> {
 protected:
  // Reads the file with another text in place of a line; returns true if it is refused.
  bool refuses(std::size_t line, const std::string& text) {
    std::vector<std::string> changed = lines_;
    changed[line] = text;
    const auto rubric =
        parse_rubric(fmt::format("{}\n", fmt::join(changed, "\n")), "assignment.toml", "sums");
    if (rubric) return false;
    const std::string fault = fault_of(rubric.error().message, lines_.size() + 2);
    EXPECT_EQ(fault, "") << "line " << line + 1 << " is: " << text;
    return true;
  }

  // Makes each kind of mistake in each line, but only every n-th of the wrong values.
  void expect_places(std::size_t nth) {
    std::size_t refused = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string line = lines_[i];
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == std::string::npos || line[begin] == '#') continue;
      refused += refuses(i, "") ? 1 : 0;
      refused += refuses(i, line + "\n" + line) ? 1 : 0;
      const std::size_t equals = line.find('=');
      if (equals == std::string::npos || std::isalpha(static_cast<unsigned char>(line[begin])) == 0) {
        refused += refuses(i, "[no_such_table]") ? 1 : 0;
        refused += refuses(i, "[[no_such_table]]") ? 1 : 0;
        continue;
      }
      EXPECT_TRUE(refuses(i, "no_such_" + line.substr(begin))) << "nobody knows this key";
      for (std::size_t k = i % nth; k < kWrongValues.size(); k += nth)
        refused += refuses(i, fmt::format("{}= {}", line.substr(0, equals), kWrongValues[k])) ? 1 : 0;
    }
    EXPECT_GT(refused, lines_.size() / 2);
  }

  const std::vector<std::string> lines_ = lines_of(read_file(GetParam()).value());
};
using BrokenAssignmentLong = BrokenAssignment;

TEST_P(BrokenAssignment, is_refused_with_a_place_or_sound) {
  expect_places(7);
}

TEST_P(BrokenAssignmentLong, is_refused_with_a_place_or_sound) {
  expect_places(1);
}

constexpr auto kName = [](const auto& one) {
  return std::filesystem::path(one.param).parent_path().filename().string();
};
INSTANTIATE_TEST_SUITE_P(Of, BrokenAssignment, testing::ValuesIn(rules_of_assignments()), kName);
INSTANTIATE_TEST_SUITE_P(Of, BrokenAssignmentLong, testing::ValuesIn(rules_of_assignments()), kName);

}  // namespace
}  // namespace warpmark::judge

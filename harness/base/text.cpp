#include "harness/base/text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace warpmark {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::vector<std::string> lines_of(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(take_line(text));
  return lines;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // The last three rows of the dynamic-programming table of distances between prefixes of a and b.
  std::array<std::vector<std::size_t>, 3> rows;
  rows.fill(std::vector<std::size_t>(b.size() + 1));
  std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t>& row = rows[i % 3];
    const std::vector<std::size_t>& above = rows[(i + 2) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
    }
  }
  return rows[a.size() % 3].back();
}

std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& known) {
  const auto begins = [&](const std::string& each) { return each.starts_with(word); };
  if (!word.empty() && std::ranges::count_if(known, begins) == 1) return *std::ranges::find_if(known, begins);
  const auto distance = [&](const std::string& each) { return edit_distance(word, each); };
  const auto nearest = std::ranges::min_element(known, {}, distance);
  if (nearest == known.end() || distance(*nearest) > (word.size() + 2) / 3) return std::nullopt;
  return *nearest;
}

std::string replaced(std::string_view text,
                     std::initializer_list<std::pair<char, std::string_view>> replacements) {
  std::string all;
  all.reserve(text.size());
  for (const char c : text) {
    const auto* const found = std::ranges::find(replacements, c, &std::pair<char, std::string_view>::first);
    if (found == replacements.end()) {
      all += c;
    } else {
      all += found->second;
    }
  }
  return all;
}

}  // namespace warpmark

#include "harness/model/grade.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace warpmark {

std::string size_text(const Cause& cause) {
  if (cause.sizes.empty()) return cause.n ? fmt::format("n = {}", *cause.n) : std::string();
  std::string text;
  for (const SizePart& part : cause.sizes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", part.name, part.value);
  return text;
}

std::vector<int> lines_named_by(const Cause& cause, const std::string& file) {
  std::vector<int> lines;
  if (cause.file == file) {
    lines = {cause.line, cause.other_line};
    for (const RacingAccess& access : cause.accesses) lines.push_back(access.line);
  }
  const std::string place = file + ":";
  for (std::size_t at = cause.message.find(place); at != std::string::npos;
       at = cause.message.find(place, at + 1))
    lines.push_back(std::atoi(cause.message.c_str() + at + place.size()));
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::erase(lines, 0);
  return lines;
}

double rounded_points(double points) {
  constexpr double kDecimals = 1e4;
  return std::round(points * kDecimals) / kDecimals;
}

}  // namespace warpmark

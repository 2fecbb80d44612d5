#include "harness/model/grade.h"

#include <cmath>

#include <fmt/format.h>

namespace warpmark {

std::string size_text(const Cause& cause) {
  if (cause.sizes.empty()) return cause.n ? fmt::format("n = {}", *cause.n) : std::string();
  std::string text;
  for (const SizePart& part : cause.sizes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", part.name, part.value);
  return text;
}

double rounded_points(double points) {
  constexpr double kDecimals = 1e4;
  return std::round(points * kDecimals) / kDecimals;
}

}  // namespace warpmark

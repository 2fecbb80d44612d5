#include "harness/judge/rounding.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "harness/base/text.h"

namespace warpmark::judge {
namespace {

constexpr double kRounding = 1e-4;  // largest relative difference that is taken for rounding

bool has_tolerance(const plain::Tolerance& tolerance) {
  return tolerance.relative || tolerance.absolute || tolerance.ulps || tolerance.expected || tolerance.bits;
}

bool is_real(const std::string& type) {
  return type.find("float") != std::string::npos || type.find("double") != std::string::npos;
}

}  // namespace

std::string tolerance_advice(const Rubric& rubric, const Cause& cause) {
  const auto expected = number_in<double>(cause.expected);
  const auto actual = number_in<double>(cause.actual);
  if (!rubric.plain || !expected || !actual) return {};
  if (!(std::abs(*expected - *actual) <= kRounding * std::abs(*expected))) return {};
  const auto wrong = std::ranges::find_if(rubric.plain->buffers, [&](const plain::BufferRule& buffer) {
    return cause.message.starts_with(buffer.name + "[") || cause.message.starts_with(buffer.name + "(");
  });
  if (wrong == rubric.plain->buffers.end() || has_tolerance(wrong->tolerance)) return {};
  if (!is_real(wrong->type == "value_t" ? cause.type : wrong->type)) return {};
  return fmt::format(
      "; the two differ by rounding, and without a tolerance every bit must be right: give the [[buffer]] {} "
      "relative = 1e-5, or absolute = 1e-6 where sums cancel",
      wrong->name);
}

}  // namespace warpmark::judge

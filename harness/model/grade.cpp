#include "harness/model/grade.h"

#include <cmath>

namespace warpmark {

double rounded_points(double points) {
  constexpr double kDecimals = 1e4;
  return std::round(points * kDecimals) / kDecimals;
}

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::load:
      return "load";
    case Phase::call:
      return "call";
    case Phase::between:
      return "between";
  }
  return "call";
}

}  // namespace warpmark

#include "harness/model/grade.h"

#include <cmath>

namespace warpmark {

double rounded_points(double points) {
  constexpr double kDecimals = 1e4;
  return std::round(points * kDecimals) / kDecimals;
}

}  // namespace warpmark

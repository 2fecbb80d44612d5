#include "harness/measure/speedup.h"

#include <algorithm>
#include <cmath>

namespace warpmark::measure {

double log_ratio(const Round& round) {
  return (std::log(round.naive_ms[0]) + std::log(round.naive_ms[1]) - std::log(round.student_ms[0]) -
          std::log(round.student_ms[1])) /
         2;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Estimate estimate(std::span<const Round> rounds) {
  std::vector<double> ratios;
  std::vector<double> naive;
  std::vector<double> student;
  for (const Round& round : rounds) {
    ratios.push_back(log_ratio(round));
    naive.insert(naive.end(), std::begin(round.naive_ms), std::end(round.naive_ms));
    student.insert(student.end(), std::begin(round.student_ms), std::end(round.student_ms));
  }
  return {std::exp(median(ratios)), median(naive), median(student)};
}

Decision decide(const Estimate& estimate, double threshold) {
  return estimate.speedup >= threshold ? Decision::reached : Decision::missed;
}

}  // namespace warpmark::measure

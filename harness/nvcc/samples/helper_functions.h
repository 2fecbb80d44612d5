// What NVIDIA's samples include first.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "helper_string.h"
#include "helper_timer.h"

// True if all values of two arrays differ by at most `tolerance`, but for the share `threshold` of them.
template <class T, class S>
bool compareData(const T* reference, const T* data, unsigned int count, S tolerance, float threshold) {
  unsigned int wrong = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
    wrong += !(std::abs(difference) <= static_cast<double>(tolerance)) ? 1 : 0;
  }
  return static_cast<float>(wrong) <= threshold * static_cast<float>(count);
}
// True if the root of the summed squares of the differences is at most `tolerance` of that of the reference.
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned int count, float tolerance) {
  double error = 0;
  double norm = 0;
  for (unsigned int i = 0; i < count; ++i) {
    error += (reference[i] - data[i]) * (reference[i] - data[i]);
    norm += reference[i] * reference[i];
  }
  return norm > 1e-14 && std::sqrt(error) / std::sqrt(norm) < tolerance;
}

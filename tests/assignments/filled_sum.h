// A case of `reduction` with its input, for the tests of its half of the judge.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tests/assignments/filled.h"

namespace warpmark {

// A problem with its input filled in, and the answer that it takes.
template <class T>
struct FilledSum {
  explicit FilledSum(const Case& which)
      : problem(assignment_called("reduction")->make(which)), values(which.n) {
    problem->fill(0, std::as_writable_bytes(std::span(values)));
  }
  [[nodiscard]] bool accepts(T sum) const {
    return !problem->check(1, std::as_bytes(std::span(&sum, 1))).has_value();
  }

  std::unique_ptr<Problem> problem;
  std::vector<T> values;
};

template <class T>
T sum_as_tree(std::span<const T> values) {
  if (values.size() <= 1) return values.empty() ? 0 : values.front();
  const std::size_t half = values.size() / 2;
  return sum_as_tree(values.first(half)) + sum_as_tree(values.subspan(half));
}

}  // namespace warpmark

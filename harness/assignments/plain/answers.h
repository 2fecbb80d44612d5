// Expected contents of outputs, and the differences between the answers to similar inputs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpmark::plain {

using Bytes = std::vector<std::byte>;

// The expected contents of all outputs, and the tolerance of each number where the course computes it.
struct Answer {
  std::vector<Bytes> contents;  // by buffer; empty for inputs and scratch
  std::vector<Bytes> bounds;    // by buffer; empty if the tolerance is fixed
};

// Places where an answer differs from another one, which keep a small part of its size in memory.
class AnswerChange {
 public:
  // Both must have buffers of the same sizes.
  AnswerChange(const Answer& from, const Answer& to);
  // Makes `to` of `from`, and the other way round.
  void apply(Answer& answer) const;
  void revert(const Answer& from, Answer& answer) const;

 private:
  struct Run {
    std::size_t offset = 0;  // in bytes
    Bytes bytes;             // of `to`
  };
  using Runs = std::vector<std::vector<Run>>;  // by buffer
  Runs contents_;
  Runs bounds_;
};

}  // namespace warpmark::plain

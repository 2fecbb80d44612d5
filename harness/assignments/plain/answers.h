// Expected contents of outputs, and the differences between the answers to similar inputs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpmark::plain {

using Bytes = std::vector<std::byte>;

// The expected contents of all outputs, and the tolerance of each number where the course computes it.
struct Answer {
  std::vector<Bytes> contents;  // expected contents, one entry per buffer; empty for inputs and scratch
  std::vector<Bytes> bounds;    // tolerance per number, by buffer; empty if the tolerance is fixed
};

// Difference between two expected answers, stored as the runs of bytes that differ, to save memory.
class AnswerChange {
 public:
  // Computes the difference between two answers, whose buffers must have the same sizes.
  AnswerChange(const Answer& from, const Answer& to);
  // apply() turns the answer `from` into `to` in place; revert() turns `to` back into `from`.
  void apply(Answer& answer) const;
  void revert(const Answer& from, Answer& answer) const;

 private:
  struct Run {
    std::size_t offset = 0;  // byte offset, in its buffer, of a run of bytes in which two answers differ
    Bytes bytes;             // contents of the run of differing bytes in the answer `to`
  };
  using Runs = std::vector<std::vector<Run>>;  // per buffer: the runs of bytes in which two answers differ
  Runs contents_;
  Runs bounds_;
};

}  // namespace warpmark::plain

#include "harness/assignments/plain/answers.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpmark::plain {
namespace {

// Granularity in bytes at which two answers are compared: each run of differing bytes is a multiple of it,
// except at the end of a buffer.
constexpr std::size_t kWord = 64;

bool equal_at(const Bytes& a, const Bytes& b, std::size_t at) {
  return std::memcmp(a.data() + at, b.data() + at, std::min(kWord, a.size() - at)) == 0;
}

// Calls visit(begin, end) for each range of bytes in which two answers differ.
template <class Visit>
void for_differences(const Bytes& a, const Bytes& b, const Visit& visit) {
  for (std::size_t at = 0; at < a.size(); at += kWord) {
    if (equal_at(a, b, at)) continue;
    const std::size_t begin = at;
    while (at < a.size() && !equal_at(a, b, at)) at += kWord;
    visit(begin, std::min(at, a.size()));
  }
}

}  // namespace

AnswerChange::AnswerChange(const Answer& from, const Answer& to) {
  const auto runs_of = [](const std::vector<Bytes>& before, const std::vector<Bytes>& after) {
    Runs runs(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      for_differences(before[i], after[i], [&](std::size_t begin, std::size_t end) {
        const auto first = after[i].begin() + static_cast<std::ptrdiff_t>(begin);
        runs[i].push_back({begin, Bytes(first, first + static_cast<std::ptrdiff_t>(end - begin))});
      });
    }
    return runs;
  };
  contents_ = runs_of(from.contents, to.contents);
  bounds_ = runs_of(from.bounds, to.bounds);
}

void AnswerChange::apply(Answer& answer) const {
  for (const auto& [runs, buffers] : {std::pair(&contents_, &answer.contents), {&bounds_, &answer.bounds}}) {
    for (std::size_t i = 0; i < runs->size(); ++i) {
      for (const Run& run : (*runs)[i])
        std::memcpy((*buffers)[i].data() + run.offset, run.bytes.data(), run.bytes.size());
    }
  }
}

void AnswerChange::revert(const Answer& from, Answer& answer) const {
  const auto copy_back = [](const Runs& runs, const std::vector<Bytes>& before, std::vector<Bytes>& buffers) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      for (const Run& run : runs[i])
        std::memcpy(buffers[i].data() + run.offset, before[i].data() + run.offset, run.bytes.size());
    }
  };
  copy_back(contents_, from.contents, answer.contents);
  copy_back(bounds_, from.bounds, answer.bounds);
}

}  // namespace warpmark::plain

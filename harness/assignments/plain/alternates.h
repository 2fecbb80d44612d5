// The changed inputs that timed calls get, each with its expected answer, so that no answer of an earlier
// call is right for the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/assignments/plain/answers.h"

namespace warpmark::plain {

// An alternative input for timed calls: the bytes that differ from the original one, and the resulting
// difference of the answer.
struct Alternate {
  std::vector<Patch> changes;
  std::vector<Patch> undo;
  std::optional<AnswerChange> answer = {};
};

// The alternative inputs of one problem, shared by all its copies. Thread-safe.
class Alternates {
 public:
  // Returns a new alternative input for the seed; nullopt if the input cannot be changed. `contents` holds
  // the original input, before and after.
  using Make = std::function<std::optional<Alternate>(std::uint64_t seed, Bytes& contents)>;
  // `inputs`: the problem's inputs, filled before the first use; timed calls change the one at index
  // `changed`.
  Alternates(std::shared_ptr<const std::vector<Bytes>> inputs, std::size_t changed)
      : inputs_(std::move(inputs)), changed_(changed) {}
  // Returns the alternative input of a seed, which is made at its first use. Once making them has taken
  // kSeconds, only those made so far are returned, chosen by the seed, but never `current`. Returns null if
  // there is none to choose from.
  std::shared_ptr<const Alternate> next(std::uint64_t seed, const Alternate* current, const Make& make);

 private:
  std::mutex mutex_;
  std::shared_ptr<const std::vector<Bytes>> inputs_;
  std::size_t changed_;
  Bytes contents_;  // the original input, copied at the first use
  std::map<std::uint64_t, std::shared_ptr<const Alternate>> by_seed_;
  std::vector<std::shared_ptr<const Alternate>> all_;  // in the order in which they were made
  double seconds_ = 0;                                 // time that making them took
};

}  // namespace warpmark::plain

#include "harness/assignments/plain/alternates.h"

#include <chrono>
#include <utility>

#include "harness/assignments/random.h"

namespace warpmark::plain {
namespace {

// Time in seconds to spend on the answers to changed inputs of one problem. A measurement has some 60 to 300
// calls: all of them get an input of their own if an answer takes less than 10 ms, as with `update`.
constexpr double kSeconds = 4;
// Number of alternative inputs that are made however long their answers take.
constexpr std::size_t kLeast = 6;

}  // namespace

std::shared_ptr<const Alternate> Alternates::next(std::uint64_t seed, const Alternate* current,
                                                  const Make& make) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = by_seed_.find(seed); found != by_seed_.end()) return found->second;
  if (all_.size() < kLeast || seconds_ < kSeconds) {
    const auto begin = std::chrono::steady_clock::now();
    if (contents_.empty()) contents_ = (*inputs_)[changed_];
    auto made = make(seed, contents_);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (made) {
      all_.push_back(std::make_shared<const Alternate>(*std::move(made)));
      return by_seed_[seed] = all_.back();
    }
  }
  if (all_.empty()) return nullptr;
  std::size_t chosen = random_below(seed, 0, all_.size());
  if (all_[chosen].get() == current) chosen = (chosen + 1) % all_.size();
  return all_[chosen].get() == current ? nullptr : all_[chosen];
}

}  // namespace warpmark::plain

#include "harness/judge/checks/time_budget.h"

#include <algorithm>
#include <utility>

namespace warpmark::judge {
namespace {

// Lower bounds on a call's time limit and on a kernel file's share of the total time: sufficient for correct
// code on a loaded machine, however much time other kernel files used up.
constexpr std::chrono::seconds kLeastCall{2};
constexpr std::chrono::seconds kLeastShare{5};
constexpr unsigned kMostHalvings = 16;

constexpr int kCallsOverLaunches = 4;

}  // namespace

std::uint64_t launch_seconds(std::chrono::milliseconds call) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(call / kCallsOverLaunches);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(1, seconds.count()));
}

TimeBudget::TimeBudget(const Limits& limits, std::function<Time()> now)
    : limits_(limits), now_(std::move(now)), end_(now_() + limits.submission) {}

TimeBudget::Share& TimeBudget::share_of(const std::string& version) {
  const auto [found, is_new] = shares_.try_emplace(version);
  if (is_new) {
    const std::size_t others = limits_.versions - std::min(limits_.versions, shares_.size());
    const Time now = now_();
    const auto left = std::chrono::duration_cast<Milliseconds>(std::max(end_ - now, Time::duration::zero()));
    const std::size_t rounds = others / std::max(limits_.jobs, 1U) + 1;
    const auto part = std::max<Milliseconds>(left / rounds, kLeastShare);
    found->second = {now, now + part};
  }
  return found->second;
}

TimeBudget::Milliseconds TimeBudget::limit(const std::string& version) {
  const std::scoped_lock lock(mutex_);
  const auto left = std::chrono::duration_cast<Milliseconds>(share_of(version).end - now_());
  const Milliseconds halved{limits_.call.count() >> std::min(time_outs_, kMostHalvings)};
  return std::min(limits_.call, std::max<Milliseconds>(std::min(left, halved), kLeastCall));
}

TimeBudget::Milliseconds TimeBudget::left() {
  const std::scoped_lock lock(mutex_);
  return std::chrono::duration_cast<Milliseconds>(std::max(end_ - now_(), Time::duration::zero()));
}

void TimeBudget::timed_out(const std::string& version) {
  const std::scoped_lock lock(mutex_);
  share_of(version).timed_out = true;
  ++time_outs_;
}

void TimeBudget::does_not_end(const std::string& version) {
  const std::scoped_lock lock(mutex_);
  share_of(version).timed_out = true;
}

void TimeBudget::waited(const std::string& version, std::chrono::steady_clock::duration time) {
  const std::scoped_lock lock(mutex_);
  share_of(version).end += time;
  end_ += time;
}

bool TimeBudget::has_timed_out(const std::string& version) {
  const std::scoped_lock lock(mutex_);
  return share_of(version).timed_out;
}

bool TimeBudget::is_over(const std::string& version) {
  const std::scoped_lock lock(mutex_);
  return now_() >= share_of(version).end;
}

double TimeBudget::share(const std::string& version) {
  const std::scoped_lock lock(mutex_);
  const Share& share = share_of(version);
  return std::chrono::duration<double>(share.end - share.begin).count();
}

}  // namespace warpmark::judge

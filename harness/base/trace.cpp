#include "harness/base/trace.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace warpmark {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

std::atomic<bool> recording{false};

struct Recorded {
  std::mutex mutex;  // guards all other members
  Clock::time_point start;
  std::vector<Trace::Event> events;
  std::set<std::size_t> free_lanes;  // lanes below `lanes` that no thread uses
  std::size_t lanes = 0;
};

Recorded& recorded() {
  static Recorded instance;
  return instance;
}

thread_local TraceSpan* innermost = nullptr;
thread_local std::size_t lane_of_thread = 0;

}  // namespace

Trace::Trace() {
  Recorded& all = recorded();
  const std::scoped_lock lock(all.mutex);
  all.start = Clock::now();
  all.events.clear();
  recording = true;
}

Trace::~Trace() {
  recording = false;
}

std::vector<Trace::Event> Trace::events() const {
  Recorded& all = recorded();
  const std::scoped_lock lock(all.mutex);
  return all.events;
}

std::vector<Trace::Sum> Trace::sums() const {
  std::map<std::string, Sum> by_kind;
  for (const Event& event : events()) {
    Sum& sum = by_kind[event.kind];
    sum.kind = event.kind;
    ++sum.count;
    sum.seconds += event.own_seconds;
    sum.in_all += event.seconds;
  }
  std::vector<Sum> sums;
  for (auto& [kind, sum] : by_kind) sums.push_back(std::move(sum));
  std::ranges::stable_sort(sums, std::ranges::greater{}, &Sum::seconds);
  return sums;
}

TraceSpan::TraceSpan(std::string_view kind, std::string_view name) : kind_(kind), recorded_(recording) {
  if (!recorded_) return;
  name_ = name;
  outer_ = std::exchange(innermost, this);
  if (outer_ == nullptr) {
    // Threads come and go: the next one takes over the lane of one that has no open span.
    Recorded& all = recorded();
    const std::scoped_lock lock(all.mutex);
    lane_of_thread = all.free_lanes.empty() ? all.lanes++ : *all.free_lanes.begin();
    all.free_lanes.erase(lane_of_thread);
  }
  begin_ = Clock::now();
}

TraceSpan::~TraceSpan() {
  if (!recorded_) return;
  const Clock::time_point end = Clock::now();
  const double seconds = seconds_between(begin_, end);
  innermost = outer_;
  Recorded& all = recorded();
  const std::scoped_lock lock(all.mutex);
  if (outer_ != nullptr) {
    outer_->inner_seconds_ += seconds;
  } else {
    all.free_lanes.insert(lane_of_thread);
  }
  if (recording)
    all.events.push_back({std::move(name_), std::string(kind_), lane_of_thread,
                          seconds_between(all.start, begin_), seconds, seconds - inner_seconds_});
}

}  // namespace warpmark

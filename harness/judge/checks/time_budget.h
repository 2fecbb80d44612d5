// Time budget of one submission's `correct` and `clean` checks, divided among its versions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace warpmark::judge {

// Returns the processor time in seconds after which the simulator aborts an endless launch, for a call with
// this wall-time limit. It is short enough that even on a loaded machine the simulator can report the place
// before the judge kills the worker.
std::uint64_t launch_seconds(std::chrono::milliseconds call);

// Thread-safe.
class TimeBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Milliseconds = std::chrono::milliseconds;
  struct Limits {
    Milliseconds submission;
    Milliseconds call;
    std::size_t versions = 1;
    unsigned jobs = 1;  // versions checked concurrently
  };
  explicit TimeBudget(
      const Limits& limits, std::function<Time()> now = [] { return std::chrono::steady_clock::now(); });

  // Returns the time limit of the next request for a version. A version's share begins with its first
  // request: an equal part of the remaining time, at least a few seconds. Each call of the submission that
  // timed out halves the limit of subsequent calls, down to two seconds.
  [[nodiscard]] Milliseconds limit(const std::string& version);
  // Records that a call of the version reached its limit.
  void timed_out(const std::string& version);
  // Records that a call of the version never ends, as found before its limit; other versions' limits stay.
  void does_not_end(const std::string& version);

  // has_timed_out: a call of the version did not return. is_over: its share has expired. In both cases the
  // version must not be called again.
  [[nodiscard]] bool has_timed_out(const std::string& version);
  [[nodiscard]] bool is_over(const std::string& version);
  // Returns the version's share in seconds.
  [[nodiscard]] double share(const std::string& version);

 private:
  struct Share {
    Time begin;
    Time end;
    bool timed_out = false;
  };
  Share& share_of(const std::string& version);

  Limits limits_;
  std::function<Time()> now_;
  std::mutex mutex_;
  Time end_;
  unsigned time_outs_ = 0;
  std::map<std::string, Share> shares_;
};

}  // namespace warpmark::judge

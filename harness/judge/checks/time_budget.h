// The time that one submission may take for `correct` and `clean`, shared out among its versions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace warpmark::judge {

// Seconds of processor time that a launch on the simulator may run without an end in sight, for a call of
// this limit: so much less that the simulator can say where it runs, on a loaded machine as well.
std::uint64_t launch_seconds(std::chrono::milliseconds call);

// Safe to call from several threads.
class TimeBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Milliseconds = std::chrono::milliseconds;
  struct Limits {
    Milliseconds submission;
    Milliseconds call;
    std::size_t versions = 1;
    unsigned jobs = 1;  // versions at a time
  };
  explicit TimeBudget(
      const Limits& limits, std::function<Time()> now = [] { return std::chrono::steady_clock::now(); });

  // For one request on behalf of a version, whose share begins with the first: an equal part of what is left,
  // and never less than a few seconds. Each call of the submission that came to its limit halves the limit of
  // the next ones, down to two seconds.
  [[nodiscard]] Milliseconds limit(const std::string& version);
  // A call of the version came to its limit.
  void timed_out(const std::string& version);
  // A call of the version does not end, which was found out before its limit: the limits of others stay.
  void does_not_end(const std::string& version);

  // Nothing more is asked of a version once one of its calls did not come back, or its share is over.
  [[nodiscard]] bool has_timed_out(const std::string& version);
  [[nodiscard]] bool is_over(const std::string& version);
  // Of the version, in seconds.
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

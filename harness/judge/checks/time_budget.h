// Time budget for the checks `correct` and `clean` of a submission, divided among its kernel files.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace warpmark::judge {

// Returns the processor time in seconds after which the simulator aborts an endless kernel launch, for a call
// with the wall-clock limit `call`. Short enough that even on a loaded machine the simulator can report the
// source line before the judge process kills the worker process.
std::uint64_t launch_seconds(std::chrono::milliseconds call);

// Thread-safe budget of wall-clock time for calls of student code. A "version" in the member functions' names
// is one kernel file of the submission.
class TimeBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Milliseconds = std::chrono::milliseconds;
  struct Limits {
    Milliseconds submission;
    Milliseconds call;
    std::size_t versions = 1;
    unsigned jobs = 1;  // number of kernel files that are checked concurrently
  };
  explicit TimeBudget(
      const Limits& limits, std::function<Time()> now = [] { return std::chrono::steady_clock::now(); });

  // Returns the time limit of the next request for a kernel file. Its share, an equal part of the remaining
  // time but at least a few seconds, begins with its first request. Each timeout in the submission halves the
  // limit of subsequent calls, down to two seconds.
  [[nodiscard]] Milliseconds limit(const std::string& version);
  // Returns what is left of the submission's time; 0 if it is used up.
  [[nodiscard]] Milliseconds left();
  // Records that a call of the kernel file reached its time limit; later calls of all files get less time.
  void timed_out(const std::string& version);
  // Records that a call never ends, as detected before its time limit; other files keep their limits.
  void does_not_end(const std::string& version);

  // Moves the end of the kernel file's share, and of the submission's time, by a time in which no code of it
  // ran.
  void waited(const std::string& version, std::chrono::steady_clock::duration time);

  // has_timed_out(): true if a call of the kernel file did not return. is_over(): true if the file's share of
  // the submission's time has expired. In both cases its code must not be called again.
  [[nodiscard]] bool has_timed_out(const std::string& version);
  [[nodiscard]] bool is_over(const std::string& version);
  // Returns the kernel file's share of the total time, in seconds.
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

// Spans of time of what this process does, for `grade --timeline`.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

// Collects the spans of all threads while it exists. At most one exists at a time; without one, spans cost
// next to nothing.
class Trace {
 public:
  struct Event {
    std::string name;
    std::string kind;          // group of the span in sums(), such as "build"
    std::size_t lane = 0;      // spans of a lane either contain each other or do not overlap
    double begin_seconds = 0;  // since the Trace was made
    double seconds = 0;
    double own_seconds = 0;  // seconds without those of the spans that it contains
  };
  struct Sum {
    std::string kind;
    std::size_t count = 0;
    double seconds = 0;  // sum of the events' own seconds, over all threads
    double in_all = 0;   // the same with the seconds of the spans that they contain
  };

  Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace();

  // The spans that have ended, in the order of their ends.
  [[nodiscard]] std::vector<Event> events() const;
  // One sum per kind, the longest first.
  [[nodiscard]] std::vector<Sum> sums() const;
};

// A span from its construction to its destruction, on one thread. `kind`: of static lifetime.
class TraceSpan {
 public:
  TraceSpan(std::string_view kind, std::string_view name);
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;
  ~TraceSpan();

 private:
  std::string_view kind_;
  std::string name_;
  std::chrono::steady_clock::time_point begin_;
  double inner_seconds_ = 0;  // time of the spans directly inside this one
  TraceSpan* outer_ = nullptr;
  bool recorded_ = false;
};

}  // namespace warpmark

// Observer of a worker without a GPU, for CPU assignments. Reports nothing itself;
// observer_thread_sanitizer.cpp and observer_address_sanitizer.cpp derive observers that report sanitizer
// findings.
#pragma once

#include <cstddef>

#include "harness/worker/observer.h"

namespace warpmark {

// OpenMP keeps the threads of a team for the next parallel region. A HostObserver ends them before each
// reply, so that all threads which then remain, beside the calling one, are the student code's own, and
// starts a team before each timed call of a single process, whose time would otherwise include that. Calls
// that are not timed do without: on a busy machine a team of many threads takes a tenth of a second to meet.
// All calls must come from one thread.
class HostObserver : public Observer {
 public:
  explicit HostObserver(const char* engine) : engine_(engine) {}
  [[nodiscard]] const char* engine() const override { return engine_; }
  [[nodiscard]] sandbox::Filter filter() const override {
    return times_calls() ? sandbox::Filter::sealed_between_calls : sandbox::Filter::sealed;
  }
  std::string start() override { return {}; }
  void prepare_call(bool timed) override;
  void settle() override;
  wire::Observation drain() override { return {}; }

 private:
  const char* engine_;
};

// Starts the calling thread's OpenMP team of default size, unless it exists.
void start_openmp_team();

}  // namespace warpmark

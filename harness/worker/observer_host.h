// Observer of a worker without a GPU, for CPU assignments. Reports nothing itself;
// observer_thread_sanitizer.cpp and observer_address_sanitizer.cpp derive observers that report sanitizer
// findings.
#pragma once

#include <cstddef>

#include "harness/worker/observer.h"

namespace warpmark {

// A HostObserver (observer for CPU assignments) must be created on the thread that calls student code,
// because the constructor starts that thread's OpenMP team, and at most once per process.
class HostObserver : public Observer {
 public:
  explicit HostObserver(const char* engine);
  [[nodiscard]] const char* engine() const override { return engine_; }
  std::string start() override { return {}; }
  void end_call(const void* kept) override;
  wire::Observation drain() override { return {}; }

 private:
  const char* engine_;
  std::size_t usual_threads_;
};

}  // namespace warpmark

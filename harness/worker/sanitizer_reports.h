// What a sanitizer's runtime reports while a version runs, kept until it is asked for. The runtime calls
// functions of fixed names, which the observers define (observer_thread_sanitizer.cpp,
// observer_address_sanitizer.cpp): nothing that is printed is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/cause_kind.h"
#include "harness/base/loaded_object.h"
#include "harness/wire/observation.h"
#include "harness/worker/observer_host.h"

namespace warpmark {

using ReturnAddresses = std::array<void*, 24>;  // innermost first, null behind the last

// Frames in the library of the function that is called; of its other code and of others there are none.
class ReportedLibrary {
 public:
  void set(const void* function);
  [[nodiscard]] std::vector<std::uint64_t> frames(const ReturnAddresses& addresses) const;
  [[nodiscard]] bool holds(const void* address) const {
    return object_.holds(reinterpret_cast<std::uint64_t>(address));
  }
  [[nodiscard]] std::uint64_t code() const { return reinterpret_cast<std::uint64_t>(function_); }
  // Of this thread, now.
  [[nodiscard]] std::vector<std::uint64_t> frames_here() const;

 private:
  const void* function_ = nullptr;
  LoadedObject object_;
};

// Keeps a finding, from any thread. Those that are no more than the first hundred of a call are kept.
void keep_finding(wire::Finding finding);
ReportedLibrary& reported_library();

// Before anything of OpenMP is called: a team has several threads however few cores there are, because one
// alone races with none; ThreadSanitizer is told by OpenMP's own tool what a parallel region orders.
void prepare_openmp();

class SanitizerObserver : public HostObserver {
 public:
  explicit SanitizerObserver(const char* engine) : HostObserver(engine) {}
  // A sanitizer's time is no time.
  [[nodiscard]] bool times_calls() const override { return false; }
  void begin_call(const void* function, const void* stream) override;
  // OpenMP's threads stay: without them its tool for ThreadSanitizer loses what it knows.
  void end_call(const void* /*kept*/) override {}
  wire::Observation drain() override;
};

}  // namespace warpmark

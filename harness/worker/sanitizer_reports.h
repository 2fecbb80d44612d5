// Collects a sanitizer's reports while a version runs. The runtime calls hooks with fixed names, which the
// observers define (observer_thread_sanitizer.cpp, observer_address_sanitizer.cpp); its printed output is not
// parsed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/base/cause_kind.h"
#include "harness/base/loaded_object.h"
#include "harness/wire/observation.h"
#include "harness/worker/observer_host.h"

namespace warpmark {

using ReturnAddresses = std::array<void*, 24>;  // innermost first; the rest is null

// Maps return addresses to frames in the library that holds the called function; addresses elsewhere yield no
// frame.
class ReportedLibrary {
 public:
  void set(const void* function);
  [[nodiscard]] std::vector<std::uint64_t> frames(const ReturnAddresses& addresses) const;
  [[nodiscard]] bool holds(const void* address) const {
    return object_.holds(reinterpret_cast<std::uint64_t>(address));
  }
  [[nodiscard]] std::uint64_t code() const { return reinterpret_cast<std::uint64_t>(function_); }
  // Returns the frames of the current call stack of this thread.
  [[nodiscard]] std::vector<std::uint64_t> frames_here() const;

 private:
  const void* function_ = nullptr;
  LoadedObject object_;
};

// Stores a finding; thread-safe. Keeps the first hundred findings per call.
void keep_finding(wire::Finding finding);
ReportedLibrary& reported_library();

// Configures OpenMP; must precede its first use. Teams get several threads even on one core, because a single
// thread cannot race. Archer is loaded so that ThreadSanitizer knows the happens-before order of parallel
// regions.
void prepare_openmp();

class SanitizerObserver : public HostObserver {
 public:
  explicit SanitizerObserver(const char* engine) : HostObserver(engine) {}
  // Sanitizers slow the code down too much for timing.
  [[nodiscard]] bool times_calls() const override { return false; }
  void begin_call(const void* function, const void* stream) override;
  // Keeps OpenMP's threads alive: ending them would make Archer lose its state.
  void end_call(const void* /*kept*/) override {}
  wire::Observation drain() override;
};

}  // namespace warpmark

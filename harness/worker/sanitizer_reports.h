// Collects a sanitizer's reports while student code runs. The sanitizer's runtime calls hooks with fixed
// names, which observer_thread_sanitizer.cpp and observer_address_sanitizer.cpp define; its printed output is
// not parsed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/base/cause_kind.h"
#include "harness/base/loaded_object.h"
#include "harness/wire/observation.h"
#include "harness/worker/observer_host.h"

namespace warpmark {

// Return addresses of a call stack, innermost first, padded with null.
using ReturnAddresses = std::array<void*, 24>;

// Converts return addresses to stack frames in the student's library that contains the called function.
// Addresses outside of that library are dropped.
class ReportedLibrary {
 public:
  void set(const void* function);
  [[nodiscard]] std::vector<std::uint64_t> frames(const ReturnAddresses& addresses) const;
  [[nodiscard]] bool holds(const void* address) const {
    return object_.holds(reinterpret_cast<std::uint64_t>(address));
  }
  [[nodiscard]] std::uint64_t code() const { return reinterpret_cast<std::uint64_t>(function_); }
  // Returns the frames of this thread's current call stack that lie in the student's library.
  [[nodiscard]] std::vector<std::uint64_t> frames_here() const;

 private:
  const void* function_ = nullptr;
  LoadedObject object_;
};

// Stores a finding, at most one hundred per call. Thread-safe.
void keep_finding(wire::Finding finding);
ReportedLibrary& reported_library();

// Sets OpenMP's environment variables; must precede OpenMP's first use. Teams get several threads even on one
// core, since a single thread cannot race. Loads Archer, so that ThreadSanitizer knows the happens-before
// order of parallel regions.
void prepare_openmp();

class SanitizerObserver : public HostObserver {
 public:
  explicit SanitizerObserver(const char* engine) : HostObserver(engine) { start_openmp_team(); }
  // Returns false: sanitizers slow student code down too much for its time to mean anything.
  [[nodiscard]] bool times_calls() const override { return false; }
  void begin_call(const void* function, const void* stream) override;
  // Keeps OpenMP's threads between calls of student code, unlike the base class: Archer, ThreadSanitizer's
  // tool library for OpenMP, would lose its state if they ended.
  void prepare_call(bool /*timed*/) override {}
  void settle() override {}
  wire::Observation drain() override;
};

}  // namespace warpmark

#include "harness/worker/sanitizer_reports.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "harness/worker/archer.h"
#include "harness/worker/last_look.h"

namespace warpmark {
namespace {

constexpr std::size_t kMostKept = 100;

struct Kept {
  std::mutex mutex;
  std::vector<wire::Finding> findings;
};
Kept& kept() {
  static Kept all;
  return all;
}

}  // namespace

void prepare_openmp() {
  constexpr unsigned kLeastTeam = 4;
  const unsigned team = std::max(kLeastTeam, std::thread::hardware_concurrency());
  ::setenv("OMP_NUM_THREADS", std::to_string(team).c_str(), 1);
  ::setenv("OMP_TOOL_LIBRARIES", archer_library(), 1);
  // The value of TSAN_OPTIONS only keeps Archer, ThreadSanitizer's tool library for OpenMP, from printing
  // advice to set it: the observer itself discards reports about OpenMP's runtime.
  ::setenv("TSAN_OPTIONS", "ignore_noninstrumented_modules=1", 1);
}

void ReportedLibrary::set(const void* function) {
  function_ = function;
  object_ = loaded_object_at(reinterpret_cast<std::uint64_t>(function));
}

std::vector<std::uint64_t> ReportedLibrary::frames(const ReturnAddresses& addresses) const {
  std::vector<std::uint64_t> offsets;
  for (void* const address : addresses) {
    if (address == nullptr) break;
    const auto number = reinterpret_cast<std::uint64_t>(address);
    if (object_.holds(number)) offsets.push_back(number - object_.shift - 1);
  }
  return offsets;
}

std::vector<std::uint64_t> ReportedLibrary::frames_here() const {
  return function_ == nullptr ? std::vector<std::uint64_t>() : frames_in_library_of(function_);
}

ReportedLibrary& reported_library() {
  static ReportedLibrary library;
  return library;
}

void keep_finding(wire::Finding finding) {
  const std::scoped_lock lock(kept().mutex);
  if (kept().findings.size() < kMostKept) kept().findings.push_back(std::move(finding));
}

void SanitizerObserver::begin_call(const void* function, const void* /*stream*/) {
  reported_library().set(function);
}

wire::Observation SanitizerObserver::drain() {
  wire::Observation seen;
  const std::scoped_lock lock(kept().mutex);
  seen.findings = std::exchange(kept().findings, {});
  return seen;
}

}  // namespace warpmark

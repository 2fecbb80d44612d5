#include "harness/simulator/device/runtime/host_notes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace warpmark::simulator {
namespace {

constexpr std::string_view kLaunch = "cudaLaunchKernel";

// True if the runtime function waits for kernels and so returns their errors. cudaFree, for example, does not
// count as a check for errors.
bool asks(std::string_view function) {
  return function.find("Synchronize") != std::string_view::npos || function.starts_with("cudaMemcpy") ||
         function.starts_with("cudaStreamQuery") || function.starts_with("cudaEventQuery");
}

// Returns advice on how to release leaked memory, for a message. Memory whose allocating function is not a
// malloc belongs to an object, such as a library handle, that has to be destroyed.
std::string_view advice_for(Allocation::Kind kind, std::string_view function) {
  if (function.find("lloc") == std::string_view::npos)
    return "destroy what was made there when it is done with";
  return kind == Allocation::Kind::host_pinned ? "call cudaFreeHost when they are done with"
                                               : "call cudaFree when they are done with";
}

}  // namespace

void HostNotes::begin_call() {
  in_call_ = true;
  allocation_count_ = 0;
  allocated_.clear();
  freed_.clear();
}

void HostNotes::end_call(const std::vector<Allocation>& allocations, Address kept,
                         ObservationRecorder& recorder) {
  in_call_ = false;
  if (kept != 0) given_.insert(kept);
  tell_leaks(allocations, recorder);
}

void HostNotes::allocated(Address begin) {
  freed_.erase(begin);
  given_.erase(begin);
  if (on_ || in_call_) {
    allocated_.insert_or_assign(begin, Allocated{++allocation_count_, call_site()});
  } else if (call_site().frames.empty()) {
    given_.insert(begin);
  }
}

void HostNotes::freed(Address begin) {
  given_.erase(begin);
  if (in_call_) freed_.insert_or_assign(begin, call_site());
}

const CallSite* HostNotes::last_site(Address begin) const {
  if (const auto found = freed_.find(begin); found != freed_.end()) return &found->second;
  const auto found = allocated_.find(begin);
  return found == allocated_.end() ? nullptr : &found->second.site;
}

void HostNotes::launching(std::string kernel) {
  if (on_) kernel_ = std::move(kernel);
}

void HostNotes::printed(std::string_view kernel) {
  if (on_) printing_ = kernel;
}

void HostNotes::launched(const Stamp& work) {
  if (printing_.empty()) return;
  prints_.insert_or_assign(work.slot, Print{std::exchange(printing_, {}), call_site(), work});
}

bool HostNotes::because(std::string reason) {
  if (on_) reason_ = std::move(reason);
  return on_;
}

void HostNotes::failed(cudaError_t error, bool told) {
  if (!on_) return;
  std::string reason = std::exchange(reason_, {});
  if (unlooked_) return;  // only the first unchecked CUDA error is kept: later ones are its consequences
  CallSite site = call_site();
  const bool launch = site.function == kLaunch;
  // A runtime function's failure that a finding already reports (such as a rejected copy) is not recorded as
  // an unchecked error as well, unless it is a failed launch.
  if (told && !launch) return;
  unlooked_ = Unlooked{error, launch ? kernel_ : std::string(), std::move(reason), std::move(site)};
}

void HostNotes::answered() {
  if (on_ && unlooked_ && asks(call_site().function)) unlooked_.reset();
}

void HostNotes::tell_prints(const Clock& waited, ObservationRecorder& recorder) const {
  for (const auto& [slot, print] : prints_) {
    if (print.work.is_over_in(waited)) continue;
    recorder.found(
        CauseKind::missing_synchronize, print.kernel,
        fmt::format("{} printed, and the program ended without waiting for it: on a GPU nothing of that "
                    "is seen; call cudaDeviceSynchronize() before the program ends",
                    print.kernel),
        print.site);
  }
}

void HostNotes::tell_leaks(const std::vector<Allocation>& allocations, ObservationRecorder& recorder) const {
  // Leaks from one call site are reported as one finding.
  struct Leak {
    std::size_t count = 0;
    std::size_t bytes = 0;
    Allocation::Kind kind = Allocation::Kind::device;
    const Allocated* first = nullptr;
  };
  std::map<std::vector<std::uint64_t>, Leak> leaks;
  for (const Allocation& allocation : allocations) {
    const auto known = allocated_.find(allocation.begin);
    if (allocation.adopted || known == allocated_.end()) continue;
    if (given_.contains(allocation.begin)) continue;
    Leak& leak = leaks[known->second.site.frames];
    ++leak.count;
    leak.bytes += allocation.bytes;
    leak.kind = allocation.kind;
    if (leak.first == nullptr || known->second.number < leak.first->number) leak.first = &known->second;
  }
  std::vector<Leak> sorted;
  sorted.reserve(leaks.size());
  for (const auto& [frames, leak] : leaks) sorted.push_back(leak);
  std::ranges::sort(sorted, {}, [](const Leak& leak) { return leak.first->number; });
  for (const Leak& leak : sorted) {
    const std::string what = leak.count == 1
                                 ? fmt::format("{} bytes", leak.bytes)
                                 : fmt::format("{} bytes in {} allocations", leak.bytes, leak.count);
    recorder.found(CauseKind::leak, "",
                   fmt::format("{} of {} (allocation {} of the program) were never freed; {}", what,
                               leak.first->site.function, leak.first->number,
                               advice_for(leak.kind, leak.first->site.function)),
                   leak.first->site);
  }
}

void HostNotes::tell(int status, const std::vector<Allocation>& allocations, const Clock& waited,
                     ObservationRecorder& recorder) const {
  if (!on_) return;
  tell_leaks(allocations, recorder);
  tell_prints(waited, recorder);
  if (!unlooked_) return;
  const std::string error =
      fmt::format("{}{}{} ({})", unlooked_->reason, unlooked_->reason.empty() ? "" : ": ",
                  cudaGetErrorName(unlooked_->error), cudaGetErrorString(unlooked_->error));
  if (!unlooked_->kernel.empty()) {
    recorder.found(
        CauseKind::unchecked_error, unlooked_->kernel,
        fmt::format("the launch of {} failed, and the program never asked: {}; test cudaGetLastError() after "
                    "each launch, and what cudaDeviceSynchronize() returns before an answer is used",
                    unlooked_->kernel, error),
        unlooked_->site);
  } else if (status == EXIT_SUCCESS) {
    // An unchecked CUDA error is reported only if the program exits with status 0: a program that checks for
    // errors either exits with a nonzero status or has cleared the error.
    recorder.found(
        CauseKind::unchecked_error, "",
        fmt::format("{} failed, and the program ended as if all had gone well: {}; test what each CUDA "
                    "function returns",
                    unlooked_->site.function, error),
        unlooked_->site);
  }
}

}  // namespace warpmark::simulator

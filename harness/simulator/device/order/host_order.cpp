// Checks host accesses to memory that pending (not yet synchronised) device work uses, and reports those that
// lack a synchronisation.
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/device/order/order.h"
#include "harness/simulator/device/runtime/observation_recorder.h"

namespace warpmark::simulator {
namespace {

struct UsedBytes {
  const Range* range = nullptr;
  bool work_writes = false;
  // true: a kernel updates the range by atomics of device scope, which do not exclude atomics of the host
  bool by_atomics = false;
};

// Returns the first range used by pending device work that conflicts with a host access; a null range if
// there is no conflict.
UsedBytes used_in(const Footprint& bytes, HostAccess access, const std::vector<Range>& accessed) {
  const auto in = [&](const std::vector<Range>& ranges) -> const Range* {
    const auto common = overlap(ranges, accessed);
    return common ? range_at(ranges, common->begin()) : nullptr;
  };
  if (const Range* written = in(bytes.writes)) return {written, true};
  if (const Range* updated = in(bytes.updates)) return {updated, true, true};
  if (!is_atomic(access)) {
    if (const Range* updated = in(bytes.system_updates)) return {updated, true};
  }
  if (is_read(access)) return {};
  return {in(bytes.reads), false};
}

// Returns the subject and verb with which a message about a host access to memory in use begins, e.g. "host
// code reads" or "cudaHostUnregister takes back".
std::string subject_of(HostAccess access, std::string_view function) {
  std::string_view does = "takes back";
  if (is_read(access)) does = "reads";
  if (access == HostAccess::write || access == HostAccess::atomic_write) does = "writes to";
  return fmt::format("{} {}", function.empty() ? "host code" : function, does);
}

}  // namespace

void Order::host_accessed(HostAccess access, Address begin, Address end, const CallSite& site,
                          ObservationRecorder& recorder) {
  forget_what_is_over();
  const std::vector<Range> accessed{{begin, end, 0}};
  for (DeviceWork& work : pending_) {
    if (work.told || work.footprint.talks) continue;
    const UsedBytes hit = used_in(work.footprint, access, accessed);
    if (hit.range == nullptr) continue;
    const std::string& place = work.footprint.places.at(hit.range->place);
    const std::string_view remedy =
        is_atomic(access) && hit.by_atomics
            ? "An atomic operation like atomicAdd() holds for its device alone: use the form for the whole "
              "system, atomicAdd_system(), or call"
            : "Call";
    recorder.found({.kind = CauseKind::missing_synchronize,
                    .kernel = {},
                    .file = {},
                    .message = fmt::format(
                        "{} memory that {} {}{}, and nothing has waited for that: it may not have ended, or "
                        "not even have begun. {} cudaDeviceSynchronize() first, or cudaStreamSynchronize for "
                        "its stream",
                        subject_of(access, site.function), work.name, hit.work_writes ? "writes" : "reads",
                        place.empty() ? "" : " (" + place + ")", remedy),
                    .frames = site.frames,
                    .other_frames = work.site.frames,
                    .other_in_launch = !work.kernel.empty()});
    work.told = true;
    changed_ = true;
  }
}

void Order::add_watches(const std::vector<Range>& ranges, bool readable, bool atomic,
                        std::vector<Watch>& to) const {
  for (const Range& range : ranges) {
    if (memory_.in_range(range.begin)) continue;
    const auto allocation = memory_.find(range.begin);
    if (!allocation || allocation->freed) continue;
    // Whole pages are watched only for registered memory below 128 KiB: malloc gives larger blocks an mmap of
    // their own, so no other data shares their pages.
    constexpr std::size_t kOwnPages = std::size_t{128} << 10;
    const bool whole_pages = allocation->adopted && allocation->bytes < kOwnPages;
    to.push_back({range.begin, range.end, readable, atomic, whole_pages});
  }
}

std::optional<std::vector<Watch>> Order::changed_watches() {
  forget_what_is_over();
  if (!std::exchange(changed_, false)) return std::nullopt;
  std::vector<Watch> watches;
  for (const DeviceWork& work : pending_) {
    if (work.told || work.footprint.talks) continue;
    add_watches(work.footprint.writes, false, false, watches);
    add_watches(work.footprint.updates, false, false, watches);
    add_watches(work.footprint.system_updates, false, true, watches);
    add_watches(work.footprint.reads, true, false, watches);
  }
  std::ranges::sort(watches, {}, [](const Watch& watch) {
    return std::tuple(watch.begin, watch.readable, watch.atomic, watch.end);
  });
  // Merges adjacent watchpoints of the same kind on host memory. If there are too many, also merges across
  // gaps of up to one page.
  std::vector<Watch> merged;
  const bool many = watches.size() > kMostWatches;
  constexpr Address kGap = 4096;
  for (const Watch& watch : watches) {
    const bool joins = !merged.empty() && merged.back().readable == watch.readable &&
                       merged.back().atomic == watch.atomic &&
                       watch.begin <= merged.back().end + (many ? kGap : 0);
    if (joins) {
      merged.back().end = std::max(merged.back().end, watch.end);
    } else {
      merged.push_back(watch);
    }
  }
  merged.resize(std::min(merged.size(), kMostWatches));
  if (merged == watches_) return std::nullopt;
  watches_ = merged;
  return merged;
}

}  // namespace warpmark::simulator

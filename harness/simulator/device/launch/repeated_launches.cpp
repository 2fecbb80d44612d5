#include "harness/simulator/device/launch/repeated_launches.h"

#include <algorithm>
#include <cstring>

#include "harness/simulator/watch/footprint.h"

namespace warpmark::simulator {
namespace {

// Maximum number of kernel launches whose outcome is cached for replay; more than one, because a loop may
// launch several kernels in turn.
constexpr std::size_t kKnown = 16;

std::vector<std::byte> bytes_of_arguments(const LaunchParameters& launch) {
  std::vector<std::byte> bytes;
  const auto sizes = parameter_sizes(*launch.kernel);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto* begin = static_cast<const std::byte*>(launch.arguments[i]);
    bytes.insert(bytes.end(), begin, begin + sizes[i]);
  }
  return bytes;
}

bool same_size(Dim3 a, Dim3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool same_shape(const LaunchParameters& a, const LaunchParameters& b) {
  return a.kernel == b.kernel && same_size(a.grid, b.grid) && same_size(a.block, b.block) &&
         same_size(a.cluster, b.cluster) && a.dynamic_shared_bytes == b.dynamic_shared_bytes &&
         a.device == b.device && a.peers == b.peers && a.cooperative == b.cooperative;
}

// True if two sets of launch options agree in everything that affects the outcome of a completed launch.
bool same_way(const LaunchOptions& a, const LaunchOptions& b) {
  return a.schedule == b.schedule && a.check_accesses == b.check_accesses && a.count_work == b.count_work &&
         a.keep_costly == b.keep_costly && a.first_block == b.first_block;
}

}  // namespace

const Outcome* RepeatedLaunches::outcome_of(const LaunchParameters& launch, const LaunchOptions& options,
                                            const DeviceMemory& memory, bool with_footprint) {
  if (changes_ != memory.changes()) {
    known_.clear();
    changes_ = memory.changes();
  }
  const auto bytes = bytes_of_arguments(launch);
  const auto found = std::ranges::find_if(known_, [&](const Known& each) {
    return same_shape(each.launch, launch) && same_way(each.options, options) && each.arguments == bytes &&
           (!with_footprint || each.footprint != nullptr);
  });
  if (found == known_.end()) return nullptr;
  if (with_footprint) options.footprint->is(found->footprint);
  return &found->outcome;
}

void RepeatedLaunches::ran(const LaunchParameters& launch, const LaunchOptions& options,
                           const Outcome& outcome, std::uint64_t before, const DeviceMemory& memory,
                           bool with_footprint) {
  if (!outcome.repeatable || before != memory.changes()) {
    known_.clear();
    return;
  }
  // The outcome of a launch with child launches is not cached if the caller wants the launch's accessed
  // ranges: those recorded here lack the accesses of the children.
  if (with_footprint && !outcome.children.empty()) return;
  if (known_.size() == kKnown) known_.erase(known_.begin());
  known_.push_back({launch, options, bytes_of_arguments(launch), outcome,
                    with_footprint ? options.footprint->keep(program_of(*launch.kernel)) : nullptr});
  // The remembered launch outlives the call, so its pointers to caller-owned objects (argument values and
  // footprint recorder) are cleared.
  known_.back().launch.arguments = nullptr;
  known_.back().options.footprint = nullptr;
}

}  // namespace warpmark::simulator

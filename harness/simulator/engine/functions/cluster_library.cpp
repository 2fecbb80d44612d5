// Instruction handlers for calls of the thread block cluster functions: block rank in the cluster, and
// address mapping between the shared memories of the cluster's blocks (map_shared_rank).
#include <array>

#include "harness/simulator/engine/functions/call_frame.h"
#include "harness/simulator/engine/functions/device_library.h"
#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/cluster.h"

namespace warpmark::simulator::device_library {

void cluster_place(Context& c, const Instruction& i) {
  const CallFrame<std::uint32_t, std::uint32_t> call(c, i);
  const Block& block = c.warp->block();
  const Dim3 at = block.cluster() != nullptr ? block.index_in_cluster() : Dim3{0, 0, 0};
  const Dim3& size = c.warp->block().launch().cluster;
  const std::array<std::uint32_t, 7> values{
      block.rank_in_cluster(), at.x, at.y, at.z, size.x, size.y, size.z};
  for_each_active(c, [&](unsigned lane) {
    const auto [which] = call.arguments(lane);
    call.give(lane, values[which % values.size()]);
  });
}

// Maps a shared-memory address to the same offset in the shared memory of the cluster's block with the given
// rank, which may be the calling block itself.
void map_shared(Context& c, const Instruction& i) {
  const CallFrame<Address, Address, std::uint32_t> call(c, i);
  const Block& block = c.warp->block();
  for_each_active(c, [&](unsigned lane) {
    const auto [pointer, rank] = call.arguments(lane);
    const Address offset = pointer - c.shared_window;
    if (offset >= kWindowBytes) return call.give(lane, pointer);
    // map_shared_rank() with an invalid block rank returns an address that no block of the cluster owns, so
    // that an access to it is reported.
    const Address step = rank < kWindowBytes / kClusterStep - 1 ? rank + 1 : kWindowBytes / kClusterStep - 1;
    const bool own = rank == block.rank_in_cluster();
    call.give(lane, c.shared_window + offset % kClusterStep + (own ? 0 : step * kClusterStep));
  });
}

void shared_rank(Context& c, const Instruction& i) {
  const CallFrame<std::uint32_t, Address> call(c, i);
  for_each_active(c, [&](unsigned lane) {
    const auto [pointer] = call.arguments(lane);
    const Address step = (pointer - c.shared_window) / kClusterStep;
    call.give(lane, step == 0 ? c.warp->block().rank_in_cluster() : static_cast<std::uint32_t>(step - 1));
  });
}

}  // namespace warpmark::simulator::device_library

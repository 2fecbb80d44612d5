#include "harness/simulator/device/runtime/launch_faults.h"

#include <fmt/format.h>

#include "harness/simulator/device/runtime/runtime.h"
#include "harness/simulator/engine/machine/cluster.h"

namespace warpmark::simulator {
namespace {

bool within(dim3 size, Dim3 limit) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limit.x && size.y <= limit.y &&
         size.z <= limit.z;
}

std::string text_of(dim3 size) {
  return fmt::format("({}, {}, {})", size.x, size.y, size.z);
}

}  // namespace

std::uint64_t threads_of(dim3 block) {
  return std::uint64_t{block.x} * block.y * block.z;
}

std::uint64_t blocks_of(Dim3 cluster) {
  return std::uint64_t{cluster.x} * cluster.y * cluster.z;
}

std::string shape_fault(dim3 grid, dim3 block) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return fmt::format(
        "a grid of 0 blocks, {}. If there is nothing to do (n = 0), return before the launch; otherwise "
        "round "
        "the number of blocks up: (n + threads - 1) / threads",
        text_of(grid));
  }
  if (threads_of(block) == 0) return fmt::format("blocks of 0 threads, {}", text_of(block));
  if (!within(grid, kLargestGrid)) {
    return fmt::format("a grid of {} blocks; there are at most ({}, {}, {})", text_of(grid), kLargestGrid.x,
                       kLargestGrid.y, kLargestGrid.z);
  }
  if (!within(block, kLargestBlock) || threads_of(block) > kThreadsPerBlock) {
    return fmt::format(
        "blocks of {} threads, {}; a block has at most {} threads, in each direction at most ({}, {}, {})",
        threads_of(block), text_of(block), kThreadsPerBlock, kLargestBlock.x, kLargestBlock.y,
        kLargestBlock.z);
  }
  return {};
}

std::string cluster_fault(dim3 grid, Dim3 asked, Dim3 own, bool cooperative) {
  const auto text = [](Dim3 size) { return fmt::format("({}, {}, {})", size.x, size.y, size.z); };
  const Dim3 cluster = blocks_of(asked) != 0 ? asked : own;
  if (blocks_of(own) != 0 && (cluster.x != own.x || cluster.y != own.y || cluster.z != own.z)) {
    return fmt::format(
        "clusters of {} blocks, and the kernel has __cluster_dims__{}: leave the attribute out",
        text(cluster), text(own));
  }
  if (blocks_of(cluster) > kMostBlocksInCluster) {
    return fmt::format("clusters of {} blocks, {}; a cluster has at most {} blocks", blocks_of(cluster),
                       text(cluster), kMostBlocksInCluster);
  }
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return fmt::format(
        "a grid of {} blocks in clusters of {}; in each direction the grid has to be a multiple of the "
        "cluster: "
        "round it up",
        text_of(grid), text(cluster));
  }
  return cooperative && blocks_of(cluster) > 1 ? "clusters in a cooperative launch, which are not simulated"
                                               : "";
}

}  // namespace warpmark::simulator

// Wire format of a call's patches (small writes into device buffers): adjacent patches are merged into runs,
// because a second call with other data patches its whole input, eight bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/wire/request.h"

namespace warpmark::wire {

// A run of adjacent patches (small writes): eight bytes per entry of `values`, fewer for the last one. A run
// of one entry may have any size.
struct PatchRun {
  View where;
  std::vector<std::uint64_t> values;
};

// Merges patches (small writes into device buffers) into runs of adjacent ones, without changing their order.
std::vector<PatchRun> runs_of(const std::vector<Patch>& patches);

// Appends the patches of a run, the inverse of runs_of(). Returns false and appends nothing if the run's size
// does not match its values or there would be more than `most` patches.
bool append_patches(const PatchRun& run, std::vector<Patch>& patches, std::size_t most);

}  // namespace warpmark::wire

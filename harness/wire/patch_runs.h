// How the patches of a call are written: values that lie side by side as one run. A second call with other
// data patches all of its input, eight bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/wire/request.h"

namespace warpmark::wire {

// Eight bytes for each value, the last one's may be fewer. One value alone may have any number of bytes.
struct PatchRun {
  View where;
  std::vector<std::uint64_t> values;
};

// In the order of the patches.
std::vector<PatchRun> runs_of(const std::vector<Patch>& patches);

// Appends the patches of a run, as runs_of() got them. False, and nothing appended, when its bytes are not
// those of its values, or there would be more than `most` patches.
bool append_patches(const PatchRun& run, std::vector<Patch>& patches, std::size_t most);

}  // namespace warpmark::wire

#include "harness/wire/patch_runs.h"

#include <algorithm>

namespace warpmark::wire {
namespace {

constexpr std::uint64_t kBytes = sizeof(Patch::value);

// Returns true if the patch (a small write into a device buffer) begins where the run of adjacent patches
// ends, so that it can be appended to the run.
bool goes_on(const PatchRun& run, const Patch& patch) {
  return run.where.bytes == kBytes * run.values.size() && patch.where.bytes > 0 &&
         patch.where.bytes <= kBytes && patch.where.offset > run.where.offset &&
         patch.where.offset - run.where.offset == run.where.bytes && patch.where.buffer == run.where.buffer;
}

}  // namespace

std::vector<PatchRun> runs_of(const std::vector<Patch>& patches) {
  std::vector<PatchRun> runs;
  for (const Patch& patch : patches) {
    if (runs.empty() || !goes_on(runs.back(), patch)) {
      runs.push_back({patch.where, {patch.value}});
      continue;
    }
    runs.back().where.bytes += patch.where.bytes;
    runs.back().values.push_back(patch.value);
  }
  return runs;
}

bool append_patches(const PatchRun& run, std::vector<Patch>& patches, std::size_t most) {
  const std::size_t count = run.values.size();
  if (count == 0 || count > most - std::min(most, patches.size())) return false;
  if (count == 1) {
    patches.push_back({run.where, run.values.front()});
    return true;
  }
  const std::uint64_t before_last = kBytes * (count - 1);
  const bool whole = run.where.bytes > before_last && run.where.bytes - before_last <= kBytes &&
                     run.where.offset <= UINT64_MAX - run.where.bytes;
  if (!whole) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t at = kBytes * i;
    patches.push_back(
        {{run.where.buffer, run.where.offset + at, std::min(kBytes, run.where.bytes - at)}, run.values[i]});
  }
  return true;
}

}  // namespace warpmark::wire

// Detects reads of uninitialised elements of local arrays. Local memory has no shadow cells. Instead, it is
// filled with a pattern before use, and repeated loads of the pattern are taken as evidence.
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {
namespace {

// Loads of the fill pattern by one instruction in one block that cause a report. Fewer may be coincidence.
constexpr unsigned kEnough = 4;

bool holds_pattern(const std::byte* words, unsigned width) {
  constexpr std::uint32_t kPattern = 0x01010101U * kUndefinedByte;
  for (unsigned byte = 0; byte < width; byte += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, words + byte / 4 * kRowBytes, sizeof word);
    if (word != kPattern) return false;
  }
  return true;
}

}  // namespace

void BlockShadow::read_local(const Context& context, const Instruction& load, std::uint32_t lanes,
                             const Located& at, const Slots& slots) {
  if (!launch_.local_arrays || load.width < 4) return;
  std::uint32_t undefined = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const bool row = at.kind == Located::Kind::row;
    const std::byte* words = row ? at.row + std::size_t{4} * lane : slots[lane].host;
    if (holds_pattern(words, load.width)) undefined |= 1U << lane;
  }
  if (undefined == 0) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(undefined));
  const Address window = load.space == ptx::Space::none ? context.local_window : 0;
  const std::size_t offset = context.addresses[lane] - window - context.warp->frame_begin();
  const auto& arrays = context.warp->function().arrays;
  const auto array = std::find_if(arrays.begin(), arrays.end(), [&](const ptx::LocalArray& each) {
    return each.element == load.width && offset - each.offset < each.bytes;
  });
  if (array == arrays.end()) return;
  unsigned& seen = undefined_reads_[load.location];
  const bool enough = seen < kEnough;
  seen += static_cast<unsigned>(std::popcount(undefined));
  if (!enough || seen < kEnough) return;
  const ptx::Location& place = block_.location(load);
  Finding finding{.kind = CauseKind::uninitialised_read,
                  .kernel = block_.launch().kernel.display_name,
                  .file = {},
                  .line = 0,
                  .other_line = 0,
                  .message = fmt::format("{} of {} reads {}[{}]{}, which it has not set: {} is an array of "
                                         "each thread's own, in local memory; "
                                         "declare it __shared__ if the threads of the block are to share it, "
                                         "else set every element before it "
                                         "is read",
                                         block_.thread_name(*context.warp, lane), block_.block_name(),
                                         array->name, (offset - array->offset) / array->element,
                                         block_.callers(place, context.warp), array->name)};
  block_.set_source(finding, place);
  block_.launch().log.add(std::move(finding), block_.position());
}

}  // namespace warpmark::simulator

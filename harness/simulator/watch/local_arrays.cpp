// Explains reads of uninitialised memory, and detects those of local arrays. Local memory has no shadow
// cells. Instead, it is filled with a pattern before use, and repeated loads of the pattern are taken as
// evidence.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

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

// Returns the end of the message for an uninitialised read: why the memory is undefined, and the remedy.
std::string BlockShadow::why_undefined(const Touch& touch, unsigned lane, std::uint32_t undefined) const {
  constexpr std::string_view kInBytes =
      "cudaMemset and cudaMemcpy take a number of bytes, count * sizeof(element)";
  const int missing = std::popcount(undefined);
  if (!touch.shared && missing < static_cast<int>(touch.width))
    return fmt::format(": only {} of its {} bytes was set; {}; set the others to 0, too",
                       static_cast<int>(touch.width) - missing, touch.width, kInBytes);
  if (!touch.shared) {
    const Address address = touch.addresses[lane];
    const AllocationView* in = allocation_below(block_.launch(), address);
    const std::size_t before = in == nullptr ? 0 : address - in->allocation.begin;
    const auto unset = launch_.global.defined.undefined_in(touch.place(lane) - before, before + touch.width);
    // One run of bytes was set, at the beginning of the memory.
    if (unset.first > 0 && unset.first + unset.bytes == before + touch.width)
      return fmt::format(
          ", which is uninitialised: of the {} bytes up to its end only the first {} were set; {}",
          before + touch.width, unset.first, kInBytes);
    return ", which is uninitialised: device memory begins undefined, that of a workspace, too, so fill it "
           "by "
           "cudaMemset, cudaMemcpy or a kernel first";
  }
  const Dim3& size = block_.launch().block;
  const unsigned threads = size.x * size.y * size.z;
  if (block_.live() == threads)
    return ", which is uninitialised: a block's shared memory begins undefined, so set every element first";
  return fmt::format(
      ", which no thread has set: {} of the {} threads of the block have returned before; let all of them "
      "stay until the last barrier, and set an element to 0 where there is no value for it",
      threads - block_.live(), threads);
}

}  // namespace warpmark::simulator

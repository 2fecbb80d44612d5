#include "harness/simulator/device/runtime/handovers.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

// FNV-1a, cut to the integers that a message can hold (wire::kMostCount).
class Digest {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) value_ = (value_ ^ std::to_integer<std::uint64_t>(byte)) * kPrime;
  }
  void add(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }
  [[nodiscard]] std::uint64_t value() const { return (value_ >> 12) ^ (value_ & 0xFFF); }

 private:
  static constexpr std::uint64_t kPrime = 0x100000001B3;
  std::uint64_t value_ = 0xCBF29CE484222325;
};

// Adds a number to the digest: an address of memory that a kernel can reach as an offset in its allocation,
// the allocation's size and its place among the live ones of that size; anything else as it is.
void add_word(Digest& digest, const DeviceMemory& memory, std::uint64_t word) {
  const auto allocation = memory.nearest(word);
  if (!allocation) return digest.add(word);
  digest.add(word - allocation->begin);
  digest.add(allocation->bytes);
  digest.add(
      static_cast<std::uint64_t>(std::ranges::count_if(memory.allocations(), [&](const Allocation& each) {
        return each.bytes == allocation->bytes && each.begin < allocation->begin;
      })));
}

std::uint64_t digest_of(const DeviceMemory& memory, std::span<const std::byte> bytes) {
  Digest digest;
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    add_word(digest, memory, word);
    bytes = bytes.subspan(sizeof word);
  }
  digest.add(bytes);
  return digest.value();
}

std::uint64_t digest_of(const DeviceMemory& memory, const void* address) {
  Digest digest;
  if (memory.nearest(address_of(address))) add_word(digest, memory, address_of(address));
  return digest.value();
}

bool is_wanted(Runtime& runtime) {
  return runtime.options().note_handovers != 0;
}

bool is_within(const Range& range, const std::vector<Range>& others) {
  return std::ranges::any_of(
      others, [&](const Range& other) { return range.begin < other.end && other.begin < range.end; });
}

}  // namespace

void note_launch(Runtime& runtime, const Kernel& kernel, dim3 grid, dim3 block, std::size_t shared_bytes,
                 const void* const* arguments) {
  if (!is_wanted(runtime)) return;
  wire::Handover handover{.what = std::string(display_name(kernel)), .launch = true};
  handover.values = {grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes};
  const auto sizes = parameter_sizes(kernel);
  const auto reads = parameter_reads(kernel);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto* bytes = static_cast<const std::byte*>(arguments[i]);
    std::vector<std::byte> read(bytes, bytes + sizes[i]);
    for (std::size_t at = 0; at < read.size(); ++at) {
      if (!reads[i][at]) read[at] = {};
    }
    handover.values.push_back(digest_of(runtime.memory, read));
  }
  handover.frames = call_site().frames;
  runtime.recorder.handed_over(std::move(handover));
}

void note_copy(Runtime& runtime, std::string_view function, const void* to, const void* from,
               std::span<const std::byte> bytes, wire::Direction direction) {
  if (!is_wanted(runtime)) return;
  wire::Handover handover{.what = std::string(function),
                          .to_host = direction == wire::Direction::device_to_host};
  handover.values = {bytes.size(), digest_of(runtime.memory, to), digest_of(runtime.memory, from)};
  // What lies in device memory before and after a copy is the kernels' affair.
  if (direction != wire::Direction::device_to_device)
    handover.values.push_back(digest_of(runtime.memory, bytes));
  handover.frames = call_site().frames;
  runtime.recorder.handed_over(std::move(handover));
}

void note_set(Runtime& runtime, std::string_view function, const void* to, int value, std::size_t bytes) {
  if (!is_wanted(runtime)) return;
  wire::Handover handover{.what = std::string(function)};
  handover.values = {bytes, digest_of(runtime.memory, to), static_cast<std::uint64_t>(value & 0xFF)};
  handover.frames = call_site().frames;
  runtime.recorder.handed_over(std::move(handover));
}

void note_host_contents(Runtime& runtime, std::string_view kernel, const Footprint& footprint) {
  if (!is_wanted(runtime)) return;
  std::vector<Range> changed = footprint.writes;
  for (const auto* more : {&footprint.updates, &footprint.system_updates})
    changed.insert(changed.end(), more->begin(), more->end());
  const auto note = [&](const std::vector<Range>& ranges, bool to_host) {
    wire::Handover handover{
        .what = fmt::format("host memory that {} {}", kernel, to_host ? "writes" : "reads"),
        .to_host = to_host};
    for (const Range& range : ranges) {
      if (runtime.memory.in_range(range.begin) || (!to_host && is_within(range, changed))) continue;
      const std::size_t bytes = range.end - range.begin;
      const std::byte* contents = runtime.memory.host_view(range.begin, bytes);
      if (contents == nullptr) continue;
      handover.values.push_back(bytes);
      handover.values.push_back(digest_of(runtime.memory, pointer_to(range.begin)));
      handover.values.push_back(digest_of(runtime.memory, {contents, bytes}));
    }
    handover.values.resize(std::min(handover.values.size(), wire::kMostHandoverValues));
    if (!handover.values.empty()) runtime.recorder.handed_over(std::move(handover));
  };
  note(footprint.reads, false);
  note(changed, true);
}

}  // namespace warpmark::simulator

#include "harness/simulator/device/runtime/host_writes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "harness/simulator/engine/memory/global_shadow.h"

namespace warpmark::simulator {
namespace {

constexpr std::size_t kWord = 4;

// One repeated word fills at least this many bytes; fewer may be an answer.
constexpr std::size_t kLeastFill = 12;

bool is_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

bool is_fill(std::span<const std::byte> bytes) {
  return bytes.size() >= kLeastFill && std::equal(bytes.begin() + kWord, bytes.end(), bytes.begin());
}

// Returns the number of 4-byte words in the range whose last writer, according to shadow memory, is the host.
std::size_t words_of_the_host(const DeviceMemory& memory, Address begin, std::size_t bytes) {
  const std::size_t place = memory.place_of(begin, bytes);
  if (place == kNoPlace) return 0;
  const ShadowPlane& writers = memory.shadow().writers;
  std::size_t count = 0;
  for (std::size_t word = place / kWord; word <= (place + bytes - 1) / kWord; ++word)
    count += writers.byte(kWord * word) == GlobalShadow::kByTheHost ? 1 : 0;
  return count;
}

}  // namespace

void HostWrites::begin_call() {
  in_call_ = true;
  writes_.clear();
}

void HostWrites::written(Address to, std::span<const std::byte> bytes) {
  if (!in_call_) return;
  forget(to, bytes.size());
  if (!is_zero(bytes)) writes_[to] = {bytes.size(), call_site(), is_fill(bytes)};
}

void HostWrites::moved(Address to, Address from, std::size_t bytes) {
  std::vector<std::pair<Address, Write>> parts;
  for (const auto& [begin, write] : writes_) {
    const Address first = std::max(begin, from);
    const Address end = std::min(begin + write.bytes, from + bytes);
    const bool fills = write.is_fill && end - first >= kLeastFill;
    if (first < end) parts.emplace_back(to + (first - from), Write{end - first, write.site, fills});
  }
  forget(to, bytes);
  for (auto& [begin, part] : parts) writes_[begin] = std::move(part);
}

void HostWrites::forget(Address begin, std::size_t bytes) {
  if (writes_.empty() || bytes == 0) return;
  const Address end = begin + bytes;
  auto at = writes_.lower_bound(begin);
  if (at != writes_.begin()) --at;
  while (at != writes_.end() && at->first < end) {
    const Address first = at->first;
    const Address last = first + at->second.bytes;
    if (last <= begin) {
      ++at;
      continue;
    }
    const Write whole = std::move(at->second);
    at = writes_.erase(at);
    if (first < begin) writes_[first] = {begin - first, whole.site, whole.is_fill};
    if (last > end) writes_[end] = {last - end, whole.site, whole.is_fill};
  }
}

void HostWrites::launching(const DeviceMemory& memory, bool looked_at) {
  if (!looked_at) return writes_.clear();
  // Records of host writes are purged at each launch, because shadow memory tells apart the writers of a word
  // only for a few dozen launches.
  std::erase_if(writes_, [&](const auto& each) {
    const auto& [begin, write] = each;
    return words_of_the_host(memory, begin, write.bytes) == 0;
  });
}

std::optional<CallSite> HostWrites::in(Address begin, std::size_t bytes, const DeviceMemory& memory) const {
  for (const auto& [first, write] : writes_) {
    const Address from = std::max(first, begin);
    const Address end = std::min(first + write.bytes, begin + bytes);
    if (from >= end || write.is_fill) continue;
    if (words_of_the_host(memory, from, end - from) * kWord * 2 >= write.bytes) return write.site;
  }
  return std::nullopt;
}

}  // namespace warpmark::simulator

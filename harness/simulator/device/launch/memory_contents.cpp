#include "harness/simulator/device/launch/memory_contents.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "harness/simulator/engine/memory/global_shadow.h"

namespace warpmark::simulator {
namespace {

ContentHash hash_of_bytes(const void* begin, std::size_t bytes) {
  const XXH128_hash_t hash = XXH3_128bits(begin, bytes);
  return {hash.low64, hash.high64};
}

std::shared_ptr<const std::vector<std::size_t>> unset_in(const HeldBytes& held, const DeviceMemory& memory) {
  std::vector<std::size_t> ranges;
  const GlobalShadow& shadow = memory.shadow();
  if (held.place != kNoPlace && shadow.seen()) {
    shadow.defined.each_hole(held.place, held.bytes.size(), [&](std::size_t first, std::size_t end) {
      ranges.insert(ranges.end(), {first, end});
      return ranges.size() <= 2 * MemoryContents::kMostUnset;
    });
  }
  return std::make_shared<const std::vector<std::size_t>>(std::move(ranges));
}

// Set of the allocations that any aligned 8-byte word in device memory may point into.
class Pointed {
 public:
  Pointed(const std::vector<HeldBytes>& all, const DeviceMemory& memory)
      : all_(all), device_{memory.shared_window(), memory.range_bytes()} {
    for (const HeldBytes& held : all) {
      if (!held.by_the_host) continue;
      if (host_.bytes == 0) host_.begin = held.begin;
      host_.bytes = held.begin + held.bytes.size() - host_.begin;
    }
  }
  void add(std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at + sizeof(Address) <= bytes.size(); at += sizeof(Address)) {
      Address word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if (word - device_.begin < device_.bytes || word - host_.begin < host_.bytes) look_up(word);
    }
  }
  [[nodiscard]] std::vector<Address> take() const { return {begins_.begin(), begins_.end()}; }

 private:
  struct Range {
    Address begin = 0;
    std::size_t bytes = 0;
  };
  void look_up(Address word) {
    const auto above = std::ranges::upper_bound(all_, word, {}, &HeldBytes::begin);
    if (above == all_.begin()) return;
    const HeldBytes& below = *std::prev(above);
    if (word - below.begin <= below.bytes.size()) begins_.insert(below.begin);
  }

  const std::vector<HeldBytes>& all_;
  Range device_;
  Range host_;
  std::set<Address> begins_;
};

AllocationContents contents_of(const HeldBytes& held, const DeviceMemory& memory, Pointed pointed) {
  std::vector<ContentHash> pieces;
  for (std::size_t at = 0; at < held.bytes.size(); at += MemoryContents::kPieceBytes) {
    const auto piece = held.bytes.subspan(at, std::min(MemoryContents::kPieceBytes, held.bytes.size() - at));
    pieces.push_back(hash_of_bytes(piece.data(), piece.size()));
    pointed.add(piece);
  }
  const ContentHash whole = hash_of_bytes(pieces.data(), pieces.size() * sizeof pieces[0]);
  return {.begin = held.begin,
          .bytes = held.bytes.size(),
          .pieces = std::make_shared<const std::vector<ContentHash>>(std::move(pieces)),
          .whole = whole,
          .unset = unset_in(held, memory),
          .pointed = pointed.take()};
}

}  // namespace

const AllocationContents* MemoryContents::known(const HeldBytes& held) const {
  if (held.by_the_host || held.changed > when_) return nullptr;
  const auto found = std::ranges::lower_bound(known_, held.begin, {}, &AllocationContents::begin);
  const bool is_same =
      found != known_.end() && found->begin == held.begin && found->bytes == held.bytes.size();
  return is_same ? &*found : nullptr;
}

std::size_t MemoryContents::unknown_bytes(const DeviceMemory& memory) const {
  std::size_t bytes = 0;
  for (const HeldBytes& held : memory.held()) {
    if (known(held) == nullptr) bytes += held.bytes.size();
  }
  return bytes;
}

const std::vector<AllocationContents>& MemoryContents::now(const DeviceMemory& memory) {
  const std::uint64_t when = memory.changes();
  std::vector<AllocationContents> contents;
  const std::vector<HeldBytes> all = memory.held();
  const Pointed pointed(all, memory);
  for (const HeldBytes& held : all) {
    const AllocationContents* before = known(held);
    contents.push_back(before != nullptr ? *before : contents_of(held, memory, pointed));
  }
  known_ = std::move(contents);
  when_ = when;
  return known_;
}

void MemoryContents::are(std::vector<AllocationContents> contents, const DeviceMemory& memory) {
  known_ = std::move(contents);
  when_ = memory.changes();
}

ContentHash MemoryContents::hash_of(const std::vector<AllocationContents>& contents) {
  std::set<Address> pointed;
  std::vector<std::uint64_t> words;
  for (const AllocationContents& each : contents) {
    pointed.insert(each.pointed.begin(), each.pointed.end());
    words.insert(words.end(), {each.bytes, each.whole[0], each.whole[1], each.unset->size()});
    words.insert(words.end(), each.unset->begin(), each.unset->end());
  }
  for (const Address begin : pointed) {
    const auto live = std::ranges::lower_bound(contents, begin, {}, &AllocationContents::begin);
    const bool is_live = live != contents.end() && live->begin == begin;
    words.insert(words.end(), {begin, is_live ? 1 + static_cast<std::uint64_t>(live - contents.begin()) : 0});
  }
  return hash_of_bytes(words.data(), words.size() * sizeof words[0]);
}

}  // namespace warpmark::simulator

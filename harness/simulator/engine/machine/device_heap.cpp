#include "harness/simulator/engine/machine/device_heap.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace warpmark::simulator {
namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t kBlockGap = 64;  // unused bytes between two heap blocks, which catch overruns
constexpr std::size_t kFirstChunk = std::size_t{1} << 20;
// Freed device-heap blocks stay in quarantine, which detects use after free, until they add up to this many
// bytes; only beyond that are they reused.
constexpr std::size_t kQuarantine = std::size_t{64} << 20;

}  // namespace

Address DeviceHeap::place_for(std::size_t bytes) {
  if (const auto same = freed_.find(bytes); same != freed_.end() && quarantined_ > kQuarantine) {
    const Address begin = same->second.front();
    same->second.pop_front();
    if (same->second.empty()) freed_.erase(same);
    quarantined_ -= bytes;
    memory_.undefine(begin, bytes);
    return begin;
  }
  const std::size_t needed = round_up(bytes, kAlignment) + kBlockGap;
  if (chunks_.empty() || chunks_.back().used + needed > chunks_.back().bytes) {
    const std::size_t doubled = chunks_.empty() ? kFirstChunk : 2 * chunks_.back().bytes;
    const std::size_t size = std::max(needed + kBlockGap, std::min(doubled, std::max(limit_, kFirstChunk)));
    const auto begin = memory_.allocate(size, Allocation::Kind::heap);
    if (!begin) return 0;
    chunks_.push_back({*begin, size, kBlockGap});
  }
  Chunk& chunk = chunks_.back();
  const Address begin = chunk.begin + chunk.used;
  chunk.used += needed;
  return begin;
}

Address DeviceHeap::allocate(std::size_t bytes, const Site& site) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > limit_ || live_bytes_ + bytes > limit_) return 0;
  const Address begin = place_for(bytes);
  if (begin == 0) return 0;
  const std::byte* host = memory_.host_view(begin, bytes);
  AllocationView view{.allocation = {.begin = begin,
                                     .bytes = bytes,
                                     .kind = Allocation::Kind::heap,
                                     .name = fmt::format("{}:{}", site.file, site.line)},
                      .delta = static_cast<std::ptrdiff_t>(reinterpret_cast<Address>(host) - begin)};
  if (const std::size_t place = memory_.place_of(begin, bytes); place != kNoPlace)
    view.shadow = static_cast<std::ptrdiff_t>(place - begin);
  live_bytes_ += bytes;
  Block& block = blocks_[begin];
  if (block.view) past_.push_back(std::move(block.view));
  block = {std::make_shared<const AllocationView>(std::move(view)), site};
  return begin;
}

DeviceHeap::Freed DeviceHeap::free(Address begin) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(begin);
  if (found == blocks_.end()) return Freed::never_allocated;
  Block& block = found->second;
  if (block.view->allocation.freed) return Freed::before;
  AllocationView freed = *block.view;
  freed.allocation.freed = true;
  live_bytes_ -= freed.allocation.bytes;
  quarantined_ += freed.allocation.bytes;
  freed_[freed.allocation.bytes].push_back(begin);
  past_.push_back(std::move(block.view));
  block.view = std::make_shared<const AllocationView>(std::move(freed));
  return Freed::now;
}

const AllocationView* DeviceHeap::below(Address address) const {
  const std::lock_guard lock(mutex_);
  const auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return nullptr;
  const auto inside = [&](const Chunk& chunk) { return address - chunk.begin < chunk.bytes; };
  return std::ranges::any_of(chunks_, inside) ? std::prev(next)->second.view.get() : nullptr;
}

std::vector<Finding> DeviceHeap::leaks() const {
  const std::lock_guard lock(mutex_);
  struct Leak {
    std::size_t count = 0;
    std::size_t bytes = 0;
  };
  std::map<std::tuple<std::string, std::string, int>, Leak> by_line;
  for (const auto& [begin, block] : blocks_) {
    if (block.view->allocation.freed) continue;
    Leak& leak = by_line[{block.site.file, block.site.kernel, block.site.line}];
    ++leak.count;
    leak.bytes += block.view->allocation.bytes;
  }
  std::vector<Finding> findings;
  for (const auto& [where, leak] : by_line) {
    const auto& [file, kernel, line] = where;
    findings.push_back(
        {.kind = CauseKind::leak,
         .kernel = kernel,
         .file = file,
         .line = line,
         .other_line = 0,
         .message = fmt::format("{} bytes of the device heap{} were never freed; free() or "
                                "delete them in a kernel when they are done with",
                                leak.bytes,
                                leak.count == 1 ? std::string() : fmt::format(" in {} blocks", leak.count))});
  }
  return findings;
}

void DeviceHeap::clear() {
  const std::lock_guard lock(mutex_);
  blocks_.clear();
  freed_.clear();
  past_.clear();
  chunks_.clear();
  live_bytes_ = quarantined_ = 0;
}

}  // namespace warpmark::simulator

#include "harness/simulator/watch/footprint.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/ptx/atomic_detail.h"
#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {
namespace {

// Maximum number of address ranges that a kernel's footprint keeps per kind of access; further ranges are
// dropped. Only scattered accesses to hundreds of megabytes reach this limit.
constexpr std::size_t kMostRanges = std::size_t{1} << 20;

// Bytes of allocated memory up to which the footprint recorder records all accesses of a kernel; with more,
// it records only accesses to a sample of the pages.
constexpr std::size_t kAllRecorded = std::size_t{512} << 20;

std::size_t bytes_to_record(const DeviceMemory& memory, bool device_memory_too) {
  std::size_t bytes = 0;
  for (const Allocation& allocation : memory.allocations()) {
    if (device_memory_too || is_host_kind(allocation.kind)) bytes += allocation.bytes;
  }
  return bytes;
}

// Builds a sorted list of address ranges from words added in ascending address order. Adjacent bytes that are
// accessed by the same source line are merged into one range.
class Ranges {
 public:
  // Adds bytes to a footprint's sorted list of address ranges: those of one word that the mask `bytes`
  // selects or, if `words` exceeds 1, all bytes of `words` consecutive words.
  void add(Address word, std::uint8_t bytes, std::size_t words, std::uint32_t place) {
    if (words > 1) return add_bytes(word, words * sizeof(std::uint32_t), place);
    for (unsigned first = 0; bytes >> first != 0;) {
      first += static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(bytes) >> first));
      const auto count = static_cast<unsigned>(std::countr_one(static_cast<unsigned>(bytes) >> first));
      add_bytes(word + first, count, place);
      first += count;
    }
  }
  std::vector<Range> take() { return std::move(all_); }

 private:
  void add_bytes(Address begin, std::size_t bytes, std::uint32_t place) {
    if (!all_.empty() && all_.back().end == begin && all_.back().place == place) {
      all_.back().end += bytes;
    } else if (all_.size() < kMostRanges) {
      all_.push_back({begin, begin + bytes, place});
    }
  }
  std::vector<Range> all_;
};

// Numbers the source lines of a program's accesses in the order of their first use; 0 stands for an unknown
// line.
class Sites {
 public:
  explicit Sites(const Program& program) : program_(program) {}

  std::uint32_t number_of(std::uint32_t site) {
    const auto [known, is_new] = numbers_.try_emplace(site, 0);
    if (!is_new) return known->second;
    const ptx::Location& at = program_.locations[program_.sites[site].location];
    const auto file = program_.files.find(at.file);
    if (site == 0 || at.line == 0 || file == program_.files.end()) return 0;
    known->second = static_cast<std::uint32_t>(names_.size());
    names_.push_back(fmt::format("{}:{}", file->second, at.line));
    return known->second;
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  const Program& program_;
  std::map<std::uint32_t, std::uint32_t> numbers_;
  std::vector<std::string> names_{""};
};

}  // namespace

FootprintPages::Page& FootprintPages::page(Address number) {
  if (number == last_number_) return *last_;
  auto& page = pages_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  last_number_ = number;
  last_ = page.get();
  return *last_;
}

void FootprintPages::add(Address address, unsigned bytes, Access access, bool in_system, std::uint16_t site) {
  for (const Address end = address + bytes; address < end;) {
    const unsigned first = address % kWord;
    const unsigned count = std::min<unsigned>(kWord - first, static_cast<unsigned>(end - address));
    const auto mask = static_cast<std::uint8_t>(((1U << count) - 1) << first);
    page(address / kPage)[address % kPage / kWord].touch(access, mask, in_system, site);
    address += count;
  }
}

void FootprintPages::add_words(Address address, std::size_t words, Access access, std::uint16_t site) {
  Word* word = &page(address / kPage)[address % kPage / kWord];
  for (std::size_t i = 0; i < words; ++i) word[i].touch(access, kWholeWord, false, site);
}

void FootprintPages::merge(FootprintPages other) {
  for (auto& [number, theirs] : other.pages_) {
    auto& ours = pages_[number];
    if (ours == nullptr) {
      ours = std::move(theirs);
      continue;
    }
    for (std::size_t i = 0; i < theirs->size(); ++i) {
      Word& word = (*ours)[i];
      const Word& their = (*theirs)[i];
      // Of two site numbers (indices of source lines) the lower nonzero one wins, so that the result does not
      // depend on the order of merging.
      const auto earlier = [](std::uint16_t a, std::uint16_t b) {
        return a == 0 || (b != 0 && b < a) ? b : a;
      };
      word.read_site = earlier(word.read_site, their.read_site);
      word.written_site = earlier(word.written_site, their.written_site);
      word.read |= their.read;
      word.written |= their.written;
      word.updated |= their.updated;
      word.updated_in_system |= their.updated_in_system;
    }
  }
}

Footprint FootprintPages::footprint(const Program& program) const {
  std::vector<Address> numbers;
  numbers.reserve(pages_.size());
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  Ranges reads, writes, updates, system_updates;
  Sites places(program);
  for (const Address number : numbers) {
    const Page& page = *pages_.at(number);
    for (std::size_t i = 0; i < page.size();) {
      const Word& word = page[i];
      const Address address = number * kPage + i * kWord;
      // Number of consecutive words with the same accessed bytes and source lines, which are added to a
      // kernel's footprint as one address range.
      std::size_t alike = 1;
      if (word.has_whole_bytes()) {
        while (i + alike < page.size() && page[i + alike] == word) ++alike;
      }
      if (word.read != 0) reads.add(address, word.read, alike, places.number_of(word.read_site));
      if (word.written != 0) writes.add(address, word.written, alike, places.number_of(word.written_site));
      if (word.updated != 0) updates.add(address, word.updated, alike, places.number_of(word.written_site));
      const auto in_system = static_cast<std::uint8_t>(word.updated_in_system & ~word.updated);
      if (in_system != 0) system_updates.add(address, in_system, alike, places.number_of(word.written_site));
      i += alike;
    }
  }
  return {.reads = reads.take(),
          .writes = writes.take(),
          .updates = updates.take(),
          .system_updates = system_updates.take(),
          .places = places.take()};
}

FootprintRecorder::FootprintRecorder(const DeviceMemory& memory, bool device_memory_too)
    : every_page_(1 + bytes_to_record(memory, device_memory_too) / kAllRecorded),
      begin_(memory.shared_window()),
      range_bytes_(memory.range_bytes()),
      device_memory_too_(device_memory_too) {}

void FootprintRecorder::add(const Touch& touch, FootprintPages& pages) {
  const auto first = static_cast<unsigned>(std::countr_zero(touch.mask));
  const bool on_device = touch.addresses[first] - begin_ < range_bytes_;
  if (on_device && !device_memory_too_) return;
  // The plain first load of a compare-and-swap loop is left out of a kernel's footprint: if it races, the
  // compare-and-swap fails and the loop repeats.
  if (touch.instruction.guess) return;
  // In a kernel's footprint an atomic load counts as an atomic update, because both conflict with plain
  // accesses only.
  const Access access = touch.access == Access::read && is_atomic(touch) ? Access::atomic : touch.access;
  const bool in_system = access == Access::atomic && (touch.instruction.detail & kForSystem) != 0;
  if (!on_device && touch.instruction.strong() && access != Access::atomic) talks_ = true;
  if (!in_system && add_together(touch, access, pages)) return;
  for (std::uint32_t lanes = touch.uniform ? touch.mask & -touch.mask : touch.mask; lanes != 0;
       lanes &= lanes - 1) {
    const Address address = touch.addresses[std::countr_zero(lanes)];
    if (records(address)) pages.add(address, touch.width, access, in_system, touch.instruction.site);
  }
}

// Fast path of the footprint recorder for a full warp that accesses contiguous 4-byte words. Returns false
// for any other access, which is not recorded.
bool FootprintRecorder::add_together(const Touch& touch, Access access, FootprintPages& pages) const {
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  Address address = touch.addresses[0];
  if (!touch.contiguous || touch.mask != kAllLanes || (touch.width | address) % kWord != 0) return false;
  for (const Address end = address + std::size_t{kLanes} * touch.width; address < end;) {
    const Address page_end = (address / FootprintPages::kPage + 1) * FootprintPages::kPage;
    const Address behind = std::min(end, page_end);
    if (records(address))
      pages.add_words(address, (behind - address) / kWord, access, touch.instruction.site);
    address = behind;
  }
  return true;
}

std::shared_ptr<const Footprint> FootprintRecorder::keep(const Program& program) {
  kept_ = std::make_shared<const Footprint>(footprint(program));
  return kept_;
}

Footprint FootprintRecorder::footprint(const Program& program) const {
  if (kept_ != nullptr) return *kept_;
  Footprint all = all_.footprint(program);
  all.talks = talks_;
  return all;
}

void FootprintRecorder::merge(FootprintPages pages) {
  const std::lock_guard lock(mutex_);
  all_.merge(std::move(pages));
}

std::optional<Overlap> overlap(std::span<const Range> ranges, std::span<const Range> others) {
  auto one = ranges.begin();
  auto other = others.begin();
  while (one != ranges.end() && other != others.end()) {
    if (one->end <= other->begin) {
      ++one;
    } else if (other->end <= one->begin) {
      ++other;
    } else {
      return Overlap{*one, *other};
    }
  }
  return std::nullopt;
}

const Range* range_at(std::span<const Range> ranges, Address address) {
  const auto behind = std::upper_bound(ranges.begin(), ranges.end(), address,
                                       [](Address at, const Range& range) { return at < range.begin; });
  if (behind == ranges.begin()) return nullptr;
  const Range& range = *std::prev(behind);
  return address < range.end ? &range : nullptr;
}

}  // namespace warpmark::simulator

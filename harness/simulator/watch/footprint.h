// The footprint of a piece of device work: the bytes that it reads and writes, with the source lines.
// | Kernel accesses are recorded one by one. Each host thread records its blocks' accesses into pages of its
// own, which are merged at the end of the launch. The result is sorted ranges, so that the bytes common to
// two footprints are found by a linear merge.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/simulator/engine/memory/device_memory.h"
#include "harness/simulator/engine/operations/touch.h"

namespace warpmark::simulator {

struct Program;

// Bytes [begin, end) of the address space that host and device share. place: index into Footprint::places.
struct Range {
  Address begin = 0;
  Address end = 0;
  std::uint32_t place = 0;
  bool operator==(const Range&) const = default;
};

// Each list is sorted and its ranges do not overlap.
struct Footprint {
  std::vector<Range> reads;
  std::vector<Range> writes;
  std::vector<Range> updates;  // by atomic operations, which do not race with each other
  // System-scope atomics (atomicAdd_system) only: they do not race with the host's atomics either.
  std::vector<Range> system_updates;
  // The work makes volatile or atomic accesses to host memory, so host and kernel may synchronise through
  // flags there.
  bool talks = false;
  std::vector<std::string> places{""};  // "a.cu:12"; index 0 stands for an unknown place
  bool operator==(const Footprint&) const = default;
};

// A per-page map of accesses: those of one host thread's blocks, or of a whole launch after merge().
class FootprintPages {
 public:
  // in_system: for an atomic access, true if its scope is the system. site: index into the program's access
  // sites.
  void add(Address address, unsigned bytes, Access access, bool in_system, std::uint16_t site);
  // Adds `words` consecutive 4-byte words, all on one page. The accesses are not system-scope atomics.
  void add_words(Address address, std::size_t words, Access access, std::uint16_t site);
  void merge(FootprintPages other);
  [[nodiscard]] Footprint footprint(const Program& program) const;

  static constexpr std::size_t kPage = 4096;

 private:
  static constexpr std::size_t kWord = 4;
  static constexpr std::uint8_t kWholeWord = 0xF;
  // One mask bit per byte for each kind of access, and the site of the first access.
  struct Word {
    std::uint8_t read = 0;
    std::uint8_t written = 0;
    std::uint8_t updated = 0;
    std::uint8_t updated_in_system = 0;
    std::uint16_t read_site = 0;
    std::uint16_t written_site = 0;
    bool operator==(const Word&) const = default;

    [[nodiscard]] bool has_whole_bytes() const {
      const auto whole = [](std::uint8_t bytes) { return bytes == 0 || bytes == kWholeWord; };
      return whole(read) && whole(written) && whole(updated) && whole(updated_in_system);
    }
    void touch(Access access, std::uint8_t bytes, bool in_system, std::uint16_t site) {
      std::uint8_t& touched = access == Access::read    ? read
                              : access == Access::write ? written
                              : in_system               ? updated_in_system
                                                        : updated;
      std::uint16_t& first_site = access == Access::read ? read_site : written_site;
      if (first_site == 0) first_site = site;
      touched |= bytes;
    }
  };
  using Page = std::array<Word, kPage / kWord>;

  Page& page(Address number);

  std::unordered_map<Address, std::unique_ptr<Page>> pages_;
  Address last_number_ = ~Address{0};
  Page* last_ = nullptr;
};

// Records the accesses of one launch: all of them, or only those to memory that the host can access, too.
class FootprintRecorder {
 public:
  FootprintRecorder(const DeviceMemory& memory, bool device_memory_too);

  // The record is several times as large as the memory that it describes. If much memory is allocated, only
  // every n-th page is recorded; the choice is the same in every run.
  [[nodiscard]] bool records(Address address) const {
    return address / FootprintPages::kPage % every_page_ == 0;
  }

  // Thread-safe: `pages` belongs to the calling host thread.
  void add(const Touch& touch, FootprintPages& pages);
  void merge(FootprintPages pages);
  [[nodiscard]] Footprint footprint(const Program& program) const;
  // Computes the footprint once and shares it, so that an identical later launch can reuse it.
  std::shared_ptr<const Footprint> keep(const Program& program);
  // Sets the footprint of a launch that is skipped because an identical launch was recorded by keep().
  void is(std::shared_ptr<const Footprint> known) { kept_ = std::move(known); }

 private:
  bool add_together(const Touch& touch, Access access, FootprintPages& pages) const;

  std::size_t every_page_;
  Address begin_;  // start of the range of device addresses
  std::size_t range_bytes_;
  bool device_memory_too_;
  std::atomic<bool> talks_ = false;
  std::mutex mutex_;
  FootprintPages all_;
  std::shared_ptr<const Footprint> kept_;  // null unless keep() or is() was called
};

// The first pair of ranges, one from each list, that overlap.
struct Overlap {
  Range one;
  Range other;
  [[nodiscard]] Address begin() const { return one.begin > other.begin ? one.begin : other.begin; }
  [[nodiscard]] Address end() const { return one.end < other.end ? one.end : other.end; }
};
std::optional<Overlap> overlap(std::span<const Range> ranges, std::span<const Range> others);
// Returns the range that contains the address, or null. The ranges must be sorted.
const Range* range_at(std::span<const Range> ranges, Address address);

}  // namespace warpmark::simulator

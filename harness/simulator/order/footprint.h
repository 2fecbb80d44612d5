// Which bytes of memory a piece of device work reads and writes, and where in a kernel's source.
//
// Kernels are recorded access by access, each host thread's blocks into pages of their own, which are put
// together at the end of the launch. What two pieces of work have in common is found in sorted ranges.
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

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/watch/touch.h"

namespace warpmark::simulator {

struct Program;

// Bytes [begin, end) of the address space that program and device share. place: index into
// Footprint::places.
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
  // By those of the whole system alone, which do not race with the host's either.
  std::vector<Range> system_updates;
  // It uses volatile accesses to memory of the host, by which the two tell each other when they may go on.
  bool talks = false;
  std::vector<std::string> places{""};  // "a.cu:12"; the first is not known
  bool operator==(const Footprint&) const = default;
};

// The accesses of one host thread's blocks, or of all.
class FootprintPages {
 public:
  // in_system: of an atomic access.
  void add(Address address, unsigned bytes, Access access, bool in_system, std::uint16_t site);
  // Whole words of one page, by accesses that are not for the system.
  void add_words(Address address, std::size_t words, Access access, std::uint16_t site);
  void merge(FootprintPages other);
  [[nodiscard]] Footprint footprint(const Program& program) const;

  static constexpr std::size_t kPage = 4096;

 private:
  static constexpr std::size_t kWord = 4;
  static constexpr std::uint8_t kWholeWord = 0xF;
  // A mask of the word's bytes each, and the line of the first access.
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

// Of a launch. Which accesses count: those to memory that the host reaches as well, or all.
class FootprintRecorder {
 public:
  FootprintRecorder(const DeviceMemory& memory, bool device_memory_too);

  // A record takes several times what it is about: where there is very much memory only that of every so
  // many-th page is recorded, the same in each run.
  [[nodiscard]] bool records(Address address) const {
    return address / FootprintPages::kPage % every_page_ == 0;
  }

  // From any host thread; the pages are that thread's own.
  void add(const Touch& touch, FootprintPages& pages);
  void merge(FootprintPages pages);
  [[nodiscard]] Footprint footprint(const Program& program) const;
  // The same, to be kept for an equal launch; nothing more is recorded.
  std::shared_ptr<const Footprint> keep(const Program& program);
  // Of such a launch, which is not run.
  void is(std::shared_ptr<const Footprint> known) { kept_ = std::move(known); }

 private:
  bool add_together(const Touch& touch, Access access, FootprintPages& pages) const;

  std::size_t every_page_;
  Address begin_;  // of the range of device addresses
  std::size_t range_bytes_;
  bool device_memory_too_;
  std::atomic<bool> talks_ = false;
  std::mutex mutex_;
  FootprintPages all_;
  std::shared_ptr<const Footprint> kept_;  // null: not asked for
};

// What two lists have in common first.
struct Overlap {
  Range one;
  Range other;
  [[nodiscard]] Address begin() const { return one.begin > other.begin ? one.begin : other.begin; }
  [[nodiscard]] Address end() const { return one.end < other.end ? one.end : other.end; }
};
std::optional<Overlap> overlap(std::span<const Range> ranges, std::span<const Range> others);
// The range that holds the address; null when none does.
const Range* range_at(std::span<const Range> ranges, Address address);

}  // namespace warpmark::simulator

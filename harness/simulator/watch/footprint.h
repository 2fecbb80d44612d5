// Footprint of a kernel launch or copy: the address ranges that it reads and writes, with the source lines.
//
// Each host thread records the accesses of the blocks it simulates into pages of its own; these are merged at
// the end of the launch. The result is sorted, so that a linear merge finds the bytes common to two
// footprints.
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

// Address range [begin, end) in the address space that host and device share. place: index into
// Footprint::places, the source line of the access.
struct Range {
  Address begin = 0;
  Address end = 0;
  std::uint32_t place = 0;
  bool operator==(const Range&) const = default;
};

// Address ranges accessed by a kernel launch or copy, one list per kind of access. Each list is sorted, and
// its ranges do not overlap.
struct Footprint {
  std::vector<Range> reads;
  std::vector<Range> writes;
  std::vector<Range> updates;  // address ranges that atomics update, which do not race with each other
  // Address ranges that only atomics with system scope (atomicAdd_system) update. They do not race with the
  // host's atomics either.
  std::vector<Range> system_updates;
  // True if the kernel makes volatile or atomic accesses to host memory, through which host and kernel may
  // synchronise.
  bool talks = false;
  std::vector<std::string> places{""};  // source lines such as "a.cu:12"; index 0 means unknown
  bool operator==(const Footprint&) const = default;
};

// Bytes that a kernel launch has accessed so far, recorded per memory page. One object holds the accesses of
// the blocks that one host thread simulates; after merge(), those of the whole launch.
class FootprintPages {
 public:
  // Adds one memory access of a kernel to its footprint. in_system: true if it is an atomic operation of
  // system scope. site: index into the program's table of access sites (source lines).
  void add(Address address, unsigned bytes, Access access, bool in_system, std::uint16_t site);
  // Adds an access to `words` consecutive 4-byte words, all on one page, to a kernel's footprint. For
  // accesses other than system-scope atomics.
  void add_words(Address address, std::size_t words, Access access, std::uint16_t site);
  void merge(FootprintPages other);
  [[nodiscard]] Footprint footprint(const Program& program) const;

  static constexpr std::size_t kPage = 4096;

 private:
  static constexpr std::size_t kWord = 4;
  static constexpr std::uint8_t kWholeWord = 0xF;
  // Footprint of a kernel in one 4-byte word: per kind of access, a mask of the bytes accessed and the site
  // (source line) of the first access.
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

// Records the accesses of one kernel launch: all, or only those to memory that the host can access as well.
class FootprintRecorder {
 public:
  FootprintRecorder(const DeviceMemory& memory, bool device_memory_too);

  // True if a kernel's accesses to the page of this address are recorded. A record is several times as large
  // as the memory it describes, so with much memory allocated only every n-th page is recorded, the same ones
  // in every run.
  [[nodiscard]] bool records(Address address) const {
    return address / FootprintPages::kPage % every_page_ == 0;
  }

  // Returns n if only every n-th page is recorded.
  [[nodiscard]] std::size_t every_page() const { return every_page_; }

  // Adds a warp's access to the footprint in `pages`. Each host thread passes its own `pages`, so no lock is
  // needed.
  void add(const Touch& touch, FootprintPages& pages);
  void merge(FootprintPages pages);
  [[nodiscard]] Footprint footprint(const Program& program) const;
  // Computes the footprint of a kernel launch and keeps a shared copy, so that a later launch that is known
  // to be identical can reuse it.
  std::shared_ptr<const Footprint> keep(const Program& program);
  // Sets the footprint of a launch that is skipped because an identical one has been executed: `known` is the
  // footprint that keep() returned for that one.
  void is(std::shared_ptr<const Footprint> known) { kept_ = std::move(known); }

 private:
  bool add_together(const Touch& touch, Access access, FootprintPages& pages) const;

  std::size_t every_page_;
  Address begin_;  // lowest address of simulated device memory
  std::size_t range_bytes_;
  bool device_memory_too_;
  std::atomic<bool> talks_ = false;
  std::mutex mutex_;
  FootprintPages all_;
  // footprint shared with identical kernel launches; null unless keep() or is() was called
  std::shared_ptr<const Footprint> kept_;
};

// Two overlapping address ranges, one from each of two compared footprints.
struct Overlap {
  Range one;
  Range other;
  [[nodiscard]] Address begin() const { return one.begin > other.begin ? one.begin : other.begin; }
  [[nodiscard]] Address end() const { return one.end < other.end ? one.end : other.end; }
};
std::optional<Overlap> overlap(std::span<const Range> ranges, std::span<const Range> others);
// Returns the range of the sorted list `ranges` that contains the address, or null.
const Range* range_at(std::span<const Range> ranges, Address address);

}  // namespace warpmark::simulator

// The race detector: finds data races and uninitialised reads from the accesses of a block's warps.
//
// Theory of operation. Shadow cells hold the last writer and the last reader of each byte (shadow_cells.h).
// Each warp stamps its accesses with its clock, which advances when lanes of the warp synchronise and at
// every fence; a block barrier sets all clocks to a value that no warp has used. An earlier access of the
// block therefore happened before the current one if its clock is below the last barrier's, or, within a
// warp, below the clock that the lane knows of the other lane (warp_clock.h). part_barriers.h adds barriers
// for part of a block. Two conflicting accesses that are not ordered in this way are a race, unless a fence
// and an atomic operation released and acquired the first one (publication.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/simulator/engine/machine/conflict.h"
#include "harness/simulator/engine/machine/memory_names.h"
#include "harness/simulator/engine/memory/global_shadow.h"
#include "harness/simulator/engine/memory/shadow_cells.h"
#include "harness/simulator/engine/operations/observer.h"
#include "harness/simulator/engine/operations/touch.h"
#include "harness/simulator/watch/block_numbers.h"
#include "harness/simulator/watch/lane_sets.h"
#include "harness/simulator/watch/part_barriers.h"
#include "harness/simulator/watch/plain_stores.h"
#include "harness/simulator/watch/publication.h"
#include "harness/simulator/watch/same_stores.h"
#include "harness/simulator/watch/warp_clock.h"

namespace warpmark::simulator {

class Block;
class Warp;

// State of the race detector shared by all blocks of a launch.
struct LaunchShadow {
  LaunchShadow(const Program& program, const ProgramFunction& kernel, const DeviceMemory& memory,
               std::uint64_t blocks);

  // Orders all earlier accesses before all later ones, as if a new launch began. Call it while every block
  // waits.
  void grid_barrier();
  // True if the load's source line also stores to the loaded word (a read-modify-write such as x += 1).
  [[nodiscard]] bool updates(const Instruction& load) const { return program.sites[load.site].update; }
  // True if the access is the condition of a polling loop: the loop repeats until the loaded value changes.
  [[nodiscard]] bool polls(std::uint32_t site) const { return program.sites[site].poll; }

  const Program& program;
  const DeviceMemory& memory;
  GlobalShadow& global;
  std::uint32_t launch;
  bool fences = false;         // the kernel can execute a fence, so that accesses may be published
  bool barriers = false;       // the program contains block barriers
  bool part_barriers = false;  // the program contains barriers for part of a block
  // The program has local arrays whose variables are known from debug information.
  bool local_arrays = false;
  bool meets_apart = false;  // subsets of a warp's lanes may synchronise separately
  // Shared memory has one cell per byte instead of per word, because some access is narrower than a word.
  bool bytewise = false;
  PlainStores plain_stores;
  Publication publication;
  BlockNumbers numbers;
  // How often a block waited for a store that another host thread had recorded but not yet performed.
  std::atomic<int> waits{0};
};

// An earlier access to a word, decoded from its shadow cell.
struct Toucher {
  bool own_block = true;
  std::uint64_t block = 0;
  // Own block: comparable with its warps' clocks; other block: counted from that block's start.
  std::uint64_t clock = 0;
  std::uint32_t thread = 0;
  std::uint32_t site = 0;
  Several several = Several::one;
  bool wrote = false;
  bool strong = false;
  bool atomic = false;
  bool in_block = false;  // atomic only within its block (scope cta)
  // Volatile store after a fence of its thread whose scope covers the current reader.
  bool behind_fence = false;
  bool after_store = false;    // atomic update of a word that its block had stored to plainly before
  bool several_sites = false;  // the readers that the cell represents are at several source lines
  // Each lane's last access if the cell represents several lanes of a warp and they are kept; else null.
  const LaneClocks* lanes = nullptr;
};

// The shadow cells of 32 consecutive words of shared memory, and the cell values to compare them with
// (accesses.cpp).
struct SharedRow {
  Cell* writers;
  Cell* readers;
  Cell begin;    // a smaller cell is from an earlier block
  Cell barrier;  // a smaller cell happened before the last block barrier
  Cell synced;   // a smaller cell of the own warp happened before the current access
  Cell mine;     // the cell that lane 0's access would leave
};

// Inputs of the vectorised check of one word per lane (word_lanes.h): the shadow cells of one memory, and the
// values and bit masks to compare them with. X and X_span describe the range [X, X + X_span).
struct WordLanes {
  GlobalShadow* global;  // null: shared memory
  Cell* writers;
  Cell* readers;
  Address offset;  // added to an address (or shared-memory offset), gives 4 times the index of its cell
  bool alone;      // no other host thread changes these cells
  bool updates;    // the access is the load of a read-modify-write
  Cell recent;     // cells of this launch (global) or since the last barrier (shared)
  Cell recent_span;
  Cell valid;  // valid writer cells: for loads the bytes are initialised; the word belongs to an array
  Cell valid_span;
  Cell parted;    // cells from this value on mean that the word's bytes have cells of their own
  Cell barrier;   // accesses of the own block with a smaller clock happened before the last barrier
  Cell own;       // mask: equal to `mine` in these bits if the cell represents the same thread alone
  Cell warp;      // mask: likewise for the same warp
  Cell block;     // mask: likewise for the same block
  Cell together;  // mask: likewise for the same warp at the same clock
  Cell clock;     // mask of the clock field
  Cell site;      // mask of the source-line field
  Cell mine;      // the cell that lane 0's access would leave
  unsigned thread_shift;
};

// The race detector for one block. Reused for all blocks that one host thread runs, one after another.
class BlockShadow {
 public:
  BlockShadow(Block& block, LaunchShadow& launch);

  void start(std::uint64_t index);  // the block with this linear index starts
  void barrier();                   // all threads of the block have passed a block barrier
  // Events of barriers for part of the block; see BlockObserver.
  void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier);
  void completed(std::uint64_t barrier);
  void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier);
  void synchronised(std::size_t warp, std::uint32_t lanes);
  void fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks);
  // Another block of the cluster stored to this block's shared memory: marks the bytes as initialised. Races
  // between blocks of a cluster are checked in machine/cluster.h.
  void set_from_outside(Address offset, unsigned bytes);
  // Checks an access and records it in the shadow. kQuick: tries the fast paths of quick_lanes.cpp and
  // shadow_rows.cpp before the full rules.
  template <bool kQuick>
  void touch(const Context& context, const Touch& touch);
  // Checks a load from local memory for uninitialised elements. Call it before the load is performed.
  void read_local(const Context& context, const Instruction& load, std::uint32_t lanes, const Located& at,
                  const Slots& slots);

  // True if a contiguous access to shared memory can be checked as a whole row (row_of).
  [[nodiscard]] bool has_rows(const Touch& touch) const {
    return !launch_.bytewise && !part_barriers_ && !may_change_same_store(touch);
  }
  [[nodiscard]] SharedRow row_of(std::size_t warp, const Touch& touch);
  // True if the access can be checked by the vectorised path of word_lanes.h: its result must not depend on
  // releases.
  [[nodiscard]] bool has_words(const Touch& touch) const;
  [[nodiscard]] WordLanes words_of(std::size_t warp, const Touch& touch);

 private:
  // A lane's last fence: its warp clock then, and the clock of the block barrier that preceded it.
  struct Fence {
    std::uint64_t at = 0;
    std::uint64_t barrier = 0;
  };
  enum Scope { block_scope, grid_scope };
  static constexpr std::size_t kScopes = 2;
  struct WarpPublication {
    std::array<std::array<Fence, kLanes>, kScopes> fences{};
    Acquired acquired;
    // Lanes that have acquired another thread's release and executed no fence since, per fence scope.
    std::array<std::uint32_t, kScopes> unfenced{};
  };
  // The shadow cells that a lane found before its own access replaced them.
  struct Before {
    std::array<Cell, 4> writers, readers;
  };
  class SharedCells;
  class GlobalCells;
  class QuickShared;
  class QuickGlobal;
  template <class Cells>
  class QuickLane;

  // block_order.cpp: clocks and happens-before
  [[nodiscard]] std::uint64_t now(std::size_t warp) const;
  [[nodiscard]] std::uint64_t synced(std::size_t warp, unsigned lane) const;
  void advance(std::size_t warp);
  [[nodiscard]] bool knows(std::size_t warp, unsigned lane, std::uint32_t thread, std::uint64_t clock) const;
  [[nodiscard]] bool is_over(std::size_t warp, unsigned lane, const Toucher& old) const;
  [[nodiscard]] Several merged(std::size_t warp, unsigned lane, const Toucher& old);
  // True if lanes of a warp may have acquired different accesses, so that one clock per warp does not
  // suffice.
  [[nodiscard]] bool keeps_lanes() const { return apart_ || part_barriers_.has_value(); }
  // old: the decoded cell that the new one extends, or null if the new cell replaces it.
  void keep_lanes(const LaneSets::Key& key, std::uint32_t lanes, const Toucher* old);

  // shadow.cpp: an access
  template <class Cells>
  void touch_lanes(const Context& context, const Touch& touch, Cells cells);
  template <class Cells>
  void check_lane(const Context& context, const Touch& touch, unsigned lane, Cells& cells, Before& before);
  template <class Cells>
  void note_lane(const Context& context, const Touch& touch, unsigned lane, Cells& cells,
                 const Before& before, std::uint32_t lanes);
  template <class Cells>
  void check_other_block(const Context& context, const Touch& touch, unsigned lane, Cells& cells, Cell cell,
                         bool wrote);
  template <class Cells>
  void check_again(const Context& context, const Touch& touch, unsigned lane, Cells& cells,
                   const Before& before);
  template <class Cells>
  [[nodiscard]] Toucher toucher_of(const Cells& cells, std::size_t at, Cell cell, bool wrote) const;
  template <class Cells>
  [[nodiscard]] Cell updates(Cells& cells, std::size_t warp, unsigned lane, std::size_t at, Cell cell,
                             std::uint32_t lanes);
  [[nodiscard]] bool set_by_the_host(const Touch& touch, unsigned lane) const;
  [[nodiscard]] std::uint32_t undefined_bytes(const Touch& touch, unsigned lane) const;

  // quick_lanes.cpp: fast path. Returns false, with nothing changed, if the access needs the full rules.
  [[nodiscard]] bool touch_quickly(const Context& context, const Touch& touch);
  template <class Cells>
  [[nodiscard]] bool pass_lanes(const Context& context, const Touch& touch, Cells cells);
  void judge_other_block(const Context& context, const Touch& touch, unsigned lane, const GlobalCells& cells,
                         Cell cell, bool wrote);
  void look_again(const Context& context, const Touch& touch, std::uint32_t lanes, const GlobalCells& cells);

  [[nodiscard]] bool has_unknown_number() const;

  // shadow_rows.cpp
  bool touch_global_rows(const Context& context, const Touch& touch);
  bool leave_row(const Touch& touch, std::size_t row, Cell mine, std::size_t warp);
  [[nodiscard]] bool is_free(const ShadowPlane& plane, std::size_t row, Cell cell, Cell mine) const;
  [[nodiscard]] Several beside(std::size_t warp, Cell row) const;

  // race_report.cpp
  // True if the access may change a value that several threads have stored identically (SameStores).
  [[nodiscard]] bool may_change_same_store(const Touch& touch) const {
    return touch.shared && touch.access != Access::read && !same_stores_.empty();
  }
  void forget_changed_stores(const Context& context, const Touch& touch);
  [[nodiscard]] bool reads_same_store(const Context& context, const Touch& touch, unsigned lane,
                                      const Toucher& old) const;
  void find_same_word_stores(const Context& context, const Touch& touch);
  void judge(const Context& context, const Touch& touch, unsigned lane, const Toucher& old);
  [[nodiscard]] std::optional<CauseKind> conflict(const Context& context, const Touch& touch, unsigned lane,
                                                  const Toucher& old);
  [[nodiscard]] bool is_flag(const Context& context, const Touch& touch, unsigned lane, const Toucher& old);
  [[nodiscard]] bool has_fenced(std::uint32_t thread, Scope scope) const;
  void report_missing_fence(const Context& context, const Touch& touch, unsigned lane, const Toucher& old);
  void report_uninitialised(const Context& context, const Touch& touch, unsigned lane);
  void report_past_an_array(const Context& context, const Touch& touch, unsigned lane);
  // Does nothing if this host thread has already reported the pair of lines.
  template <class Message>
  void report(CauseKind kind, const Context& context, const Touch& touch, std::uint32_t other_site,
              bool other_first, std::optional<Conflict> conflict, Message message, Address address,
              std::string callers = {});
  [[nodiscard]] std::uint32_t line_in(std::uint32_t file, const Warp* warp, const ptx::Location& at) const;
  [[nodiscard]] MemoryName name_of_word(const Touch& touch, Address address) const;
  [[nodiscard]] bool stores_what_is_there(const Context& context, const Touch& touch, unsigned lane) const;
  [[nodiscard]] bool stores_what_comes(const Context& context, const Touch& touch, unsigned lane) const;

  // block_publication.cpp
  void publish(std::size_t warp, const Touch& touch);
  void release(std::size_t warp, unsigned lane, std::uint64_t address, bool in_block);
  // At a barrier, the whole block gets what any of its threads has released by a fence or acquired.
  void hand_on();
  bool add_fences(Scope scope, std::size_t warp, std::uint64_t until, std::uint32_t lanes,
                  Released& into) const;
  bool published(std::size_t warp, const Toucher& old);
  // True if the warp has acquired a release at that very address by the older access's block.
  bool answers(std::size_t warp, std::uint64_t address, const Toucher& old);
  [[nodiscard]] std::uint64_t publication_address(const Touch& touch, unsigned lane) const;
  [[nodiscard]] std::uint64_t since_begin(std::uint64_t clock) const;

  Block& block_;
  LaunchShadow& launch_;
  [[nodiscard]] std::uint64_t number_at(std::uint64_t clock);

  std::uint64_t index_ = 0;  // linear index of the block
  // The block's numbers in global cells, one per 4096 clocks after the first 4096.
  std::vector<std::uint64_t> numbers_;
  std::uint64_t begin_ = 1;
  std::uint64_t barrier_ = 1;
  std::uint64_t latest_ = 1;  // the highest of all clocks of the block
  std::vector<WarpClock> clocks_;
  std::vector<WarpPublication> publications_;  // empty when the program has no fence
  std::array<Released, kScopes> handed_on_;
  Acquired acquired_;
  bool fenced_ = false;
  bool acquiring_ = false;

  bool apart_;              // lanes of a warp may synchronise, or have synchronised, in subsets
  LaneSets lane_sets_;      // since the last barrier
  SameStores same_stores_;  // since the last barrier

  std::vector<Cell> shared_writers_, shared_readers_;
  PlainStores shared_plain_stores_;
  // Only with barriers for part of the block: the last reader of each warp, because which warps have read
  // matters.
  std::optional<PartBarriers> part_barriers_;
  std::vector<std::vector<Cell>> shared_readers_by_warp_;
  // First report of a pair of lines by this host thread, and whether later ones were in other warps or at
  // other addresses.
  struct Reported {
    std::size_t warp = 0;
    Address address = 0;
    bool all_warps = false;
    bool elements = false;
  };
  std::map<std::tuple<CauseKind, std::uint32_t, std::uint32_t, bool>, Reported> reported_;
  // Undefined reads of local arrays in this block, by location.
  std::map<std::uint32_t, unsigned> undefined_reads_;
};

}  // namespace warpmark::simulator

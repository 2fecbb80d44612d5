// The access shadow: finds races and uninitialised reads, from each access of a block's warps.
//
// Theory of operation. Each byte knows its last writer and its last reader (shadow_cells.h). A warp has a
// clock, with which it stamps its accesses; it moves on when lanes of the warp synchronise and at every
// fence, and a barrier of the block sets all clocks to one that no warp has used yet. So an older access of
// the block is over for all threads when its clock is below the last barrier's, and for a lane of its own
// warp when it is below what the lane knows of the other (warp_clock.h); part_barriers.h has the barriers for
// part of the block. What is not over, and conflicts, is
// a race, unless a fence and an atomic operation made it known (publication.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/simulator/machine/conflict.h"
#include "harness/simulator/machine/finding.h"
#include "harness/simulator/machine/memory_names.h"
#include "harness/simulator/memory/global_shadow.h"
#include "harness/simulator/memory/shadow_cells.h"
#include "harness/simulator/operations/observer.h"
#include "harness/simulator/watch/block_numbers.h"
#include "harness/simulator/watch/lane_sets.h"
#include "harness/simulator/watch/part_barriers.h"
#include "harness/simulator/watch/plain_stores.h"
#include "harness/simulator/watch/publication.h"
#include "harness/simulator/watch/same_stores.h"
#include "harness/simulator/watch/touch.h"
#include "harness/simulator/watch/warp_clock.h"

namespace warpmark::simulator {

class Block;
class Warp;

// What all blocks of a launch share.
struct LaunchShadow {
  LaunchShadow(const Program& program, const ProgramFunction& kernel, const DeviceMemory& memory,
               std::uint64_t blocks);

  // What came before is over for all blocks, as if another launch began. While all of them wait.
  void grid_barrier();
  // Whether it loads the word that its line stores to.
  [[nodiscard]] bool updates(const Instruction& load) const { return program.sites[load.site].update; }
  // Whether a loop waits for what it loads.
  [[nodiscard]] bool polls(std::uint32_t site) const { return program.sites[site].poll; }

  const Program& program;
  const DeviceMemory& memory;
  GlobalShadow& global;
  std::uint32_t launch;
  bool fences = false;         // the kernel has any: something may be published
  bool barriers = false;       // the program has any, of a block
  bool part_barriers = false;  // likewise, of part of it
  bool local_arrays = false;   // likewise, of numbers, whose variables are known
  bool meets_apart = false;    // lanes of a warp may meet without the others
  bool bytewise = false;       // shared memory has a cell a byte, not a word: some access is narrower
  PlainStores plain_stores;
  Publication publication;
  BlockNumbers numbers;
  std::atomic<int> waits{0};  // for stores that a block on another host thread has noted, but not done
};

// An earlier access to a word.
struct Toucher {
  bool own_block = true;
  std::uint64_t block = 0;
  std::uint64_t clock = 0;  // in the own block as its warps count, else from the other block's begin
  std::uint32_t thread = 0;
  std::uint32_t site = 0;
  Several several = Several::one;
  bool wrote = false;
  bool strong = false;
  bool atomic = false;
  bool in_block = false;       // atomic there alone
  bool behind_fence = false;   // a volatile store whose thread has fenced before, for who reads it here
  bool after_store = false;    // an atomic update whose block has stored there plainly before
  bool several_sites = false;  // readers at several lines
  const LaneClocks* lanes = nullptr;  // of a warp: which, if that is kept
};

// Cells of 32 neighbouring words of shared memory, and what to hold them against (accesses.cpp).
struct SharedRow {
  Cell* writers;
  Cell* readers;
  Cell begin;    // older: of an earlier block
  Cell barrier;  // older: over for all
  Cell synced;   // older: over for the own warp
  Cell mine;     // lane 0
};

// Cells of single words of one memory, and what to hold them against (word_lanes.h). A span counts from the
// value before it.
struct WordLanes {
  GlobalShadow* global;  // null: shared memory
  Cell* writers;
  Cell* readers;
  Address offset;    // from an address, or an offset in shared memory, to that of its cell: 4 for each
  bool alone;        // no other host thread changes these cells
  bool updates;      // the access is a load of an update
  Cell recent;       // of this launch, or since the last barrier
  Cell recent_span;  //
  Cell valid;        // writers, as they have to be: of bytes that are set, and are a thread's
  Cell valid_span;   //
  Cell parted;       // from here on: its bytes have cells of their own
  Cell barrier;      // clocks of the own block below are over for all
  Cell own;          // the bits in which a cell of the same thread alone equals `mine`
  Cell warp;         // likewise of the same warp
  Cell block;        // likewise of the same block
  Cell together;     // likewise of the same warp at the same clock
  Cell clock;        // the clock's bits
  Cell site;         // the line's
  Cell mine;         // lane 0
  unsigned thread_shift;
};

// What one block's accesses show. A host thread's blocks use it one after the other.
class BlockShadow {
 public:
  BlockShadow(Block& block, LaunchShadow& launch);

  void start(std::uint64_t index);  // the block of this number begins
  void barrier();                   // all its threads met
  // Of barriers for part of the block; see BlockObserver.
  void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier);
  void completed(std::uint64_t barrier);
  void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier);
  void synchronised(std::size_t warp, std::uint32_t lanes);
  void fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks);
  // Shared memory was stored to by another block, which is looked at elsewhere (machine/cluster.h).
  void set_from_outside(Address offset, unsigned bytes);
  // kQuick: what quick_lanes.cpp and shadow_rows.cpp pass is not looked at by all rules.
  template <bool kQuick>
  void touch(const Context& context, const Touch& touch);
  // Before lanes load from their own memory.
  void read_local(const Context& context, const Instruction& load, std::uint32_t lanes, const Located& at,
                  const Slots& slots);

  // Whether the access can be judged as a row: its lanes hit words side by side.
  [[nodiscard]] bool has_rows(const Touch& touch) const {
    return !launch_.bytewise && !part_barriers_ && !may_change_same_store(touch);
  }
  [[nodiscard]] SharedRow row_of(std::size_t warp, const Touch& touch);
  // Whether what an access meets does not depend on what is published.
  [[nodiscard]] bool has_words(const Touch& touch) const;
  [[nodiscard]] WordLanes words_of(std::size_t warp, const Touch& touch);

 private:
  // A lane's last fence: when, and which of the block's accesses it stands behind.
  struct Fence {
    std::uint64_t at = 0;
    std::uint64_t barrier = 0;
  };
  enum Scope { block_scope, grid_scope };
  static constexpr std::size_t kScopes = 2;
  struct WarpPublication {
    std::array<std::array<Fence, kLanes>, kScopes> fences{};
    Acquired acquired;
    // Lanes that have seen another thread's release, and no fence of their own since.
    std::array<std::uint32_t, kScopes> unfenced{};
  };
  // What a lane sees of the memory before its own access leaves its cells there.
  struct Before {
    std::array<Cell, 4> writers, readers;
  };
  class SharedCells;
  class GlobalCells;
  class QuickShared;
  class QuickGlobal;
  template <class Cells>
  class QuickLane;

  // block_order.cpp: clocks
  [[nodiscard]] std::uint64_t now(std::size_t warp) const;
  [[nodiscard]] std::uint64_t synced(std::size_t warp, unsigned lane) const;
  void advance(std::size_t warp);
  [[nodiscard]] bool knows(std::size_t warp, unsigned lane, std::uint32_t thread, std::uint64_t clock) const;
  [[nodiscard]] bool is_over(std::size_t warp, unsigned lane, const Toucher& old) const;
  [[nodiscard]] Several merged(std::size_t warp, unsigned lane, const Toucher& old);
  // Whether lanes know different things of each other, or of other warps.
  [[nodiscard]] bool keeps_lanes() const { return apart_ || part_barriers_.has_value(); }
  // old: the cell so far, where it goes on counting.
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

  // quick_lanes.cpp: false, and nothing done, where an access has to be looked at by all rules
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
  // Whether a value may go that several threads have stored.
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
  // Nothing when this host thread has reported the pair of lines before.
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
  void hand_on();  // at a barrier, what any thread has fenced and acquired becomes the whole block's
  bool add_fences(Scope scope, std::size_t warp, std::uint64_t until, std::uint32_t lanes,
                  Released& into) const;
  bool published(std::size_t warp, const Toucher& old);
  // Whether the warp has seen what the older access's block released at that very address.
  bool answers(std::size_t warp, std::uint64_t address, const Toucher& old);
  [[nodiscard]] std::uint64_t publication_address(const Touch& touch, unsigned lane) const;
  [[nodiscard]] std::uint64_t since_begin(std::uint64_t clock) const;

  Block& block_;
  LaunchShadow& launch_;
  [[nodiscard]] std::uint64_t number_at(std::uint64_t clock);

  std::uint64_t index_ = 0;             // of the block
  std::vector<std::uint64_t> numbers_;  // of the block in global cells, by 4096 clocks behind the first
  std::uint64_t begin_ = 1;
  std::uint64_t barrier_ = 1;
  std::uint64_t latest_ = 1;  // of all clocks
  std::vector<WarpClock> clocks_;
  std::vector<WarpPublication> publications_;  // empty when the program has no fence
  std::array<Released, kScopes> handed_on_;
  Acquired acquired_;
  bool fenced_ = false;
  bool acquiring_ = false;

  bool apart_;              // lanes of a warp may meet without the others, or have done so
  LaneSets lane_sets_;      // since the last barrier
  SameStores same_stores_;  // likewise

  std::vector<Cell> shared_writers_, shared_readers_;
  PlainStores shared_plain_stores_;
  // With barriers for part of the block, it counts which warps have read: the last reader of each.
  std::optional<PartBarriers> part_barriers_;
  std::vector<std::vector<Cell>> shared_readers_by_warp_;
  // By this host thread: where first, and whether also elsewhere.
  struct Reported {
    std::size_t warp = 0;
    Address address = 0;
    bool all_warps = false;
    bool elements = false;
  };
  std::map<std::tuple<CauseKind, std::uint32_t, std::uint32_t, bool>, Reported> reported_;
  std::map<std::uint32_t, unsigned> undefined_reads_;  // of local arrays in this block, by location
};

}  // namespace warpmark::simulator

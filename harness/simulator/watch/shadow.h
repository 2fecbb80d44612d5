// Race detector: finds data races and uninitialised reads in the memory accesses of a block's warps.
//
// Theory of operation. A shadow cell records the last writer, another the last reader, of a byte or word of
// memory (shadow_cells.h). Each warp has a logical clock that stamps its accesses and advances when lanes of
// the warp synchronise and at each fence; a block barrier sets all clocks to a value that no warp has used.
// An earlier access of the same block happened before the current one if its stamp is below the last
// barrier's clock or, within a warp, below the clock that the current lane has acquired from the accessing
// lane (warp_clock.h). part_barriers.h adds barriers for part of a block. Two conflicting accesses that are
// not ordered in this way race, unless a fence and an atomic operation released and acquired the first one
// (publication.h).
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
#include "harness/simulator/watch/async_copies.h"
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

// State of the race detector that all blocks of a kernel launch share.
struct LaunchShadow {
  LaunchShadow(const Program& program, const ProgramFunction& kernel, const DeviceMemory& memory,
               std::uint64_t blocks);

  // Tells the race detector that all blocks wait in a grid-wide barrier: all earlier accesses happened before
  // all later ones, as at the start of a new launch.
  void grid_barrier();
  // True if the load belongs to a read-modify-write such as x += 1: its source line also stores to the loaded
  // word.
  [[nodiscard]] bool updates(const Instruction& load) const { return program.sites[load.site].update; }
  // True if the load at this site is the condition of a polling loop, which repeats until the value changes.
  [[nodiscard]] bool polls(std::uint32_t site) const { return program.sites[site].poll; }

  const Program& program;
  const DeviceMemory& memory;
  GlobalShadow& global;
  std::uint32_t launch;
  // true if the kernel contains fences, so that accesses may be released and acquired
  bool fences = false;
  bool barriers = false;       // true if the program contains block barriers (__syncthreads)
  bool part_barriers = false;  // true if the program contains barriers for part of a block
  // True if the program has local arrays that are described by debug information.
  bool local_arrays = false;
  bool meets_apart = false;  // true if subsets of a warp's lanes may synchronise separately
  // True if the race detector keeps one shadow cell per byte of shared memory instead of per 4-byte word,
  // because the kernel has accesses narrower than a word.
  bool bytewise = false;
  PlainStores plain_stores;
  Publication publication;
  BlockNumbers numbers;
  // Number of times that a block has waited for another host thread's store to reach memory; bounded per
  // launch.
  std::atomic<int> waits{0};
};

// An earlier access to the same word of memory as the current access, decoded from the word's shadow cell.
struct Toucher {
  bool own_block = true;
  std::uint64_t block = 0;
  // Logical clock of the recorded access. For an access of the own block it is comparable with the clocks of
  // the block's warps; for another block it counts from that block's start.
  std::uint64_t clock = 0;
  std::uint32_t thread = 0;
  std::uint32_t site = 0;
  Several several = Several::one;
  bool wrote = false;
  bool strong = false;
  bool atomic = false;
  bool in_block = false;  // true if the access is atomic only within its thread block (scope cta)
  // True for a volatile store that follows a fence of the same thread whose scope includes the current
  // thread.
  bool behind_fence = false;
  bool after_store = false;    // true for an atomic update that follows a plain store by the same block
  bool several_sites = false;  // true if the cell represents readers at different source lines
  // Logical clock of each lane's last access, if the shadow cell represents several lanes of a warp and their
  // clocks were recorded; else null.
  const LaneClocks* lanes = nullptr;
};

// Inputs of the race check of 32 consecutive words of shared memory as a whole (accesses.cpp): the shadow
// cells, and the cell values to compare them with.
struct SharedRow {
  Cell* writers;
  Cell* readers;
  Cell begin;    // shadow cells below this value stem from blocks that this host thread simulated earlier
  Cell barrier;  // shadow cells below this value record accesses that happened before the last block barrier
  // Of the own warp's accesses, shadow cells below this value record those that happened before the current
  // access.
  Cell synced;
  Cell mine;  // shadow cell that lane 0's access would store
};

// Inputs of the vectorised race check of one word per lane (word_lanes.h): the shadow cells of global or
// shared memory, and the values and bit masks to compare them with. X and X_span describe the range [X, X +
// X_span).
struct WordLanes {
  GlobalShadow* global;  // shadow cells of global memory; null if the access is to shared memory
  Cell* writers;
  Cell* readers;
  Address offset;  // offset such that (address + offset) / 4 is the index of the word's shadow cell
  bool alone;      // true if no other host thread can change the shadow cells meanwhile
  bool updates;    // true if the access is the load of a read-modify-write
  // Range (start, length) of the shadow cells that can conflict with the current access: those written in
  // this launch (global memory) or since the last block barrier (shared memory).
  Cell recent;
  Cell recent_span;
  // Range (start, length) of the writer cells (shadow cells of the last store) of accessible words. A writer
  // cell outside means that a loaded word is uninitialised, or that no array contains the word.
  Cell valid;
  Cell valid_span;
  // Shadow cells from this value on are markers that each byte of the word has a cell of its own.
  Cell parted;
  // Shadow cells of the own block with a lower clock field record accesses before the last block barrier.
  Cell barrier;
  // Bit mask: a shadow cell that equals the one of the current access in these bits belongs to the same
  // thread alone.
  Cell own;
  // Bit mask: a shadow cell that equals the one of the current access in these bits belongs to the same warp.
  Cell warp;
  // Bit mask: a shadow cell that equals the one of the current access in these bits belongs to the same
  // block.
  Cell block;
  // Bit mask: a shadow cell that equals the one of the current access in these bits has the same warp and
  // clock.
  Cell together;
  Cell clock;  // bit mask of the clock field in a shadow cell
  Cell site;   // bit mask of the source-line field in a shadow cell
  Cell mine;   // shadow cell that lane 0's access would store
  unsigned thread_shift;
};

// Race detector of one block. One object serves all blocks that a host thread simulates, one after another.
class BlockShadow {
 public:
  BlockShadow(Block& block, LaunchShadow& launch);

  // resets the race detector's state for the thread block with this linear index in the grid
  void start(std::uint64_t index);
  // Tells the race detector that all threads of the block have passed a barrier; null: one of the whole grid.
  void barrier(const Instruction* instruction);
  // Tell the race detector about barriers for part of the block (named barriers, mbarrier). Class
  // BlockObserver has functions of the same names and documents when they are called.
  void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier);
  void completed(std::uint64_t barrier);
  void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier);
  void synchronised(std::size_t warp, std::uint32_t lanes);
  void fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks);
  // Marks bytes of shared memory as initialised, after a store by another block of the cluster.
  // machine/cluster.h checks for races between blocks of a cluster.
  void set_from_outside(Address offset, unsigned bytes);
  // Checks a warp's access for races and uninitialised reads, and records it in the shadow cells. kQuick:
  // tries the fast paths (quick_lanes.cpp, shadow_rows.cpp) before the slow path (shadow.cpp).
  template <bool kQuick>
  void touch(const Context& context, const Touch& touch);
  // Checks a load from local memory for uninitialised array elements. Call it before the load is performed.
  void read_local(const Context& context, const Instruction& load, std::uint32_t lanes, const Located& at,
                  const Slots& slots);

  // Class BlockObserver has functions of the same names.
  void copy_started(std::size_t warp, unsigned lane, Address offset, unsigned bytes,
                    const Instruction& instruction);
  void copies_committed(std::size_t warp, std::uint32_t lanes);
  void copies_awaited(std::size_t warp, std::uint32_t lanes, std::uint64_t prior);
  // True if asynchronous copies to shared memory have not been waited for.
  [[nodiscard]] bool has_copies() const { return copies_.any(); }
  // Reports an access to shared memory that overlaps such a copy.
  void look_for_copies(const Context& context, const Touch& touch);

  // True if writes to some bytes of global memory are to be reported by report_write().
  [[nodiscard]] bool reports_writes() const { return launch_.global.reported_writes.bytes != 0; }
  // Reports a write to global memory if it overlaps those bytes.
  void report_write(const Context& context, const Touch& touch);

  // True if a contiguous access to shared memory can use the fast path for 32 consecutive words (row_of()).
  [[nodiscard]] bool has_rows(const Touch& touch) const {
    return !launch_.bytewise && !part_barriers_ && !may_change_same_store(touch);
  }
  [[nodiscard]] SharedRow row_of(std::size_t warp, const Touch& touch);
  // True if the access can use the vectorised fast path of word_lanes.h, which knows nothing of release and
  // acquire.
  [[nodiscard]] bool has_words(const Touch& touch) const;
  [[nodiscard]] WordLanes words_of(std::size_t warp, const Touch& touch);

 private:
  // Last fence of a lane: the clock of its warp at the fence, and the clock of the preceding block barrier.
  struct Fence {
    std::uint64_t at = 0;
    std::uint64_t barrier = 0;
  };
  enum Scope { block_scope, grid_scope };
  static constexpr std::size_t kScopes = 2;
  struct WarpPublication {
    std::array<std::array<Fence, kLanes>, kScopes> fences{};
    Acquired acquired;
    // Per fence scope, mask of the lanes that have acquired another thread's release and not executed a fence
    // since.
    std::array<std::uint32_t, kScopes> unfenced{};
  };
  // Shadow cells of a lane's words before its current access.
  struct Before {
    std::array<Cell, 4> writers, readers;
  };
  class SharedCells;
  class GlobalCells;
  class QuickShared;
  class QuickGlobal;
  template <class Cells>
  class QuickLane;

  // Functions on the logical clocks and the happens-before order of a block (block_order.cpp).
  [[nodiscard]] std::uint64_t now(std::size_t warp) const;
  [[nodiscard]] std::uint64_t synced(std::size_t warp, unsigned lane) const;
  void advance(std::size_t warp);
  [[nodiscard]] bool knows(std::size_t warp, unsigned lane, std::uint32_t thread, std::uint64_t clock) const;
  [[nodiscard]] bool is_over(std::size_t warp, unsigned lane, const Toucher& old) const;
  [[nodiscard]] Several merged(std::size_t warp, unsigned lane, const Toucher& old);
  // True if lanes of a warp may have acquired different accesses, so that shadow cells need a clock per lane.
  [[nodiscard]] bool keeps_lanes() const { return apart_ || part_barriers_.has_value(); }
  // Stores the lanes' logical clocks for a shadow cell that represents several lanes of a warp. old: the cell
  // before the current access, whose lanes are kept as well; null: none.
  void keep_lanes(const LaneSets::Key& key, std::uint32_t lanes, const Toucher* old);

  // Defined in shadow.cpp: the slow path of the race detector, with all rules.
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

  // Fast path of the race detector, defined in quick_lanes.cpp. Returns false, with nothing changed, if the
  // access needs the slow path (shadow.cpp).
  [[nodiscard]] bool touch_quickly(const Context& context, const Touch& touch);
  template <class Cells>
  [[nodiscard]] bool pass_lanes(const Context& context, const Touch& touch, Cells cells);
  void judge_other_block(const Context& context, const Touch& touch, unsigned lane, const GlobalCells& cells,
                         Cell cell, bool wrote);
  void look_again(const Context& context, const Touch& touch, std::uint32_t lanes, const GlobalCells& cells);

  [[nodiscard]] bool has_unknown_number() const;

  // Fast path of the race check for whole rows of global memory (shadow_rows.cpp).
  bool touch_global_rows(const Context& context, const Touch& touch);
  bool leave_row(const Touch& touch, std::size_t row, Cell mine, std::size_t warp);
  [[nodiscard]] bool is_free(const ShadowPlane& plane, std::size_t row, Cell cell, Cell mine) const;
  [[nodiscard]] Several beside(std::size_t warp, Cell row) const;

  // Defined in race_report.cpp. Returns true if the access may change a value that several threads have
  // stored identically (SameStores).
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
  [[nodiscard]] std::string why_undefined(const Touch& touch, unsigned lane, std::uint32_t undefined) const;
  void report_uninitialised(const Context& context, const Touch& touch, unsigned lane);
  void report_past_an_array(const Context& context, const Touch& touch, unsigned lane);
  // Adds to the accesses of a race within the block how many barriers the block has passed, and the last
  // one's line.
  void name_barriers(wire::Finding& finding) const;
  // Returns what the warp accesses, with the lane's array as the one that indices refer to.
  [[nodiscard]] WarpAccess seen_by(const Context& context, const Touch& touch, unsigned lane) const;
  // Adds a finding, unless this host thread has already reported the same pair of source lines.
  template <class Message>
  void report(CauseKind kind, const Context& context, const Touch& touch, std::uint32_t other_site,
              bool other_first, std::optional<Conflict> conflict, Message message, Address address,
              std::string callers = {});
  [[nodiscard]] std::uint32_t line_in(std::uint32_t file, const Warp* warp, const ptx::Location& at) const;
  [[nodiscard]] MemoryName name_of_word(const Touch& touch, Address address) const;
  [[nodiscard]] bool stores_what_is_there(const Context& context, const Touch& touch, unsigned lane) const;
  [[nodiscard]] bool stores_what_comes(const Context& context, const Touch& touch, unsigned lane) const;

  // Functions on release and acquire between threads through memory (block_publication.cpp).
  void publish(std::size_t warp, const Touch& touch);
  void release(std::size_t warp, unsigned lane, std::uint64_t address, bool in_block);
  // At a block barrier, all threads of the block share what any of them has released by a fence or acquired.
  void hand_on();
  bool add_fences(Scope scope, std::size_t warp, std::uint64_t until, std::uint32_t lanes,
                  Released& into) const;
  bool published(std::size_t warp, const Toucher& old);
  // True if the older access is the atomic operation or strong store of a release at this same address that
  // the warp has acquired.
  bool has_acquired(std::size_t warp, std::uint64_t address, const Toucher& old);
  // True if the warp has acquired a release at this same address by the block that made the older access.
  bool answers(std::size_t warp, std::uint64_t address, const Toucher& old);
  [[nodiscard]] std::uint64_t publication_address(const Touch& touch, unsigned lane) const;
  [[nodiscard]] std::uint64_t since_begin(std::uint64_t clock) const;

  Block& block_;
  LaunchShadow& launch_;
  [[nodiscard]] std::uint64_t number_at(std::uint64_t clock);

  std::uint64_t index_ = 0;  // linear index of the current block in the grid
  // Further numbers of the block in shadow cells of global memory, one per 4096 clocks after the first 4096.
  std::vector<std::uint64_t> numbers_;
  std::uint64_t begin_ = 1;
  std::uint64_t barrier_ = 1;
  std::uint64_t latest_ = 1;    // highest clock of any warp of the block
  std::uint64_t barriers_ = 0;  // number of barriers that the block has passed
  const Instruction* last_barrier_ = nullptr;
  std::vector<WarpClock> clocks_;
  // for each warp: the fences it has executed and releases it has acquired; empty if the kernel has no fence
  std::vector<WarpPublication> publications_;
  std::array<Released, kScopes> handed_on_;
  Acquired acquired_;
  bool fenced_ = false;
  bool acquiring_ = false;

  // true if subsets of a warp's lanes may synchronise or have synchronised separately
  bool apart_;
  // last access of each lane, for shadow cells that represent several lanes; cleared at each block barrier
  LaneSets lane_sets_;
  // words to which several threads have stored the same value; cleared at each block barrier
  SameStores same_stores_;

  std::vector<Cell> shared_writers_, shared_readers_;
  PlainStores shared_plain_stores_;
  // part_barriers_ exists only if the program has barriers for part of the block. Then
  // shared_readers_by_warp_ keeps the last reader of each warp per shared-memory word, because such a barrier
  // may order only some readers.
  std::optional<PartBarriers> part_barriers_;
  std::vector<std::vector<Cell>> shared_readers_by_warp_;
  // A race reported by this host thread: where a pair of source lines first raced, and whether the pair has
  // raced in other warps or at other addresses since.
  struct Reported {
    std::size_t warp = 0;
    Address address = 0;
    bool all_warps = false;
    bool elements = false;
  };
  std::map<std::tuple<CauseKind, std::uint32_t, std::uint32_t, bool>, Reported> reported_;
  AsyncCopies copies_;
  // Number of loads of the uninitialised-memory pattern from local arrays in this block, by source location.
  std::map<std::uint32_t, unsigned> undefined_reads_;
};

}  // namespace warpmark::simulator

// A thread block of a launch: its warps, shared memory and barriers. A host thread runs one block at a time
// and reuses the object and its buffers for the next one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulator/engine/machine/child_launches.h"
#include "harness/simulator/engine/machine/device_heap.h"
#include "harness/simulator/engine/machine/finding.h"
#include "harness/simulator/engine/machine/finding_log.h"
#include "harness/simulator/engine/machine/grid.h"
#include "harness/simulator/engine/machine/printing.h"
#include "harness/simulator/engine/machine/warp.h"
#include "harness/simulator/engine/operations/observer.h"
#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

namespace native {
class NativeCode;
}

// A pointer passed to the kernel, with the parameter's name in the source.
struct NamedPointer {
  std::string name;
  Address value = 0;
  std::size_t element = 0;  // size of the pointee type in bytes; 0 if unknown
};

// State shared by all blocks of a launch. Host threads that run blocks access it concurrently.
struct LaunchState {
  const Program& program;
  const ProgramFunction& kernel;
  Dim3 grid;
  Dim3 block;
  int device = 0;
  std::uint64_t schedule = 0;
  // Limit on warp instructions of the whole launch; 0: no limit, loops are judged by repeated state and time.
  std::uint64_t launch_budget = 0;
  const DeviceMemory& memory;
  std::vector<AllocationView> allocations;  // live ones, sorted by address
  mutable FreedViews freed;
  std::vector<std::byte> parameters;
  std::vector<NamedPointer> pointers;  // the pointers in the kernel's parameters
  std::size_t shared_bytes = 0;
  std::size_t dynamic_shared_offset = 0;

  // A block that fails sets this to its position (the blocks' order of execution). Earlier blocks still
  // finish, so that the reported finding does not depend on the number of host threads.
  std::atomic<std::uint64_t> stop_behind{UINT64_MAX};
  std::atomic<std::uint64_t> executed{0};
  std::mutex mutex;
  std::optional<Finding> finding;      // the fatal finding
  FindingLog log{};                    // all other findings
  LaunchObserver* observer = nullptr;  // null if the launch is not observed
  bool check_accesses = false;
  std::string said;  // what CUDA prints on stderr about the fatal finding
  PrintBuffer printed;
  std::atomic<bool> lasting_effect{false};   // see Context
  std::atomic<bool> reaches_further{false};  // see Context
  std::atomic<bool> order_matters{false};    // see Context

  // True if several host threads run blocks, or will soon. Set before the second one starts.
  bool several_threads = false;
  // Number of host threads that run blocks, and of those whose blocks all repeat the same state.
  std::atomic<unsigned> working{0};
  std::atomic<unsigned> going_round{0};
  unsigned time_limit = kDefaultTimeLimit;

  // A cooperative launch keeps all blocks resident, so that they may wait for each other.
  bool cooperative = false;
  Dim3 cluster{1, 1, 1};       // blocks that are co-resident and can access each other's shared memory
  DeviceHeap* heap = nullptr;  // null: device-side malloc() returns null
  // Fetches adopted memory that a thread is about to access
  std::function<void(const Allocation&)> bring = {};
  // Machine code for the warps; null: they are interpreted
  const native::NativeCode* native = nullptr;
  ChildLaunches children{};
};

class Cluster;

// Implemented by observers that track which bytes of a block's shared memory are initialised.
class OutsideStores {
 public:
  virtual ~OutsideStores() = default;
  virtual void set_from_outside(Address offset, unsigned bytes) = 0;
};

class Block {
 public:
  explicit Block(LaunchState& launch);

  // Makes the block a member of a cluster.
  void join(Cluster& cluster, unsigned rank);
  [[nodiscard]] Cluster* cluster() const { return cluster_; }  // null if it is in no cluster
  [[nodiscard]] unsigned rank_in_cluster() const { return rank_; }
  [[nodiscard]] Dim3 index_in_cluster() const;
  [[nodiscard]] std::byte* shared() { return shared_.data(); }
  // Another block of the cluster stored to this block's shared memory.
  void set_from_outside(Address offset, unsigned bytes) {
    if (outside_stores_ != nullptr) outside_stores_->set_from_outside(offset, bytes);
  }

  // begin() starts the block with linear index `index`, which is the position-th to run; advance() then runs
  // it until one of these. See residency.h.
  enum class Progress : std::uint8_t {
    finished,
    stopped,  // by a fatal finding of its own, or because an earlier block has one
    paused,   // has used up the instructions that advance() allowed
    waits_for_grid,
  };
  void begin(std::uint64_t position, std::uint64_t index);
  Progress advance(std::uint64_t instructions);
  // Like advance(), and checks whether all warps of a paused block have returned to an earlier state at a
  // backward branch: then only another block can end its loops.
  struct Round {
    Progress progress;
    bool repeats;
  };
  Round go_round(std::uint64_t instructions);
  // Makes the next pause report the loop: as endless, or (seconds > 0) as exceeding that time limit.
  void press(unsigned seconds) {
    pressed_ = true;
    time_limit_ = seconds;
  }
  void release_from_grid();
  void report_grid_barrier_without_all(std::uint64_t ended_blocks);

  // Interface for the block's warps.
  [[nodiscard]] LaunchState& launch() { return launch_; }
  [[nodiscard]] const ptx::Location& location(const Instruction& instruction) const;
  [[nodiscard]] std::string_view file_name(const ptx::Location& at) const;  // without directories
  // Returns the call chain, as in ", called from a.cu:17" (inlined calls and the warp's function calls),
  // often empty. warp: null if unknown; split: null for the running one.
  [[nodiscard]] std::string callers(const ptx::Location& at, const Warp* warp,
                                    const Warp::Split* split = nullptr) const;
  // Returns the call chain's locations, innermost first; truncated to the innermost few.
  [[nodiscard]] std::vector<ptx::Location> callers_of(const ptx::Location& at, const Warp* warp,
                                                      const Warp::Split* split = nullptr) const;
  [[nodiscard]] const Dim3& index() const { return index_; }
  // Index in the order in which blocks run
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] Dim3 thread_index(const Warp& warp, unsigned lane) const;
  [[nodiscard]] std::string block_name() const;
  [[nodiscard]] std::string block_name(std::uint64_t index) const;
  [[nodiscard]] std::string thread_name(const Warp& warp, unsigned lane) const;
  [[nodiscard]] std::string thread_name(std::uint32_t number) const;
  // Reports a fatal finding at the instruction and ends the block. Does nothing if an earlier block has one.
  void stop(CauseKind kind, const Instruction* instruction, std::string message, int other_line = 0,
            std::string said = {});
  // Sets the finding's file and line.
  void set_source(Finding& finding, const ptx::Location& at) const;
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] unsigned live() const { return live_; }  // number of threads that have not exited
  void exited(unsigned threads);
  void arrive(Warp& warp, std::size_t split, const Instruction& instruction);
  // Barrier objects (mbarrier), identified by their address. arrive_at_object() returns the phase of the
  // arrival; a thread that waits for a phase continues when that phase has completed.
  void begin_object(Address at, std::uint32_t expected);
  std::uint64_t arrive_at_object(Address at, std::uint32_t arrivals, std::uint32_t drops,
                                 const Instruction& instruction);
  // Report to the observer that lanes arrive at, or have waited at, a barrier object (happens-before edges).
  void comes_to_object(const Warp& warp, std::uint32_t lanes, Address at);
  void leaves_object(const Warp& warp, std::uint32_t lanes, Address at);
  [[nodiscard]] bool object_has_passed(Address at, std::uint64_t phase) const;
  void wait_at_object(Warp& warp, std::size_t split, const Instruction& instruction);
  void arrive_at_grid(Warp& warp, std::size_t split, const Instruction& instruction);
  // Called when a warp has executed its allowance of backward branches, the last of which is `instruction`.
  void looked_at(Warp& warp, const Instruction& instruction, std::size_t depth);
  void count(std::uint64_t instructions) { executed_ += instructions; }
  // Value of clock(): warp instructions since the block's start, plus an offset that grows if threads only
  // poll the clock.
  [[nodiscard]] std::uint64_t clock();

 private:
  struct Waiting {
    std::size_t warp;
    std::size_t split;
  };
  struct Barrier {
    unsigned arrived = 0;
    // Threads that have arrived; `arrived` counts a whole warp as 32 even if it has fewer
    unsigned threads = 0;
    unsigned wanted = 0;  // expected arrivals; 0: all threads that have not exited
    std::vector<Waiting> splits;
  };
  struct BarrierObject {
    std::uint32_t expected = 0;       // arrivals that complete the phase
    std::uint32_t next_expected = 0;  // the same for the next phase
    std::uint32_t arrived = 0;
    std::uint64_t phase = 0;
  };
  struct WaitingAtObject {
    Waiting place;
    std::vector<std::pair<Address, std::uint64_t>> phases;  // per lane: object and phase
  };
  struct BackEdge {
    std::uint64_t count = 0;
    std::size_t depth = 0;
  };

  void fill_rows(std::uint64_t index);
  void order_warps(std::uint64_t position);
  bool count_fits(const Barrier& barrier, unsigned wanted, const Warp& warp, std::size_t split,
                  const Instruction& instruction);
  void maybe_release(Barrier& barrier);
  void show_barrier(const Barrier& barrier, const Instruction& instruction);
  bool same_line(const Barrier& barrier);
  [[nodiscard]] bool has_passed(const WaitingAtObject& waiting) const;
  void release_from_object(const WaitingAtObject& waiting);
  void report_stuck_at_object();
  void note_early_exits(const Instruction& instruction);
  void deliver(const Barrier& barrier);
  void report_stuck();
  [[nodiscard]] std::string describe(const Waiting& waiting) const;
  [[nodiscard]] bool waits_for_barrier(const Waiting& at_collective) const;
  void report_endless_loop(const Instruction& instruction);
  [[nodiscard]] bool waits_for_host(const Instruction& branch) const;

  LaunchState& launch_;
  Cluster* cluster_ = nullptr;
  unsigned rank_ = 0;
  OutsideStores* outside_stores_ = nullptr;  // the observer, if it implements the interface; else null
  std::vector<Warp> warps_;
  std::vector<std::size_t> order_;
  Bytes shared_;
  Bytes rows_;
  std::vector<Hit> hits_;
  std::unique_ptr<BlockObserver> observer_;  // null if not observed
  std::array<Barrier, 16> barriers_;
  std::map<Address, BarrierObject> objects_;
  std::vector<WaitingAtObject> at_objects_;
  unsigned live_ = 0;
  std::uint64_t position_ = 0;
  Dim3 index_;
  bool stopped_ = false;
  bool noted_early_exits_ = false;   // for any block that this host thread has run
  std::uint64_t executed_ = 0;       // warp instructions, over all blocks run so far
  std::uint64_t block_began_ = 0;    // value of executed_ when this block began
  std::uint64_t clock_read_at_ = 0;  // value of executed_ at the last clock reading
  std::uint64_t clock_reads_ = 0;    // consecutive readings within a few instructions of each other
  std::uint64_t clock_ahead_ = 0;    // offset of the clock from the instructions executed
  std::uint64_t reported_ = 0;       // value of executed_ last added to the launch's count
  std::uint64_t pause_at_ = 0;       // value of executed_ at which to pause
  bool paused_ = false;
  bool pressed_ = false;
  unsigned time_limit_ = 0;  // seconds; 0: the loop provably never ends
  // Cycle detection in go_round(): a warp's state at a backward branch, compared with later visits of the
  // branch.
  struct Lap {
    const Instruction* branch = nullptr;
    std::uint64_t count = 0;
    std::uint64_t keep = 1;  // visits until the next snapshot
    Warp::Snapshot state;
    Bytes shared;
    bool repeats = false;
  };
  void look_at_lap(const Warp& warp, const Instruction& branch);
  std::vector<Lap> laps_;  // per warp; empty outside go_round()
  std::vector<Waiting> at_grid_;
  // Value of executed_ at which to report the endless loop; 0: not counting back edges
  std::uint64_t watch_until_ = 0;
  std::map<const Instruction*, BackEdge> back_edges_;
};

}  // namespace warpmark::simulator

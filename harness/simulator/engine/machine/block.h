// A thread block of a launch: its warps, shared memory and barriers. After one block has ended, its host
// thread reuses the object and its buffers for the next block.
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

// A kernel argument that is a pointer, with the parameter's name in the source; used in error messages.
struct NamedPointer {
  std::string name;
  Address value = 0;
  std::size_t element = 0;  // size in bytes of the kernel parameter's pointee type; 0 if unknown
};

// State shared by all blocks of a launch. Host threads that run blocks access it concurrently.
class InjectedFaults;

struct LaunchState {
  const Program& program;
  const ProgramFunction& kernel;
  Dim3 grid;
  Dim3 block;
  int device = 0;
  std::uint64_t schedule = 0;
  // Maximum number of warp instructions of the whole launch. 0: no limit; endless loops are then recognised
  // by a repeated state or by the time limit.
  std::uint64_t launch_budget = 0;
  const DeviceMemory& memory;
  // live allocations, sorted by address, with which the launch's accesses are checked
  std::vector<AllocationView> allocations;
  mutable FreedViews freed;
  std::vector<std::byte> parameters;
  std::vector<NamedPointer> pointers;  // kernel arguments that are pointers, with their parameters' names
  std::size_t shared_bytes = 0;
  std::size_t dynamic_shared_offset = 0;

  // Position, in execution order, of the earliest block with a fatal finding. Blocks before it still finish,
  // so that the reported finding does not depend on the number of host threads.
  std::atomic<std::uint64_t> stop_behind{UINT64_MAX};
  std::atomic<std::uint64_t> executed{0};
  std::mutex mutex;
  std::optional<Finding> finding;  // fatal finding (detected defect) that ended the launch
  FindingLog log{};                // non-fatal findings (detected defects), which do not end the launch
  // The launch's race detector and performance counters; null if it is simulated without them.
  LaunchObserver* observer = nullptr;
  bool check_accesses = false;
  std::string said;  // text that a real GPU would print on stderr, e.g. for a failed assertion
  PrintBuffer printed;
  // Flags of the launch, set by instruction handlers: it has lasting effects, depends on or changes more than
  // device memory, or may depend on the order of its blocks.
  std::atomic<bool> lasting_effect{false};
  std::atomic<bool> reaches_further{false};
  std::atomic<bool> order_matters{false};

  // True if more than one host thread runs blocks of the launch. Set before the second host thread starts.
  bool several_threads = false;
  // Number of host threads that currently run blocks.
  std::atomic<unsigned> working{0};
  // Number of host threads whose resident blocks are all in loops that return to an earlier state.
  std::atomic<unsigned> going_round{0};
  unsigned time_limit = kDefaultTimeLimit;

  // A cooperative launch keeps all blocks resident, so that they may wait for each other.
  bool cooperative = false;
  Dim3 cluster{1, 1, 1};       // blocks per thread block cluster; {1, 1, 1}: no clusters
  DeviceHeap* heap = nullptr;  // null: the launch has no device heap, and malloc() in kernels returns null
  // Copies registered host memory (cudaHostRegister) to the device before a thread accesses it.
  std::function<void(const Allocation&)> bring = {};
  // Returns the name of the variable whose host symbol contains the address, empty if there is none.
  std::function<std::string(Address)> symbol_at = {};
  // Compiled machine code for the warps; null: the warps are interpreted.
  const native::NativeCode* native = nullptr;
  // Faults to inject, in a launch on one host thread; not owned; null: none.
  InjectedFaults* faults = nullptr;
  // Blocks take turns of a few instructions from their start on, as on a GPU, in a counted launch on one host
  // thread; what a warp does while it waits is not counted.
  bool short_turns = false;
  ChildLaunches children{};
};

class Cluster;

// Implemented by race detectors that track which bytes of a block's shared memory are initialised:
// set_from_outside() marks bytes that another block of the cluster has stored (distributed shared memory) as
// initialised.
class OutsideStores {
 public:
  virtual ~OutsideStores() = default;
  virtual void set_from_outside(Address offset, unsigned bytes) = 0;
};

class Block {
 public:
  explicit Block(LaunchState& launch);

  // Makes the thread block a member of a thread block cluster, with the given rank in it.
  void join(Cluster& cluster, unsigned rank);
  [[nodiscard]] Cluster* cluster() const { return cluster_; }  // the block's thread block cluster, or null
  [[nodiscard]] unsigned rank_in_cluster() const { return rank_; }
  [[nodiscard]] Dim3 index_in_cluster() const;
  [[nodiscard]] std::byte* shared() { return shared_.data(); }
  // Marks bytes of this block's shared memory as initialised in the race detector, because another block of
  // the cluster has stored them.
  void set_from_outside(Address offset, unsigned bytes) {
    if (outside_stores_ != nullptr) outside_stores_->set_from_outside(offset, bytes);
  }

  // begin() starts the block with linear index `index` as the `position`-th block of the launch; advance()
  // runs it for at most the given number of warp instructions and returns, as Progress, why it stopped. Class
  // Residency calls both.
  enum class Progress : std::uint8_t {
    finished,
    stopped,  // a fatal finding, in this thread block or in one earlier in execution order, ended the block
    paused,   // the thread block has used up the instructions of its turn and is to be resumed
    waits_for_grid,
  };
  void begin(std::uint64_t position, std::uint64_t index);
  Progress advance(std::uint64_t instructions);
  // Runs the block for at most the given number of warp instructions. `repeats` is true if the block paused
  // and each runnable warp has returned to an earlier state at a backward branch, so that only stores by
  // another block can end its loops. `again`: the earlier state has to be the one that the call before found,
  // so that a block that has moved on to its next loop in between does not repeat.
  struct Round {
    Progress progress;
    bool repeats;
  };
  Round go_round(std::uint64_t instructions, bool again = false);
  // True if the block's warps are where, and have the registers that, they had when this function was called
  // last: the block has polled all the while.
  [[nodiscard]] bool stands_still();
  // Makes the block stop with a finding about its current loop instead of pausing again: an endless loop if
  // `seconds` is 0, else a loop that exceeds the time limit of `seconds`.
  void press(unsigned seconds) {
    pressed_ = true;
    time_limit_ = seconds;
  }
  void release_from_grid();
  void report_grid_barrier_without_all(std::uint64_t ended_blocks);

  [[nodiscard]] LaunchState& launch() { return launch_; }
  [[nodiscard]] const LaunchState& launch() const { return launch_; }
  [[nodiscard]] const ptx::Location& location(const Instruction& instruction) const;
  // returns the name of the location's source file, without directories
  [[nodiscard]] std::string_view file_name(const ptx::Location& at) const;
  // Returns a message fragment with the call chain of source location `at`, e.g. ", called from a.cu:17", or
  // an empty string if it has none: inlined calls and, if `warp` is given, calls on the stack of `split`, a
  // group of converged lanes (null: the running lanes).
  [[nodiscard]] std::string callers(const ptx::Location& at, const Warp* warp,
                                    const Warp::Split* split = nullptr) const;
  // Returns the locations of the calls that led to the location `at`, innermost first, at most a few.
  [[nodiscard]] std::vector<ptx::Location> callers_of(const ptx::Location& at, const Warp* warp,
                                                      const Warp::Split* split = nullptr) const;
  [[nodiscard]] const Dim3& index() const { return index_; }
  // Returns the block's index in the launch's execution order.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] Dim3 thread_index(const Warp& warp, unsigned lane) const;
  [[nodiscard]] std::string block_name() const;
  [[nodiscard]] std::string block_name(std::uint64_t index) const;
  [[nodiscard]] std::string thread_name(const Warp& warp, unsigned lane) const;
  [[nodiscard]] std::string thread_name(std::uint32_t number) const;
  // Ends the block with a fatal finding at the instruction. The finding is discarded if a block earlier in
  // execution order has one, too. `said` is text that a real GPU prints on stderr. warp_access: what the warp
  // accesses by the instruction, if that shows the fault.
  void stop(CauseKind kind, const Instruction* instruction, std::string message, int other_line = 0,
            std::string said = {}, std::optional<WarpAccess> warp_access = {});
  // Fills in a finding's source file and line from the source location `at`.
  void set_source(Finding& finding, const ptx::Location& at) const;
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] unsigned live() const { return live_; }  // number of the block's threads that have not exited
  void exited(unsigned threads);
  void arrive(Warp& warp, std::size_t split, const Instruction& instruction);
  // Operations on barrier objects (mbarrier), identified by their address. begin_object() initialises one.
  // arrive_at_object() returns the phase in which the arrival counts; a thread that waits for a phase
  // continues when that phase has completed.
  void begin_object(Address at, std::uint32_t expected);
  std::uint64_t arrive_at_object(Address at, std::uint32_t arrivals, std::uint32_t drops,
                                 const Instruction& instruction);
  // Tell the race detector that lanes arrive at, or have waited at, a barrier object; it derives
  // happens-before edges from both.
  void comes_to_object(const Warp& warp, std::uint32_t lanes, Address at);
  void leaves_object(const Warp& warp, std::uint32_t lanes, Address at);
  [[nodiscard]] bool object_has_passed(Address at, std::uint64_t phase) const;
  void wait_at_object(Warp& warp, std::size_t split, const Instruction& instruction);
  void arrive_at_grid(Warp& warp, std::size_t split, const Instruction& instruction);
  // Called when a warp has taken the number of backward branches that it may take in a row, `instruction`
  // being the last. Pauses the thread block if it has used up its turn, and checks for endless loops.
  void looked_at(Warp& warp, const Instruction& instruction, std::size_t depth);
  void count(std::uint64_t instructions) { executed_ += instructions; }
  // Returns the value of clock(): warp instructions since the block's start, plus an offset that grows while
  // threads only poll the clock.
  [[nodiscard]] std::uint64_t clock();

 private:
  struct Waiting {
    std::size_t warp;
    std::size_t split;
  };
  struct Barrier {
    unsigned arrived = 0;
    // Number of threads that have arrived at the block barrier. `arrived` may be larger: a barrier with an
    // explicit thread count counts each arriving warp as 32 threads, even a partial one.
    unsigned threads = 0;
    // number of arriving threads that completes the barrier; 0: all threads that have not exited
    unsigned wanted = 0;
    std::vector<Waiting> splits;
  };
  struct BarrierObject {
    std::uint32_t expected = 0;       // arrivals that complete an mbarrier's current phase
    std::uint32_t next_expected = 0;  // arrivals that complete an mbarrier's next phase
    std::uint32_t arrived = 0;
    std::uint64_t phase = 0;
  };
  struct WaitingAtObject {
    Waiting place;
    // Per lane: address of the barrier object, and the phase for whose completion the lane waits.
    std::vector<std::pair<Address, std::uint64_t>> phases;
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
  // Returns where the block's threads are that wait, are past the others, or have returned.
  [[nodiscard]] std::vector<ThreadRun> thread_runs() const;
  [[nodiscard]] std::string describe(const Waiting& waiting) const;
  [[nodiscard]] bool waits_for_barrier(const Waiting& at_collective) const;
  [[nodiscard]] std::string thread_behind(const Instruction& branch) const;
  void report_endless_loop(const Instruction& instruction);
  [[nodiscard]] bool waits_for_host(const Instruction& branch) const;

  LaunchState& launch_;
  Cluster* cluster_ = nullptr;
  unsigned rank_ = 0;
  // the block's race detector if it tracks which bytes of shared memory are initialised, else null
  OutsideStores* outside_stores_ = nullptr;
  std::vector<Warp> warps_;
  std::vector<std::size_t> order_;
  Bytes shared_;
  Bytes rows_;
  std::vector<Hit> hits_;
  // The thread block's race detector and performance counters; null if the launch is simulated without them.
  std::unique_ptr<BlockObserver> observer_;
  std::array<Barrier, 16> barriers_;
  std::map<Address, BarrierObject> objects_;
  std::vector<WaitingAtObject> at_objects_;
  unsigned live_ = 0;
  std::uint64_t position_ = 0;
  Dim3 index_;
  bool stopped_ = false;
  // True once the simulator has noted that a block barrier completed without waiting for exited threads: the
  // note is not repeated for later barriers and thread blocks.
  bool noted_early_exits_ = false;
  // Warp instructions executed so far, counted over all thread blocks that this Block object has run.
  std::uint64_t executed_ = 0;
  std::uint64_t block_began_ = 0;    // instruction count when the block started
  std::uint64_t clock_read_at_ = 0;  // instruction count when a thread last called clock()
  // Number of successive calls of clock() so few instructions apart that the threads seem to poll the clock.
  std::uint64_t clock_reads_ = 0;
  // Offset that clock() adds to the block's executed instructions. It grows while threads poll the clock, so
  // that their loop ends soon.
  std::uint64_t clock_ahead_ = 0;
  // Part of the block's instruction count that is already included in the launch's total.
  std::uint64_t reported_ = 0;
  std::uint64_t pause_at_ = 0;  // instruction count at which the thread block's turn ends
  bool paused_ = false;
  bool pressed_ = false;
  // Time limit of the launch in seconds, if a loop is reported for exceeding it; 0 if it is reported as
  // endless.
  unsigned time_limit_ = 0;
  // Cycle detection in go_round(): a warp's state at a backward branch, to be compared with its state at
  // later visits of that branch.
  struct Lap {
    const Instruction* branch = nullptr;
    std::uint64_t count = 0;
    // Brent's cycle detection replaces a warp's reference state after this many visits of a backward branch;
    // doubles each time.
    std::uint64_t keep = 1;
    Warp::Snapshot state;
    Bytes shared;
    bool repeats = false;
  };
  void look_at_lap(const Warp& warp, const Instruction& branch);
  // Per warp: state of the endless-loop detection; empty unless the detection is active.
  std::vector<Lap> laps_;
  std::vector<Lap> found_laps_;  // of the last go_round()
  bool laps_are_given_ = false;
  std::vector<Warp::Snapshot> seen_;  // by the last stands_still()
  std::uint32_t branch_turn_ = 0;     // backward branches between two looks at a warp
  std::vector<Waiting> at_grid_;
  // While the simulator counts taken backward branches to locate an endless loop: the instruction count at
  // which it reports the loop; 0 otherwise.
  std::uint64_t watch_until_ = 0;
  std::map<const Instruction*, BackEdge> back_edges_;
};

}  // namespace warpmark::simulator

// A block of a launch: its warps, its shared memory, its barriers. A host thread runs one block at a time and
// reuses all buffers for the next one.
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

#include "harness/simulator/code/program.h"
#include "harness/simulator/machine/child_launches.h"
#include "harness/simulator/machine/device_heap.h"
#include "harness/simulator/machine/finding.h"
#include "harness/simulator/machine/finding_log.h"
#include "harness/simulator/machine/grid.h"
#include "harness/simulator/machine/printing.h"
#include "harness/simulator/machine/warp.h"
#include "harness/simulator/operations/observer.h"

namespace warpmark::simulator {

namespace native {
class NativeCode;
}

// A pointer that the kernel got, under its own name for it.
struct NamedPointer {
  std::string name;
  Address value = 0;
  std::size_t element = 0;  // bytes of what it points to; 0: not known
};

// What all blocks of a launch share.
struct LaunchState {
  const Program& program;
  const ProgramFunction& kernel;
  Dim3 grid;
  Dim3 block;
  int device = 0;
  std::uint64_t schedule = 0;
  std::uint64_t launch_budget =
      0;  // warp instructions of the whole launch; 0: a block's default budget counts
  const DeviceMemory& memory;
  std::vector<AllocationView> allocations;  // the live ones, sorted by begin
  mutable FreedViews freed;
  std::vector<std::byte> parameters;
  std::vector<NamedPointer> pointers;  // among the parameters
  std::size_t shared_bytes = 0;
  std::size_t dynamic_shared_offset = 0;

  // Blocks are numbered in the order in which they run. One that fails lets the earlier ones finish, so that
  // the finding does not depend on the number of host threads.
  std::atomic<std::uint64_t> stop_behind{UINT64_MAX};
  std::atomic<std::uint64_t> executed{0};
  std::mutex mutex;
  std::optional<Finding> finding;      // the fatal one
  FindingLog log{};                    // the others
  LaunchObserver* observer = nullptr;  // null: not observed
  bool check_accesses = false;
  std::string said;  // what CUDA prints about the fatal one
  PrintBuffer printed;
  std::atomic<bool> lasting_effect{false};   // see Context
  std::atomic<bool> reaches_further{false};  // likewise
  std::atomic<bool> order_matters{false};    // likewise

  // Whether more than one host thread runs blocks, or soon will. Set before the second one begins.
  bool several_threads = false;
  // Host threads that run blocks, and those of them whose blocks all go round without a change.
  std::atomic<unsigned> working{0};
  std::atomic<unsigned> going_round{0};
  unsigned time_limit = kDefaultTimeLimit;

  // A cooperative launch: all blocks run at the same time and may wait for each other.
  bool cooperative = false;
  Dim3 cluster{1, 1, 1};       // blocks that run at the same time, and reach each other's shared memory
  DeviceHeap* heap = nullptr;  // null: malloc() gives nothing
  std::function<void(const Allocation&)> bring = {};  // adopted memory that a thread is about to reach
  const native::NativeCode* native = nullptr;         // what the warps run; null: they are interpreted
  ChildLaunches children{};
};

class Cluster;

// An observer that knows which bytes of a block's shared memory are set.
class OutsideStores {
 public:
  virtual ~OutsideStores() = default;
  virtual void set_from_outside(Address offset, unsigned bytes) = 0;
};

class Block {
 public:
  explicit Block(LaunchState& launch);

  // From now on it is one of several.
  void join(Cluster& cluster, unsigned rank);
  [[nodiscard]] Cluster* cluster() const { return cluster_; }  // null: it is alone
  [[nodiscard]] unsigned rank_in_cluster() const { return rank_; }
  [[nodiscard]] Dim3 index_in_cluster() const;
  [[nodiscard]] std::byte* shared() { return shared_.data(); }
  // Another block of the cluster stored there.
  void set_from_outside(Address offset, unsigned bytes) {
    if (outside_stores_ != nullptr) outside_stores_->set_from_outside(offset, bytes);
  }

  // Runs the block of that index, the position-th of the launch, step by step. See residency.h.
  enum class Progress : std::uint8_t {
    finished,
    stopped,  // on a finding of its own or because an earlier block has one
    paused,   // the instructions that it was given are used up
    waits_for_grid,
  };
  void begin(std::uint64_t position, std::uint64_t index);
  Progress advance(std::uint64_t instructions);
  // Advances it, and says of a block that paused whether all its warps go round without a change: then only
  // another block can end its loops.
  struct Round {
    Progress progress;
    bool repeats;
  };
  Round go_round(std::uint64_t instructions);
  // Next time it pauses, its loop is reported: it never ends, or (seconds > 0) has not within that time.
  void press(unsigned seconds) {
    pressed_ = true;
    time_limit_ = seconds;
  }
  void release_from_grid();
  void report_grid_barrier_without_all(std::uint64_t ended_blocks);

  // For its warps.
  [[nodiscard]] LaunchState& launch() { return launch_; }
  [[nodiscard]] const ptx::Location& location(const Instruction& instruction) const;
  [[nodiscard]] std::string_view file_name(const ptx::Location& at) const;  // without folders
  // ", called from a.cu:17": where the code was inlined, and who called the warp's function. Often empty.
  // warp: null where it is not known; split: null for the one that runs.
  [[nodiscard]] std::string callers(const ptx::Location& at, const Warp* warp,
                                    const Warp::Split* split = nullptr) const;
  // The same places, innermost first; of a recursion the innermost few.
  [[nodiscard]] std::vector<ptx::Location> callers_of(const ptx::Location& at, const Warp* warp,
                                                      const Warp::Split* split = nullptr) const;
  [[nodiscard]] const Dim3& index() const { return index_; }
  [[nodiscard]] std::uint64_t position() const { return position_; }  // in the order of the blocks
  [[nodiscard]] Dim3 thread_index(const Warp& warp, unsigned lane) const;
  [[nodiscard]] std::string block_name() const;
  [[nodiscard]] std::string block_name(std::uint64_t index) const;
  [[nodiscard]] std::string thread_name(const Warp& warp, unsigned lane) const;
  [[nodiscard]] std::string thread_name(std::uint32_t number) const;
  // A finding at the instruction ends the block.
  void stop(CauseKind kind, const Instruction* instruction, std::string message, int other_line = 0,
            std::string said = {});
  // Names the line and its file.
  void set_source(Finding& finding, const ptx::Location& at) const;
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] unsigned live() const { return live_; }  // threads that have not returned
  void exited(unsigned threads);
  void arrive(Warp& warp, std::size_t split, const Instruction& instruction);
  // Barriers that are objects, by their address. Arriving gives the phase that it belongs to; who waits for a
  // phase goes on when it has ended.
  void begin_object(Address at, std::uint32_t expected);
  std::uint64_t arrive_at_object(Address at, std::uint32_t arrivals, std::uint32_t drops,
                                 const Instruction& instruction);
  // What the lanes have done counts for who waits there, once they arrive.
  void comes_to_object(const Warp& warp, std::uint32_t lanes, Address at);
  void leaves_object(const Warp& warp, std::uint32_t lanes, Address at);
  [[nodiscard]] bool object_has_passed(Address at, std::uint64_t phase) const;
  void wait_at_object(Warp& warp, std::size_t split, const Instruction& instruction);
  void arrive_at_grid(Warp& warp, std::size_t split, const Instruction& instruction);
  // Many backward branches were executed; this one was the last.
  void looked_at(Warp& warp, const Instruction& instruction, std::size_t depth);
  void count(std::uint64_t instructions) { executed_ += instructions; }
  // What a thread reads as its clock: the warp instructions since the block's begin, and more where threads
  // do nothing but wait for it.
  [[nodiscard]] std::uint64_t clock();

 private:
  struct Waiting {
    std::size_t warp;
    std::size_t split;
  };
  struct Barrier {
    unsigned arrived = 0;
    unsigned threads = 0;  // of them: a warp that counts whole may have fewer
    unsigned wanted = 0;   // 0: all threads that have not exited
    std::vector<Waiting> splits;
  };
  struct BarrierObject {
    std::uint32_t expected = 0;       // arrivals that end the phase
    std::uint32_t next_expected = 0;  // the same of the next one
    std::uint32_t arrived = 0;
    std::uint64_t phase = 0;
  };
  struct WaitingAtObject {
    Waiting place;
    std::vector<std::pair<Address, std::uint64_t>> phases;  // of its lanes: object and phase
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
  OutsideStores* outside_stores_ = nullptr;  // of the observer; null: it does not care
  std::vector<Warp> warps_;
  std::vector<std::size_t> order_;
  Bytes shared_;
  Bytes rows_;
  std::vector<Hit> hits_;
  std::unique_ptr<BlockObserver> observer_;  // null: not observed
  std::array<Barrier, 16> barriers_;
  std::map<Address, BarrierObject> objects_;
  std::vector<WaitingAtObject> at_objects_;
  unsigned live_ = 0;
  std::uint64_t position_ = 0;
  Dim3 index_;
  bool stopped_ = false;
  bool noted_early_exits_ = false;   // of any block that this host thread ran
  std::uint64_t executed_ = 0;       // of all blocks so far
  std::uint64_t block_began_ = 0;    // its value when this block began
  std::uint64_t clock_read_at_ = 0;  // instructions executed then
  std::uint64_t clock_reads_ = 0;    // close behind one another
  std::uint64_t clock_ahead_ = 0;    // of the instructions executed
  std::uint64_t reported_ = 0;       // of it, added to the launch's count
  std::uint64_t pause_at_ = 0;       // instructions executed
  bool paused_ = false;
  bool pressed_ = false;
  unsigned time_limit_ = 0;  // seconds; 0: the loop provably never ends
  // A warp at a backward branch, while go_round() looks whether it comes back there unchanged.
  struct Lap {
    const Instruction* branch = nullptr;
    std::uint64_t count = 0;
    std::uint64_t keep = 1;  // laps until the state is taken anew
    Warp::Snapshot state;
    Bytes shared;
    bool repeats = false;
  };
  void look_at_lap(const Warp& warp, const Instruction& branch);
  std::vector<Lap> laps_;  // by warp; empty: not looked at
  std::vector<Waiting> at_grid_;
  std::uint64_t watch_until_ = 0;  // 0: not watching
  std::map<const Instruction*, BackEdge> back_edges_;
};

}  // namespace warpmark::simulator

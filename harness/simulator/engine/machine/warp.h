// A warp: 32 lanes that execute in lockstep until they diverge. A tree of splits records where the lanes are:
// each leaf is a set of lanes at one pc; an inner split waits at the pc where its children reconverge. Any
// leaf may run, so lanes may wait for other lanes of the same warp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator {

class Block;

class Warp {
 public:
  static constexpr std::size_t kNoSplit = SIZE_MAX;

  enum class State : std::uint8_t {
    free,
    ready,
    at_barrier,
    at_collective,
    at_grid_barrier,
    waits_for_leaves
  };
  struct Split {
    State state = State::free;
    // Active lanes of a leaf of the divergence tree; in an inner node: lanes that have reconverged so far.
    std::uint32_t mask = 0;
    std::uint32_t pc = 0;
    // Pc at which a group of diverged lanes reconverges with its siblings, provided that it is in call frame
    // rejoin_frame: in a recursive function the same pc occurs in several frames.
    std::uint32_t rejoin = kNowhere;
    std::uint32_t frame = 0;
    std::uint32_t rejoin_frame = 0;
    std::size_t parent = kNoSplit;
    unsigned leaves = 0;  // child groups of lanes not yet reconverged; 0 in a leaf of the divergence tree
    // Member mask of the warp collective at which a group of converged lanes waits.
    std::uint32_t members = 0;
    // Barrier or warp collective at which a group of converged lanes waits.
    const Instruction* instruction = nullptr;
    bool operator==(const Split&) const = default;
  };

  // The part of a warp's state that determines how its lanes continue, except shared and global memory.
  struct Snapshot {
    Bytes registers, local;
    std::vector<Split> splits;
    bool operator==(const Snapshot&) const = default;
  };

  Warp(Block& block, std::size_t number, Context context);

  void start(std::uint32_t lanes);
  [[nodiscard]] bool ready() const;
  void run();  // runs the warp until all lanes wait or have exited, or until other warps should get a turn

  [[nodiscard]] Block& block() const { return *block_; }
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] std::uint32_t live() const { return live_; }
  [[nodiscard]] const std::vector<Split>& splits() const { return splits_; }
  void set_back_branches(std::uint32_t count) { context_.back_branches_left = count; }
  Context& context() { return context_; }
  [[nodiscard]] Snapshot snapshot() const { return {registers_, local_, splits_}; }
  // Returns the call stack of a group of converged lanes (`split`; null: the running lanes): return addresses
  // (pcs), innermost first.
  [[nodiscard]] std::vector<std::uint32_t> return_addresses(const Split* split) const;
  // Returns the function that the running lanes execute.
  [[nodiscard]] const ProgramFunction& function() const;
  // Returns the byte offset, in a lane's local memory, of the stack frame of the function that the running
  // lanes execute.
  [[nodiscard]] std::size_t frame_begin() const { return frames_[running_frame_].local; }

  // Lets a group of converged lanes run again when the barrier that it waited at has completed.
  void release(std::size_t split) { splits_[split].state = State::ready; }
  // Returns a view of the register values of the lanes in a group of converged lanes.
  [[nodiscard]] LaneValues view(const Split& split);

 private:
  struct Frame {
    std::uint32_t function = 0;
    std::uint32_t return_pc = 0;
    std::uint32_t caller = 0;
    std::uint32_t depth = 0;
    // Byte offset of the called function's registers in the warp's register storage.
    std::size_t registers = 0;
    std::size_t local = 0;  // byte offset of the called function's stack frame in a lane's local memory
  };
  struct Group {
    std::uint32_t mask;
    std::uint32_t pc;
  };

  // Partitions a warp's lanes by their value in `values`, e.g. the branch target; each group of lanes with
  // equal values is to continue at `pc`.
  template <class T>
  static std::vector<Group> groups_by(const T* values, std::uint32_t lanes, std::uint32_t pc) {
    std::vector<Group> groups;
    while (lanes != 0) {
      const T& wanted = values[std::countr_zero(lanes)];
      std::uint32_t same = 0;
      for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        if (values[std::countr_zero(rest)] == wanted) same |= rest & -rest;
      }
      lanes &= ~same;
      groups.push_back({same, pc});
    }
    return groups;
  }

  void execute(std::size_t split);
  void execute_natively(std::size_t split);
  [[nodiscard]] std::uint32_t rejoin_of(const Split& split) const;
  enum class Mode : std::uint8_t { plain, counting, with_faults };
  template <Mode kMode>
  void execute_as(std::size_t split);
  void load(const Split& split);
  void handle(std::size_t split, ControlEvent event);
  std::size_t add(const Split& split);
  void divide(std::size_t split, const std::vector<Group>& groups, std::uint32_t rejoin);
  void arrive(std::size_t split);
  // Removes a group of diverged lanes from the warp's divergence tree; when it is the last child, its parent,
  // which holds the reconverged lanes, runs on.
  void leave(std::size_t split);
  void diverge(std::size_t split, const Instruction& instruction);
  void call(std::size_t split, std::uint32_t function);
  void call_indirect(std::size_t split, const Instruction& instruction);
  void function_return(std::size_t split);
  void exit(std::size_t split);
  void yield(std::size_t split, const Instruction& instruction);
  void read_clock(std::size_t split, const Instruction& instruction);

  // Warp-wide collectives (shuffles, votes, __syncwarp), defined in collective.cpp.
  void collective(std::size_t split, const Instruction& instruction);
  void recheck_collectives();
  bool try_collective(std::size_t split);
  void perform(std::span<const std::size_t> group);
  void note_gone_lanes(std::span<const std::size_t> group, std::uint32_t gone);

  void grow(const Frame& frame);

  // Counts what the warp has done since its state was last looked at, unless that is a state it was in a
  // moment ago: then it waits for another warp. For launches with short turns.
  void count_unless_waiting();
  void count(bool has_waited);
  [[nodiscard]] std::size_t digest() const;

  Context context_;
  Block* block_;
  std::size_t number_;
  std::size_t current_ = 0;
  std::uint32_t running_frame_ = 0;
  std::vector<Split> splits_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> free_frames_;
  Bytes registers_;
  Bytes local_;
  Bytes rows_;
  std::uint32_t live_ = 0;
  std::uint64_t uncounted_ = 0;               // warp instructions since the state was last looked at
  std::uint64_t uncounted_lanes_ = 0;         // the same, summed over threads
  std::array<std::size_t, 4> last_states_{};  // digests
  std::size_t looks_ = 0;
  bool yielded_ = false;
  // Shuffle instructions for which a read from an exited lane has been reported in this warp: one report per
  // instruction.
  std::set<const Instruction*> noted_gone_;
};

}  // namespace warpmark::simulator

// 32 lanes that run together until they part. A tree of splits says which lanes are where: its leaves are
// lanes at one pc, an inner split waits at the place where its leaves meet again. Any leaf may run, so lanes
// can wait for lanes of the same warp.
#pragma once

#include <bit>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "harness/simulator/operations/context.h"

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
    std::uint32_t mask = 0;  // its lanes; of an inner split: those that have arrived
    std::uint32_t pc = 0;
    std::uint32_t rejoin = kNowhere;  // where it meets its siblings, in the frame rejoin_frame
    std::uint32_t frame = 0;
    std::uint32_t rejoin_frame = 0;
    std::size_t parent = kNoSplit;
    unsigned leaves = 0;                       // of an inner split: children that have not arrived
    std::uint32_t members = 0;                 // waits for these lanes
    const Instruction* instruction = nullptr;  // that it waits at
    bool operator==(const Split&) const = default;
  };

  // All that decides what its lanes do next, but for shared and global memory.
  struct Snapshot {
    Bytes registers, local;
    std::vector<Split> splits;
    bool operator==(const Snapshot&) const = default;
  };

  Warp(Block& block, std::size_t number, Context context);

  void start(std::uint32_t lanes);
  [[nodiscard]] bool ready() const;
  void run();  // until it has to wait, is done, or others should have their turn

  [[nodiscard]] Block& block() const { return *block_; }
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] std::uint32_t live() const { return live_; }
  [[nodiscard]] const std::vector<Split>& splits() const { return splits_; }
  void set_back_branches(std::uint32_t count) { context_.back_branches_left = count; }
  Context& context() { return context_; }
  [[nodiscard]] Snapshot snapshot() const { return {registers_, local_, splits_}; }
  // Innermost first; of the running lanes, if no split is given.
  [[nodiscard]] std::vector<std::uint32_t> return_addresses(const Split* split) const;
  // The function that its lanes run now, and where its variables lie: bytes of a lane's local memory.
  [[nodiscard]] const ProgramFunction& function() const;
  [[nodiscard]] std::size_t frame_begin() const { return frames_[running_frame_].local; }

  // The barrier is complete: the split goes on. Reads and writes its registers meanwhile.
  void release(std::size_t split) { splits_[split].state = State::ready; }
  [[nodiscard]] LaneValues view(const Split& split);  // its registers

 private:
  struct Frame {
    std::uint32_t function = 0;
    std::uint32_t return_pc = 0;
    std::uint32_t caller = 0;
    std::uint32_t depth = 0;
    std::size_t registers = 0;  // bytes
    std::size_t local = 0;      // bytes a lane
  };
  struct Group {
    std::uint32_t mask;
    std::uint32_t pc;
  };

  // Lanes with the same value, to go on at the pc.
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
  template <bool kCounting>
  void execute_as(std::size_t split);
  void load(const Split& split);
  void handle(std::size_t split, Event event);
  std::size_t add(const Split& split);
  void divide(std::size_t split, const std::vector<Group>& groups, std::uint32_t rejoin);
  void arrive(std::size_t split);
  void leave(std::size_t split);  // all its lanes are gone: one leaf less for the parent
  void diverge(std::size_t split, const Instruction& instruction);
  void call(std::size_t split, std::uint32_t function);
  void call_indirect(std::size_t split, const Instruction& instruction);
  void function_return(std::size_t split);
  void exit(std::size_t split);
  void yield(std::size_t split, const Instruction& instruction);
  void read_clock(std::size_t split, const Instruction& instruction);

  // collective.cpp
  void collective(std::size_t split, const Instruction& instruction);
  void recheck_collectives();
  bool try_collective(std::size_t split);
  void perform(std::span<const std::size_t> group);
  void note_gone_lanes(std::span<const std::size_t> group, std::uint32_t gone);

  void grow(const Frame& frame);

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
  bool yielded_ = false;
  std::set<const Instruction*> noted_gone_;  // by this warp, of any block
};

}  // namespace warpmark::simulator

#include "harness/simulator/engine/machine/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/injected_faults.h"
#include "harness/simulator/engine/native/native_code.h"

namespace warpmark::simulator {
namespace {

// Local memory (stack) per thread: 128 KiB. GPUs provide 1 KiB by default and up to 512 KiB on request.
constexpr std::size_t kLocalBytes = std::size_t{128} << 10;
constexpr std::uint32_t kDeepestCall = 4096;

}  // namespace

Warp::Warp(Block& block, std::size_t number, Context context)
    : context_(context), block_(&block), number_(number) {
  const Dim3 dims = block.launch().block;
  rows_.resize(static_cast<std::size_t>(WarpRow::count) * kRowBytes);
  const auto set = [&](WarpRow row, unsigned lane, std::uint32_t value) {
    std::memcpy(rows_.data() + static_cast<std::size_t>(row) * kRowBytes + std::size_t{4} * lane, &value, 4);
  };
  const auto first = static_cast<std::uint32_t>(number * kLanes);
  Dim3 thread{first % dims.x, first / dims.x % dims.y, first / dims.x / dims.y};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t bit = 1U << lane;
    set(WarpRow::tid_x, lane, thread.x);
    set(WarpRow::tid_y, lane, thread.y);
    set(WarpRow::tid_z, lane, thread.z);
    if (++thread.x == dims.x) {
      thread.x = 0;
      if (++thread.y == dims.y) {
        thread.y = 0;
        ++thread.z;
      }
    }
    set(WarpRow::laneid, lane, lane);
    set(WarpRow::warpid, lane, static_cast<std::uint32_t>(number));
    set(WarpRow::mask_eq, lane, bit);
    set(WarpRow::mask_lt, lane, bit - 1);
    set(WarpRow::mask_le, lane, bit | (bit - 1));
    set(WarpRow::mask_gt, lane, ~(bit | (bit - 1)));
    set(WarpRow::mask_ge, lane, ~(bit - 1));
  }
  splits_.reserve(kLanes);
}

void Warp::start(std::uint32_t lanes) {
  const Program& program = block_->launch().program;
  const ProgramFunction& kernel = block_->launch().kernel;
  context_.bases[kWarpRows] = rows_.data();
  context_.warp = this;
  live_ = lanes;
  yielded_ = false;
  uncounted_ = uncounted_lanes_ = 0;
  last_states_ = {};
  frames_.clear();
  free_frames_.clear();
  frames_.push_back({.function = static_cast<std::uint32_t>(&kernel - program.functions.data())});
  grow(frames_.front());
  std::fill_n(local_.begin(), kernel.frame_bytes * kLanes, std::byte{kUndefinedByte});
  splits_.clear();
  current_ = add({.state = State::ready, .mask = lanes, .pc = kernel.begin});
}

bool Warp::ready() const {
  return std::any_of(splits_.begin(), splits_.end(),
                     [](const Split& split) { return split.state == State::ready; });
}

void Warp::grow(const Frame& frame) {
  const ProgramFunction& function = block_->launch().program.functions[frame.function];
  const std::size_t registers = frame.registers + function.register_bytes;
  const std::size_t local = (frame.local + function.frame_bytes + function.outgoing_bytes) * kLanes;
  if (registers_.size() < registers) registers_.resize(registers);
  if (local_.size() < local) local_.resize(local);
}

void Warp::run() {
  yielded_ = false;
  while (!yielded_ && !block_->stopped()) {
    if (current_ >= splits_.size() || splits_[current_].state != State::ready) {
      // Runs the split (group of converged lanes) that was created last, because it is nearest to the
      // reconvergence point at which the other splits wait.
      std::size_t next = splits_.size();
      while (next > 0 && splits_[next - 1].state != State::ready) --next;
      if (next == 0) return;
      current_ = next - 1;
    }
    execute(current_);
  }
}

const ProgramFunction& Warp::function() const {
  return block_->launch().program.functions[frames_[running_frame_].function];
}

std::vector<std::uint32_t> Warp::return_addresses(const Split* split) const {
  std::vector<std::uint32_t> addresses;
  const std::uint32_t innermost = split == nullptr ? running_frame_ : split->frame;
  for (std::uint32_t frame = innermost; frames_[frame].depth != 0; frame = frames_[frame].caller)
    addresses.push_back(frames_[frame].return_pc);
  return addresses;
}

void Warp::load(const Split& split) {
  running_frame_ = split.frame;
  const Frame& frame = frames_[split.frame];
  const ProgramFunction& function = block_->launch().program.functions[frame.function];
  context_.bases[kRegisters] = registers_.data() + frame.registers;
  context_.local = local_.data();
  context_.frame = local_.data() + frame.local * kLanes;
  context_.local_bytes = frame.local + function.frame_bytes;
  context_.mask = split.mask;
  context_.pc = split.pc;
}

LaneValues Warp::view(const Split& split) {
  LaneValues result = context_;
  result.bases[kRegisters] = registers_.data() + frames_[split.frame].registers;
  result.mask = split.mask;
  return result;
}

void Warp::execute(std::size_t index) {
  if (block_->launch().native != nullptr) return execute_natively(index);
  if (block_->launch().faults != nullptr) return execute_as<Mode::with_faults>(index);
  if (context_.execution_counts == nullptr) return execute_as<Mode::plain>(index);
  execute_as<Mode::counting>(index);
}

std::uint32_t Warp::rejoin_of(const Split& split) const {
  return split.rejoin_frame == split.frame ? split.rejoin : kNowhere;
}

void Warp::execute_natively(std::size_t index) {
  load(splits_[index]);
  Context& c = context_;
  const std::uint32_t rejoin = rejoin_of(splits_[index]);
  if (c.event == ControlEvent::none && c.pc != rejoin) block_->count(block_->launch().native->run(c, rejoin));
  if (c.event == ControlEvent::none) return arrive(index);
  splits_[index].pc = c.pc;
  handle(index, std::exchange(c.event, ControlEvent::none));
}

template <Warp::Mode kMode>
void Warp::execute_as(std::size_t index) {
  load(splits_[index]);
  const std::uint32_t mask = splits_[index].mask;
  const std::uint32_t rejoin = rejoin_of(splits_[index]);
  const Instruction* code = block_->launch().program.code.data();
  const auto lanes = static_cast<unsigned>(std::popcount(mask));
  std::uint64_t executed = 0;
  Context& c = context_;
  while (c.event == ControlEvent::none && c.pc != rejoin) {
    const Instruction& instruction = code[c.pc++];
    ++executed;
    if constexpr (kMode == Mode::counting) {
      ExecutionCount& count = c.execution_counts[c.pc - 1];
      ++count.instructions;
      count.lanes += lanes;
    }
    const auto run = [&] {
      if constexpr (kMode == Mode::with_faults)
        block_->launch().faults->execute(c, instruction);
      else
        instruction.handler(c, instruction);
    };
    if (instruction.guard == kNoOperand) [[likely]] {
      run();
      continue;
    }
    const std::uint32_t guard = *c.read<std::uint32_t>(instruction.guard);
    c.mask = mask & (instruction.guard_negated ? ~guard : guard);
    if (c.mask != 0 || kMode == Mode::with_faults) run();
    c.mask = mask;
  }
  block_->count(executed);
  if constexpr (kMode == Mode::counting) {
    if (block_->launch().short_turns) {
      uncounted_ += executed;
      uncounted_lanes_ += executed * lanes;
    } else {
      c.observer->executed(number(), executed, lanes);
    }
  }
  if (c.event == ControlEvent::none) return arrive(index);
  splits_[index].pc = c.pc;
  handle(index, std::exchange(c.event, ControlEvent::none));
}

void Warp::handle(std::size_t index, ControlEvent event) {
  if (block_->stopped()) return;
  const Instruction& instruction = *context_.instruction;
  switch (event) {
    case ControlEvent::none:
    case ControlEvent::stop:
      return;
    case ControlEvent::diverge:
      return diverge(index, instruction);
    case ControlEvent::call:
      return call(index, instruction.target);
    case ControlEvent::call_indirect:
      return call_indirect(index, instruction);
    case ControlEvent::function_return:
      return function_return(index);
    case ControlEvent::exit:
      return exit(index);
    case ControlEvent::collective:
      return collective(index, instruction);
    case ControlEvent::yield:
      return yield(index, instruction);
    case ControlEvent::clock:
      return read_clock(index, instruction);
    case ControlEvent::grid_barrier:
      splits_[index].state = State::at_grid_barrier;
      splits_[index].instruction = &instruction;
      return block_->arrive_at_grid(*this, index, instruction);
    case ControlEvent::barrier_object:
      splits_[index].state = State::at_barrier;
      splits_[index].instruction = &instruction;
      return block_->wait_at_object(*this, index, instruction);
    case ControlEvent::barrier:
      splits_[index].state = State::at_barrier;
      splits_[index].instruction = &instruction;
      return block_->arrive(*this, index, instruction);
  }
}

// Executes a clock read. Time is not modelled: the clock counts the block's warp instructions, so that it
// advances and its values do not depend on the number of host threads.
void Warp::read_clock(std::size_t index, const Instruction& instruction) {
  context_.lasting_effect->store(true, std::memory_order_relaxed);
  context_.reaches_further->store(true, std::memory_order_relaxed);
  context_.order_matters->store(true, std::memory_order_relaxed);
  const LaneValues registers = view(splits_[index]);
  for (std::uint32_t rest = context_.taken; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (instruction.width == 8)
      registers.write<std::uint64_t>(instruction.operands[0])[lane] = block_->clock();
    else
      registers.write<std::uint32_t>(instruction.operands[0])[lane] =
          static_cast<std::uint32_t>(block_->clock());
  }
}

std::size_t Warp::add(const Split& split) {
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    if (splits_[i].state != State::free) continue;
    splits_[i] = split;
    return i;
  }
  splits_.push_back(split);
  return splits_.size() - 1;
}

void Warp::diverge(std::size_t index, const Instruction& instruction) {
  if (context_.observer != nullptr) context_.observer->diverged(instruction);
  const std::uint32_t mask = splits_[index].mask;
  divide(index, {{mask & ~context_.taken, context_.pc}, {context_.taken, instruction.target}},
         instruction.rejoin);
}

// Divides a split (group of converged lanes) into groups that diverge. Adds no level to the reconvergence
// tree if the groups reconverge where the split itself does, so that lanes leaving a loop one by one do not
// deepen the tree.
void Warp::divide(std::size_t index, const std::vector<Group>& groups, std::uint32_t rejoin) {
  const Split old = splits_[index];
  const bool same_level = rejoin == kNowhere || (rejoin == old.rejoin && old.rejoin_frame == old.frame);
  Split leaf = old;
  leaf.state = State::ready;
  if (same_level) {
    splits_[index].state = State::free;
    if (old.parent != kNoSplit) --splits_[old.parent].leaves;
  } else {
    Split& inner = splits_[index];
    inner.state = State::waits_for_leaves;
    inner.mask = 0;
    inner.pc = rejoin;
    leaf.parent = index;
    leaf.rejoin = rejoin;
    leaf.rejoin_frame = old.frame;
  }
  for (const Group& group : groups) {
    if (leaf.parent != kNoSplit && group.pc == leaf.rejoin && leaf.frame == leaf.rejoin_frame) {
      // Diverging lanes whose branch target is the reconvergence point wait there at once, as part of the
      // parent group.
      splits_[leaf.parent].mask |= group.mask;
      continue;
    }
    leaf.mask = group.mask;
    leaf.pc = group.pc;
    if (leaf.parent != kNoSplit) ++splits_[leaf.parent].leaves;
    current_ = add(leaf);
  }
  // No lanes were left to run separately: all had branched to the reconvergence point, so the parent group of
  // lanes runs on.
  if (leaf.parent != kNoSplit && splits_[leaf.parent].leaves == 0) {
    splits_[leaf.parent].state = State::ready;
    current_ = leaf.parent;
  }
}

void Warp::arrive(std::size_t index) {
  const std::size_t parent = splits_[index].parent;
  splits_[parent].mask |= splits_[index].mask;
  leave(index);
}

void Warp::leave(std::size_t index) {
  while (index != kNoSplit) {
    const std::size_t parent = splits_[index].parent;
    splits_[index].state = State::free;
    if (parent == kNoSplit) return;
    Split& inner = splits_[parent];
    if (--inner.leaves != 0) return;
    if (inner.mask != 0) {
      inner.state = State::ready;
      current_ = parent;
      return;
    }
    index = parent;
  }
}

void Warp::call(std::size_t index, std::uint32_t function) {
  const Program& program = block_->launch().program;
  const std::uint32_t caller = splits_[index].frame;
  const Frame& from = frames_[caller];
  const ProgramFunction& calling = program.functions[from.function];
  const Frame frame{.function = function,
                    .return_pc = splits_[index].pc,
                    .caller = caller,
                    .depth = from.depth + 1,
                    .registers = from.registers + calling.register_bytes,
                    .local = from.local + calling.frame_bytes};
  const ProgramFunction& called = program.functions[function];
  if (frame.depth > kDeepestCall || frame.local + called.frame_bytes + called.outgoing_bytes > kLocalBytes) {
    block_->stop(
        CauseKind::out_of_bounds, context_.instruction,
        fmt::format("{} calls deep, the stack of a thread is used up ({} KiB); a recursion without end?",
                    frame.depth, kLocalBytes >> 10));
    return;
  }
  grow(frame);
  if (free_frames_.empty()) {
    splits_[index].frame = static_cast<std::uint32_t>(frames_.size());
    frames_.push_back(frame);
  } else {
    splits_[index].frame = free_frames_.back();
    free_frames_.pop_back();
    frames_[splits_[index].frame] = frame;
  }
  splits_[index].pc = called.begin;
}

// Calls through a function pointer. Lanes with different targets diverge here and reconverge after the call.
void Warp::call_indirect(std::size_t index, const Instruction& instruction) {
  const Program& program = block_->launch().program;
  const Split split = splits_[index];
  const auto* addresses = context_.read<Address>(instruction.operands[1]);
  const auto groups = groups_by(addresses, split.mask, split.pc - 1);
  // An indirect call with several targets: the lanes diverge by target, and each group executes the call
  // instruction again.
  if (groups.size() > 1) return divide(index, groups, split.pc);
  const Address target = addresses[std::countr_zero(split.mask)];
  const Address number = (target - kFunctionAddresses) / kFunctionStep;
  if (target % kFunctionStep != 0 || number >= program.functions.size() || program.functions[number].entry) {
    const auto lane = static_cast<unsigned>(std::countr_zero(split.mask));
    block_->stop(
        CauseKind::out_of_bounds, &instruction,
        fmt::format(
            "call through a function pointer that does not hold the address of a device function; {}, {}",
            block_->block_name(), block_->thread_name(*this, lane)));
    return;
  }
  call(index, static_cast<std::uint32_t>(number));
}

void Warp::function_return(std::size_t index) {
  const std::uint32_t frame = splits_[index].frame;
  splits_[index].pc = frames_[frame].return_pc;
  splits_[index].frame = frames_[frame].caller;
  free_frames_.push_back(frame);
}

void Warp::exit(std::size_t index) {
  const std::uint32_t mask = splits_[index].mask;
  live_ &= ~mask;
  leave(index);
  if (live_ == 0 && block_->launch().short_turns) count(false);
  block_->exited(static_cast<unsigned>(std::popcount(mask)));
  recheck_collectives();
}

std::size_t Warp::digest() const {
  const auto hash = [](const Bytes& bytes) {
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  std::size_t result = hash(registers_) * 31 + hash(local_);
  for (const Split& split : splits_)
    result = (result * 31 + static_cast<std::size_t>(split.state)) * 31 +
             (std::size_t{split.mask} << 32 | split.pc);
  return result;
}

void Warp::count_unless_waiting() {
  const std::size_t state = digest();
  const bool has_waited = std::ranges::find(last_states_, state) != last_states_.end();
  if (!has_waited) last_states_[looks_++ % last_states_.size()] = state;
  count(has_waited);
}

void Warp::count(bool has_waited) {
  if (uncounted_ == 0) return;
  const auto lanes = static_cast<unsigned>((uncounted_lanes_ + uncounted_ / 2) / uncounted_);
  context_.observer->executed(number_, has_waited ? 0 : uncounted_, lanes);
  uncounted_ = uncounted_lanes_ = 0;
}

// Lets the warp's other lanes and other warps run, because the current lanes may be waiting for them.
void Warp::yield(std::size_t index, const Instruction& instruction) {
  if (block_->launch().short_turns) count_unless_waiting();
  const std::uint32_t depth = index < splits_.size() ? frames_[splits_[index].frame].depth : 0;
  block_->looked_at(*this, instruction, depth);
  for (std::size_t step = 1; step <= splits_.size(); ++step) {
    const std::size_t next = (index + step) % splits_.size();
    if (splits_[next].state != State::ready) continue;
    current_ = next;
    break;
  }
  yielded_ = true;
}

}  // namespace warpmark::simulator

#include "harness/simulator/engine/machine/control_operations.h"

#include <atomic>

#include "harness/simulator/engine/machine/warp.h"
#include "harness/simulator/engine/operations/observer.h"

namespace warpmark::simulator::control {
namespace {

void count_back_branch(Context& c, const Instruction& i) {
  if (--c.back_branches_left == 0) raise<ControlEvent::yield>(c, i);
}

std::uint32_t taken_lanes(const Context& c, const Instruction& i) {
  return c.mask & (*c.read<std::uint32_t>(i.operands[0]) ^ (i.detail != 0 ? kAllLanes : 0));
}

void set_lanes(Context& c, const Instruction& i, std::uint32_t value) {
  auto* d = c.write<std::uint32_t>(i.operands[0]);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((c.mask >> lane & 1) != 0) d[lane] = value;
  }
}

}  // namespace

void jump(Context& c, const Instruction& i) {
  c.pc = i.target;
}

void jump_back(Context& c, const Instruction& i) {
  c.pc = i.target;
  count_back_branch(c, i);
}

void branch(Context& c, const Instruction& i) {
  const std::uint32_t taken = taken_lanes(c, i);
  if (taken == c.mask) {
    c.pc = i.target;
  } else if (taken != 0) {
    raise<ControlEvent::diverge>(c, i);
    c.taken = taken;
  }
}

void branch_back(Context& c, const Instruction& i) {
  const std::uint32_t taken = taken_lanes(c, i);
  if (taken == 0) return;
  if (taken == c.mask) {
    c.pc = i.target;
    count_back_branch(c, i);
    return;
  }
  raise<ControlEvent::diverge>(c, i);
  c.taken = taken;
}

void nothing(Context& /*c*/, const Instruction& /*i*/) {}

void copy_started(Context& c, const Instruction& i) {
  if (c.observer == nullptr) return;
  const auto* to = c.read<Address>(i.operands[kAddressOperand]);
  for (std::uint32_t rest = c.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    c.observer->copy_started(c.warp->number(), lane, to[lane] + static_cast<Address>(i.offset), i.width, i);
  }
}

void copies_committed(Context& c, const Instruction& /*i*/) {
  if (c.observer != nullptr) c.observer->copies_committed(c.warp->number(), c.mask);
}

void copies_awaited(Context& c, const Instruction& i) {
  if (c.observer == nullptr) return;
  const std::uint64_t prior = i.offset < 0 ? kAllCopies : static_cast<std::uint64_t>(i.offset);
  c.observer->copies_awaited(c.warp->number(), c.mask, prior);
}

void fence(Context& c, const Instruction& i) {
  if (c.observer != nullptr) c.observer->fence(c.warp->number(), c.mask, i.detail == 0);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void cluster_barrier(Context& c, const Instruction& i) {
  raise<ControlEvent::grid_barrier>(c, i);
}

void active_mask(Context& c, const Instruction& i) {
  set_lanes(c, i, c.mask);
}

}  // namespace warpmark::simulator::control

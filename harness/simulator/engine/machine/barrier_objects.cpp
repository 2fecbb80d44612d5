// Barrier objects in shared memory (mbarrier), the basis of cuda::barrier. Arriving at a barrier and waiting
// for one of its phases to complete are separate operations, possibly by different threads.
#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/engine/functions/call_frame.h"
#include "harness/simulator/engine/functions/device_library.h"
#include "harness/simulator/engine/machine/block.h"

namespace warpmark::simulator {

void Block::begin_object(Address at, std::uint32_t expected) {
  launch_.order_matters = true;
  objects_[at] = {.expected = expected, .next_expected = expected, .arrived = 0, .phase = 0};
}

std::uint64_t Block::arrive_at_object(Address at, std::uint32_t arrivals, std::uint32_t drops,
                                      const Instruction& instruction) {
  const auto found = objects_.find(at);
  if (found == objects_.end()) {
    stop(CauseKind::uninitialised_read, &instruction,
         fmt::format("a thread of {} arrives at a barrier that was not initialised: let one thread call "
                     "init(&barrier, "
                     "number of threads), and __syncthreads() before the others use it",
                     block_name()));
    return 0;
  }
  BarrierObject& object = found->second;
  const std::uint64_t phase = object.phase;
  object.arrived += arrivals;
  object.next_expected -= std::min(drops, object.next_expected);
  if (object.arrived < object.expected) return phase;
  object.arrived -= object.expected;
  object.expected = object.next_expected;
  ++object.phase;
  if (observer_) observer_->completed(at, instruction);
  std::erase_if(at_objects_, [&](const WaitingAtObject& waiting) {
    if (!has_passed(waiting)) return false;
    release_from_object(waiting);
    return true;
  });
  return phase;
}

void Block::comes_to_object(const Warp& warp, std::uint32_t lanes, Address at) {
  if (observer_) observer_->arrived(warp.number(), lanes, at);
}

void Block::leaves_object(const Warp& warp, std::uint32_t lanes, Address at) {
  if (observer_) observer_->passed(warp.number(), lanes, at);
}

void Block::release_from_object(const WaitingAtObject& waiting) {
  Warp& warp = warps_[waiting.place.warp];
  std::map<Address, std::uint32_t> lanes;
  std::uint32_t rest = warp.splits()[waiting.place.split].mask;
  for (const auto& [at, phase] : waiting.phases) {
    lanes[at] |= rest & -rest;
    rest &= rest - 1;
  }
  for (const auto& [at, of_it] : lanes) leaves_object(warp, of_it, at);
  warp.release(waiting.place.split);
}

bool Block::object_has_passed(Address at, std::uint64_t phase) const {
  const auto found = objects_.find(at);
  return found == objects_.end() || found->second.phase > phase;
}

bool Block::has_passed(const WaitingAtObject& waiting) const {
  return std::ranges::all_of(waiting.phases,
                             [&](const auto& each) { return object_has_passed(each.first, each.second); });
}

// Implements __warpmark_barrier_wait(barrier, phase), the wait of cuda::barrier. The lanes of a warp resume
// together, when the phases that they wait for have all completed.
void Block::wait_at_object(Warp& warp, std::size_t split, const Instruction& instruction) {
  const CallFrame<void, Address, std::uint64_t> call(warp.context(), instruction);
  WaitingAtObject waiting{{warp.number(), split}, {}};
  for (std::uint32_t rest = warp.splits()[split].mask; rest != 0; rest &= rest - 1) {
    const auto [at, phase] = call.arguments(static_cast<unsigned>(std::countr_zero(rest)));
    waiting.phases.emplace_back(at, phase);
  }
  if (has_passed(waiting))
    release_from_object(waiting);
  else
    at_objects_.push_back(std::move(waiting));
}

void Block::report_stuck_at_object() {
  const WaitingAtObject& first = at_objects_.front();
  const auto late = std::ranges::find_if(
      first.phases, [&](const auto& each) { return !object_has_passed(each.first, each.second); });
  const BarrierObject& object = objects_.at(late->first);
  stop(CauseKind::deadlock, warps_[first.place.warp].splits()[first.place.split].instruction,
       fmt::format("{} for a barrier at which {} threads are to arrive, and {} have; no thread can go on: "
                   "initialise it with the number of threads that arrive, and let each of them do so",
                   describe(first.place), object.expected, object.arrived));
}

namespace device_library {
namespace {

// Groups a warp's active lanes by the barrier object (mbarrier) that they call a function for: returns a lane
// mask per object address, which is the call's first argument.
template <class Call>
std::map<Address, std::uint32_t> lanes_by_object(const Context& c, const Call& call) {
  std::map<Address, std::uint32_t> lanes;
  for (std::uint32_t rest = c.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    lanes[std::get<0>(call.arguments(lane))] |= 1U << lane;
  }
  return lanes;
}

}  // namespace

void barrier_init(Context& c, const Instruction& i) {
  const CallFrame<void, Address, std::uint32_t> call(c, i);
  for (std::uint32_t rest = c.mask; rest != 0; rest &= rest - 1) {
    const auto [at, expected] = call.arguments(static_cast<unsigned>(std::countr_zero(rest)));
    c.warp->block().begin_object(at, expected);
  }
}

void barrier_arrive(Context& c, const Instruction& i) {
  const CallFrame<std::uint64_t, Address, std::uint32_t, std::uint32_t> call(c, i);
  Block& block = c.warp->block();
  for (const auto& [at, lanes] : lanes_by_object(c, call)) block.comes_to_object(*c.warp, lanes, at);
  for (std::uint32_t rest = c.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto [at, arrivals, drops] = call.arguments(lane);
    c.instruction = &i;
    call.give(lane, block.arrive_at_object(at, arrivals, drops, i));
    if (block.stopped()) return;
  }
}

void barrier_test(Context& c, const Instruction& i) {
  const CallFrame<std::int32_t, Address, std::uint64_t> call(c, i);
  Block& block = c.warp->block();
  std::uint32_t passed = 0;
  for (std::uint32_t rest = c.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto [at, phase] = call.arguments(lane);
    if (block.object_has_passed(at, phase)) passed |= 1U << lane;
    call.give(lane, std::int32_t{static_cast<std::int32_t>(passed >> lane & 1)});
  }
  for (const auto& [at, lanes] : lanes_by_object(c, call)) {
    if ((lanes & passed) != 0) block.leaves_object(*c.warp, lanes & passed, at);
  }
}

}  // namespace device_library
}  // namespace warpmark::simulator

#include "harness/simulator/watch/counters.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "harness/simulator/watch/counting.h"

namespace warpmark::simulator {

Work& Work::operator+=(const Work& other) {
  const auto add = [](AccessWork& to, const AccessWork& from) {
    to.requests += from.requests;
    to.sectors += from.sectors;
    to.shared_requests += from.shared_requests;
    to.wavefronts += from.wavefronts;
    to.conflicts += from.conflicts;
  };
  add(loads, other.loads);
  add(stores, other.stores);
  instructions += other.instructions;
  active_lanes += other.active_lanes;
  divergent_branches += other.divergent_branches;
  global_atomics += other.global_atomics;
  same_address_atomics += other.same_address_atomics;
  shared_atomics += other.shared_atomics;
  stored_values += other.stored_values;
  real_operations += other.real_operations;
  barriers += other.barriers;
  shuffles += other.shuffles;
  other_requests += other.other_requests;
  other_sectors += other.other_sectors;
  return *this;
}

void LaunchCounters::touched(std::size_t warp, const Touch& touch) {
  if (!waiting_apart_) return touched(touch, at(touch.instruction), of_warp(warp));
  if (pending_.size() <= warp) pending_.resize(warp + 1);
  Pending& access = pending_[warp].emplace_back(Pending{pc_of(touch.instruction)});
  touched(touch, access.work, access.share);
}

void LaunchCounters::settle(std::size_t warp, bool counts) {
  if (pending_.size() <= warp) return;
  for (const Pending& access : pending_[warp]) {
    if (!counts) break;
    by_pc_[access.pc] += access.work;
    of_warp(warp) += access.share;
  }
  pending_[warp].clear();
}

void LaunchCounters::touched(const Touch& touch, Work& work, Share& share) {
  // Loads of constant memory cause no 32-byte sectors, because constant memory has a cache of its own.
  if (touch.instruction.space == ptx::Space::constant) {
    const unsigned distinct =
        static_cast<unsigned>(std::popcount(touch.mask)) - repeated_addresses(touch.addresses, touch.mask);
    work.other_requests += distinct;
    work.other_sectors += distinct;
    share.sectors += distinct;
    return;
  }
  // Atomics on shared memory are no shared-memory loads, stores or bank conflicts: as in Nsight Compute, they
  // have a counter of their own.
  if (touch.access == Access::atomic) {
    if (touch.shared) {
      work.shared_atomics += static_cast<unsigned>(std::popcount(touch.mask));
      return;
    }
    work.global_atomics += static_cast<unsigned>(std::popcount(touch.mask));
    work.same_address_atomics += repeated_addresses(touch.addresses, touch.mask);
    const unsigned sectors = sectors_of(touch.addresses);
    ++work.other_requests;
    work.other_sectors += sectors;
    share.sectors += sectors;
    return;
  }
  AccessWork& access = touch.access == Access::read ? work.loads : work.stores;
  if (touch.shared) {
    const Passes passes = passes_of(touch.addresses, touch.mask, touch.width, touch.access == Access::read);
    ++access.shared_requests;
    access.wavefronts += passes.wavefronts;
    access.conflicts += passes.conflicts;
  } else {
    const unsigned sectors = sectors_of(touch.addresses);
    ++access.requests;
    access.sectors += sectors;
    if (touch.access == Access::read)
      share.sectors += sectors;
    else
      work.stored_values += static_cast<unsigned>(std::popcount(touch.mask));
  }
}

void LaunchCounters::block_ends() {
  Share block;
  for (Share& warp : current_) {
    of_warps_.add(warp);
    longest_warp_ = std::max(longest_warp_, warp.warp_instructions);
    block += std::exchange(warp, {});
  }
  of_blocks_.add(block);
}

void LaunchCounters::add(const LaunchCounters& other) {
  of_warps_ += other.of_warps_;
  of_blocks_ += other.of_blocks_;
  longest_warp_ = std::max(longest_warp_, other.longest_warp_);
  for (std::size_t pc = 0; pc < by_pc_.size(); ++pc) {
    by_pc_[pc] += other.by_pc_[pc];
    executed_[pc].instructions += other.executed_[pc].instructions;
    executed_[pc].lanes += other.executed_[pc].lanes;
  }
}

std::vector<Executions> LaunchCounters::executions() const {
  std::vector<Executions> result;
  const auto add = [&](InstructionGroup group, std::size_t pc, bool counts) {
    if (counts && executed_[pc].instructions != 0)
      result.push_back({group, static_cast<std::uint32_t>(pc), executed_[pc].instructions});
  };
  for (std::size_t pc = 0; pc < by_pc_.size(); ++pc) {
    const Work& work = by_pc_[pc];
    add(InstructionGroup::shared_memory, pc, work.loads.shared_requests + work.stores.shared_requests != 0);
    add(InstructionGroup::global_atomics, pc, work.global_atomics != 0);
    if (work.shuffles != 0)
      result.push_back({InstructionGroup::shuffles, static_cast<std::uint32_t>(pc), work.shuffles});
  }
  for (const ValueOperand& value : program_.values)
    add(InstructionGroup::real_arithmetic, value.pc, value.is_real);
  return result;
}

LaunchWork LaunchCounters::work() const {
  LaunchWork result{.total = {},
                    .of_warps = of_warps_,
                    .of_blocks = of_blocks_,
                    .longest_warp = longest_warp_,
                    .lines = {},
                    .executions = {}};
  std::map<std::pair<std::string_view, std::uint32_t>, Work> lines;
  for (std::size_t pc = 0; pc < by_pc_.size(); ++pc) {
    if (executed_[pc].instructions == 0) continue;
    Work work = by_pc_[pc];
    work.instructions = executed_[pc].instructions;
    work.active_lanes = executed_[pc].lanes;
    result.total += work;
    const ptx::Location& at = program_.locations[program_.code[pc].location];
    const auto file = program_.files.find(at.file);
    if (at.line != 0 && file != program_.files.end()) lines[{file->second, at.line}] += work;
  }
  for (const ValueOperand& value : program_.values)
    result.total.real_operations += value.is_real ? executed_[value.pc].lanes : 0;
  result.executions = executions();
  for (const auto& [place, work] : lines) {
    result.lines.push_back({std::string(place.first), static_cast<int>(place.second), work});
  }
  return result;
}

}  // namespace warpmark::simulator

// Block barriers (bar.sync, bar.arrive, bar.red): counts arriving threads and reports threads that never
// arrive or that wait at a different barrier.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/control_operations.h"

namespace warpmark::simulator {

void Block::arrive(Warp& warp, std::size_t split, const Instruction& instruction) {
  const std::uint32_t mask = warp.splits()[split].mask;
  const auto lane = static_cast<unsigned>(std::countr_zero(mask));
  const LaneValues view = warp.view(warp.splits()[split]);
  const std::uint32_t number = view.read<std::uint32_t>(instruction.operands[1])[lane];
  if (number >= barriers_.size()) {
    stop(CauseKind::deadlock, &instruction,
         fmt::format("barrier {} does not exist: a block has {} ({}, {})", number, barriers_.size(),
                     block_name(), thread_name(warp, lane)));
    return;
  }
  Barrier& barrier = barriers_[number];
  const unsigned wanted =
      instruction.operands[2] != kNoOperand ? view.read<std::uint32_t>(instruction.operands[2])[lane] : 0;
  if (!count_fits(barrier, wanted, warp, split, instruction)) return;
  barrier.wanted = wanted;
  // A barrier with an explicit thread count counts each arriving warp as 32 threads (PTX ISA, bar.sync).
  barrier.threads += static_cast<unsigned>(std::popcount(mask));
  barrier.arrived += wanted != 0 && mask == warp.live() ? kLanes : static_cast<unsigned>(std::popcount(mask));
  if (observer_ && wanted != 0) observer_->arrived(warp.number(), mask, number);
  if (static_cast<BlockBarrier>(instruction.detail) == BlockBarrier::arrive)
    warp.release(split);  // bar.arrive: counts the arrival without waiting
  else
    barrier.splits.push_back({warp.number(), split});
  maybe_release(barrier);
}

// Checks a barrier's explicit thread count: it must be a multiple of the warp size, at most the block's size,
// and the same for all arriving threads. Otherwise stops the block with an error.
bool Block::count_fits(const Barrier& barrier, unsigned wanted, const Warp& warp, std::size_t split,
                       const Instruction& instruction) {
  const unsigned threads = launch_.block.x * launch_.block.y * launch_.block.z;
  const auto wrong = [&](std::string_view what, int other_line = 0) {
    const auto lane = static_cast<unsigned>(std::countr_zero(warp.splits()[split].mask));
    stop(CauseKind::divergent_barrier, &instruction,
         fmt::format("{}, {} waits with a barrier for {} threads, {}", block_name(), thread_name(warp, lane),
                     wanted, what),
         other_line);
    return false;
  };
  if (wanted % kLanes != 0)
    return wrong(fmt::format("which is no multiple of {}: warps count whole", kLanes));
  if (wanted > round_up(threads, kLanes))
    return wrong(fmt::format("and the block has {}: give the number of those that come here", threads));
  if (barrier.arrived == 0 || barrier.wanted == wanted) return true;
  if (barrier.splits.empty())
    return wrong(fmt::format("and others for {}: give the same number", barrier.wanted));
  const Waiting& first = barrier.splits.front();
  const int line = static_cast<int>(location(*warps_[first.warp].splits()[first.split].instruction).line);
  return wrong(fmt::format("and others at line {} for {}: give the same number", line,
                           barrier.wanted == 0 ? threads : barrier.wanted),
               line);
}

void Block::exited(unsigned threads) {
  live_ -= threads;
  for (Barrier& barrier : barriers_) {
    if (barrier.arrived > 0 && barrier.wanted == 0) maybe_release(barrier);
  }
}

void Block::maybe_release(Barrier& barrier) {
  const unsigned wanted = barrier.wanted != 0 ? barrier.wanted : live_;
  // Only barriers without an explicit thread count must be reached at one source line; those with a count may
  // join producers and consumers in different places.
  if (barrier.arrived < wanted || (barrier.wanted == 0 && !same_line(barrier))) return;
  if (!barrier.splits.empty()) {
    deliver(barrier);
    const Waiting& first = barrier.splits.front();
    const Instruction& instruction = *warps_[first.warp].splits()[first.split].instruction;
    if (observer_) show_barrier(barrier, instruction);
    if (launch_.check_accesses && barrier.wanted == 0) note_early_exits(instruction);
  }
  for (const Waiting& waiting : barrier.splits) warps_[waiting.warp].release(waiting.split);
  barrier.arrived = barrier.threads = 0;
  barrier.wanted = 0;
  barrier.splits.clear();
}

void Block::show_barrier(const Barrier& barrier, const Instruction& instruction) {
  unsigned waiting = 0;
  for (const Waiting& each : barrier.splits)
    waiting += static_cast<unsigned>(std::popcount(warps_[each.warp].splits()[each.split].mask));
  if (waiting == live_) return observer_->barrier(&instruction);
  const auto number = static_cast<std::uint64_t>(&barrier - barriers_.data());
  observer_->completed(number, instruction);
  for (const Waiting& each : barrier.splits)
    observer_->passed(each.warp, warps_[each.warp].splits()[each.split].mask, number);
}

// Returns false after reporting threads that wait for the same barrier at different source lines. Present
// GPUs tolerate this, but it is undefined behaviour.
bool Block::same_line(const Barrier& barrier) {
  const auto instruction_of = [&](const Waiting& w) { return warps_[w.warp].splits()[w.split].instruction; };
  const Instruction* first = instruction_of(barrier.splits.front());
  for (const Waiting& waiting : barrier.splits) {
    const Instruction* other = instruction_of(waiting);
    if (other == first || location(*other).is_same_place(location(*first))) continue;
    stop(CauseKind::divergent_barrier, first,
         fmt::format("threads of one block wait at different barriers: {}, but {}; every thread of the block "
                     "has to reach the same __syncthreads(): move it out of the branch",
                     describe(barrier.splits.front()), describe(waiting)),
         static_cast<int>(location(*other).line));
    return false;
  }
  return true;
}

// Reports once, as a non-fatal note, that a block barrier completed without waiting for threads that had
// already exited.
void Block::note_early_exits(const Instruction& instruction) {
  const auto threads = launch_.block.x * launch_.block.y * launch_.block.z;
  if (live_ == threads || noted_early_exits_) return;
  noted_early_exits_ = true;
  Finding finding{
      .kind = CauseKind::early_exit,
      .kernel = launch_.kernel.display_name,
      .file = {},
      .line = 0,
      .other_line = 0,
      .message = fmt::format("{} of the {} threads of {} returned before this barrier; let them skip the "
                             "work instead, and return behind the last barrier",
                             threads - live_, threads, block_name())};
  set_source(finding, location(instruction));
  launch_.log.add(std::move(finding), position_);
}

// bar.red: writes the reduction over the predicates of all threads (count, and, or) to every thread's result
// register.
void Block::deliver(const Barrier& barrier) {
  const auto split_of = [&](const Waiting& w) -> const Warp::Split& {
    return warps_[w.warp].splits()[w.split];
  };
  if (split_of(barrier.splits.front()).instruction->detail == 0) return;
  std::uint32_t count = 0;
  for (const Waiting& waiting : barrier.splits) {
    const Warp::Split& split = split_of(waiting);
    const Instruction& i = *split.instruction;
    if (i.operands[3] == kNoOperand) continue;
    const std::uint32_t holds = *warps_[waiting.warp].view(split).read<std::uint32_t>(i.operands[3]) ^
                                (i.offset != 0 ? kAllLanes : 0);
    count += static_cast<std::uint32_t>(std::popcount(holds & split.mask));
  }
  for (const Waiting& waiting : barrier.splits) {
    const Warp::Split& split = split_of(waiting);
    const Instruction& i = *split.instruction;
    if (i.operands[0] == kNoOperand) continue;
    auto* d = warps_[waiting.warp].view(split).write<std::uint32_t>(i.operands[0]);
    if (static_cast<BlockBarrier>(i.detail) == BlockBarrier::population_count) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((split.mask >> lane & 1) != 0) d[lane] = count;
      }
      continue;
    }
    const bool all = static_cast<BlockBarrier>(i.detail) == BlockBarrier::all_of;
    const bool result = all ? count == barrier.threads : count > 0;
    *d = (*d & ~split.mask) | (result ? split.mask : 0);
  }
}

// Blocks a warp's lanes at a grid or cluster barrier. A grid barrier requires a cooperative launch.
void Block::arrive_at_grid(Warp& warp, std::size_t split, const Instruction& instruction) {
  if (instruction.handler == control::cluster_barrier) {
    if (cluster_ == nullptr) return warp.release(split);
    at_grid_.push_back({warp.number(), split});
    return;
  }
  if (!launch_.cooperative) {
    stop(CauseKind::cuda_error, &instruction,
         fmt::format("{}: the grid waits for all its blocks, but it was launched with <<<>>>, which does not "
                     "promise that they run at the same time; launch it with cudaLaunchCooperativeKernel",
                     block_name()));
    return;
  }
  at_grid_.push_back({warp.number(), split});
}

void Block::release_from_grid() {
  if (observer_) observer_->barrier(nullptr);
  for (const Waiting& waiting : at_grid_) warps_[waiting.warp].release(waiting.split);
  at_grid_.clear();
}

void Block::report_grid_barrier_without_all(std::uint64_t ended_blocks) {
  const Waiting& first = at_grid_.front();
  stop(CauseKind::deadlock, warps_[first.warp].splits()[first.split].instruction,
       fmt::format(
           "{} waits for the whole grid, but {} blocks have ended without coming here; every block has "
           "to reach the grid's barrier: move it out of the branch",
           block_name(), ended_blocks));
}

std::string Block::describe(const Waiting& waiting) const {
  const Warp& warp = warps_[waiting.warp];
  const Warp::Split& split = warp.splits()[waiting.split];
  const auto lane = static_cast<unsigned>(std::countr_zero(split.mask));
  const ptx::Location& at = location(*split.instruction);
  const int count = std::popcount(split.mask);
  return fmt::format("{} ({}, {}{}) wait{} at line {}{}",
                     count == 1 ? "1 thread" : fmt::format("{} threads", count), block_name(),
                     thread_name(warp, lane), count == 1 ? "" : " and others of its warp",
                     count == 1 ? "s" : "", at.line, callers(at, &warp, &split));
}

// True if some lanes that a warp collective still waits for are blocked at a block barrier, so that the
// barrier causes the deadlock.
bool Block::waits_for_barrier(const Waiting& at_collective) const {
  const Warp& warp = warps_[at_collective.warp];
  std::uint32_t at_barrier = 0;
  for (const Warp::Split& split : warp.splits()) {
    if (split.state == Warp::State::at_barrier) at_barrier |= split.mask;
  }
  return (warp.splits()[at_collective.split].members & at_barrier) != 0;
}

std::vector<ThreadRun> Block::thread_runs() const {
  std::vector<ThreadRun> runs;
  const std::size_t threads = std::size_t{launch_.block.x} * launch_.block.y * launch_.block.z;
  const auto state_of = [&](std::size_t thread) -> std::optional<ThreadRun> {
    const Warp& warp = warps_[thread / kLanes];
    const std::uint32_t lane = 1U << thread % kLanes;
    if ((warp.live() & lane) == 0) return ThreadRun{.state = ThreadState::returned};
    for (const Warp::Split& split : warp.splits()) {
      if (split.state == Warp::State::free || (split.mask & lane) == 0) continue;
      if (split.state == Warp::State::ready) return std::nullopt;
      const bool past = split.state == Warp::State::waits_for_leaves;
      if (!past && split.instruction == nullptr) return std::nullopt;
      const Instruction& at = past ? launch_.program.code[split.pc] : *split.instruction;
      return ThreadRun{.state = past ? ThreadState::past : ThreadState::waits,
                       .line = static_cast<int>(location(at).line)};
    }
    return std::nullopt;
  };
  for (std::size_t thread = 0; thread < threads; ++thread) {
    auto now = state_of(thread);
    if (!now) continue;
    now->first = now->last = thread;
    ThreadRun* run = runs.empty() ? nullptr : &runs.back();
    if (run != nullptr && run->last + 1 == thread && run->state == now->state && run->line == now->line)
      run->last = thread;
    else
      runs.push_back(*now);
  }
  return runs;
}

// Reports a deadlock (some threads wait and none can run), naming the waiting threads and those that they
// wait for.
void Block::report_stuck() {
  if (!at_objects_.empty()) return report_stuck_at_object();
  std::optional<Waiting> at_barrier;
  std::optional<Waiting> elsewhere;
  for (const Warp& warp : warps_) {
    for (std::size_t s = 0; s < warp.splits().size(); ++s) {
      const Waiting here{warp.number(), s};
      const auto state = warp.splits()[s].state;
      if (state == Warp::State::at_collective && !elsewhere) elsewhere = here;
      if (state == Warp::State::at_barrier && !at_barrier) at_barrier = here;
    }
  }
  if (!at_barrier && !elsewhere) return;
  // A deadlock may involve both a block barrier and a warp collective (e.g. a shuffle): the report blames the
  // collective, unless that waits for lanes that are blocked at the barrier.
  if (at_barrier && elsewhere && !waits_for_barrier(*elsewhere)) at_barrier.reset();
  const auto split_of = [&](const Waiting& w) -> const Warp::Split& {
    return warps_[w.warp].splits()[w.split];
  };
  const Waiting& first = at_barrier ? *at_barrier : *elsewhere;
  // Lanes of the waiting warp that have already passed its barrier or collective and wait to reconverge with
  // the other lanes.
  std::uint32_t passed = 0;
  std::uint32_t passed_line = 0;
  const Warp& warp = warps_[first.warp];
  for (const Warp::Split& split : warp.splits()) {
    if (split.state != Warp::State::waits_for_leaves || split.mask == 0) continue;
    passed |= split.mask;
    passed_line = location(launch_.program.code[split.pc]).line;
  }
  std::string others;
  if (passed != 0) {
    others = fmt::format("{} lanes of its warp ({}) have passed it and are at line {}", std::popcount(passed),
                         thread_name(warp, static_cast<unsigned>(std::countr_zero(passed))), passed_line);
  } else if (at_barrier && elsewhere) {
    others = describe(*elsewhere);
    passed_line = location(*split_of(*elsewhere).instruction).line;
  } else {
    for (const Warp& each : warps_) {
      for (std::size_t s = 0; s < each.splits().size() && others.empty(); ++s) {
        const Warp::Split& split = each.splits()[s];
        if (split.instruction == split_of(first).instruction || split.state == Warp::State::free ||
            split.state == Warp::State::waits_for_leaves) {
          continue;
        }
        others = describe({each.number(), s});
        passed_line = location(*split.instruction).line;
      }
    }
  }
  if (others.empty())
    others = fmt::format("{} threads of the block are still running or waiting elsewhere", live_);
  const char* remedy =
      at_barrier
          ? "every thread of the block has to reach the same __syncthreads(): move it out of the branch"
          : "every lane that the mask names has to get there: call it outside of the branch";
  stop(at_barrier ? CauseKind::divergent_barrier : CauseKind::deadlock, split_of(first).instruction,
       fmt::format("{}, but {}; no thread can go on: {}", describe(first), others, remedy),
       static_cast<int>(passed_line));
}

}  // namespace warpmark::simulator

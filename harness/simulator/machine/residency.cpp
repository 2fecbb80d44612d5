#include "harness/simulator/machine/residency.h"

#include <algorithm>

namespace warpmark::simulator {
namespace {

// As many as kMultiprocessors can hold; each costs some 100 KiB.
constexpr std::size_t kMostResidents = 512;
constexpr std::uint64_t kTurn = std::uint64_t{1} << 16;  // instructions: about a millisecond

}  // namespace

bool Residency::begin_next(Block& block) {
  const auto turn = next_();
  if (turn) block.begin(turn->position, turn->index);
  return turn.has_value();
}

void Residency::work() {
  auto block = std::make_unique<Block>(launch_);
  while (begin_next(*block)) {
    switch (block->advance(launch_.launch_budget != 0 ? UINT64_MAX / 2 : kDefaultInstructionBudget)) {
      case Block::Progress::finished:
        tell_();
        continue;
      case Block::Progress::stopped:
        return;
      default:
        residents_.push_back({std::move(block)});
        if (!take_turns()) return;
        block = std::make_unique<Block>(launch_);
    }
  }
}

// Until all residents have ended. False when one stopped; those before it end first, so that the finding does
// not depend on the blocks beside them.
bool Residency::take_turns() {
  const std::uint64_t patience =
      launch_.launch_budget != 0 ? launch_.launch_budget : kDefaultInstructionBudget;
  bool more = !launch_.cooperative;
  while (!residents_.empty()) {
    while (more && residents_.size() < kMostResidents) more = begin_beside();
    for (Resident& resident : residents_) give_turn(resident);
    std::erase_if(residents_, [](const Resident& resident) { return resident.done; });
    if (stopped_ && launch_.cooperative) break;  // the others may wait for it
    if (all_wait_for_grid()) pass_grid_barrier();
    if (without_progress_ < patience) continue;
    for (Resident& resident : residents_) resident.block->press();
  }
  residents_.clear();
  spare_.reset();
  return !stopped_;
}

// One more block; it stays if it does not end in its first turn. False when none is left.
bool Residency::begin_beside() {
  Resident next{spare_ != nullptr ? std::move(spare_) : std::make_unique<Block>(launch_)};
  const bool begun = begin_next(*next.block);
  if (begun) give_turn(next);
  if (begun && !next.done) {
    residents_.push_back(std::move(next));
  } else {
    spare_ = std::move(next.block);
  }
  return begun && !stopped_;
}

void Residency::give_turn(Resident& resident) {
  if (resident.waits_for_grid || resident.done) return;
  if (resident.block->position() > launch_.stop_behind.load()) {
    resident.done = true;
    return;
  }
  const auto progress = resident.block->advance(kTurn);
  without_progress_ = progress == Block::Progress::paused ? without_progress_ + kTurn : 0;
  resident.waits_for_grid = progress == Block::Progress::waits_for_grid;
  resident.done = progress == Block::Progress::finished || progress == Block::Progress::stopped;
  if (progress == Block::Progress::stopped) stopped_ = true;
  if (progress == Block::Progress::finished) {
    ++ended_;
    tell_();
  }
}

bool Residency::all_wait_for_grid() const {
  return !residents_.empty() && std::all_of(residents_.begin(), residents_.end(),
                                            [](const Resident& resident) { return resident.waits_for_grid; });
}

// Blocks that have ended will never come.
void Residency::pass_grid_barrier() {
  if (ended_ > 0) {
    residents_.front().block->report_grid_barrier_without_all(ended_);
    for (Resident& resident : residents_) resident.done = true;
    stopped_ = true;
    return;
  }
  if (launch_.observer != nullptr) launch_.observer->grid_barrier();
  without_progress_ = 0;
  for (Resident& resident : residents_) {
    resident.block->release_from_grid();
    resident.waits_for_grid = false;
  }
}

void Residency::work_cooperative() {
  for (auto block = std::make_unique<Block>(launch_); begin_next(*block);
       block = std::make_unique<Block>(launch_)) {
    residents_.push_back({std::move(block)});
  }
  take_turns();
}

}  // namespace warpmark::simulator

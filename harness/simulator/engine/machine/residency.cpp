#include "harness/simulator/engine/machine/residency.h"

#include <algorithm>
#include <ctime>

namespace warpmark::simulator {
namespace {

// Maximum number of started blocks per host thread: as many as kMultiprocessors can hold. A block object
// takes about 100 KiB.
constexpr std::size_t kMostResidents = 512;
// warp instructions per turn of a resident block, about 1 ms
constexpr std::uint64_t kResidentTurn = std::uint64_t{1} << 16;
// Warp instructions after which a block that stands still ends its turn: it polls, and a barrier of the grid
// costs each of its blocks so many.
constexpr std::uint64_t kLook = std::uint64_t{1} << 10;
// Warp instructions of a short turn: each warp runs once, up to its next backward branch or barrier.
constexpr std::uint64_t kOneRound = 1;
// A thread block that outlives its first turn, of this many warp instructions, makes the launch start further
// host threads; short kernels stay on one.
constexpr std::uint64_t kFirstTurn = std::uint64_t{1} << 12;

// Warp instructions during which a block is checked for a repeated state, i.e. an endless loop.
constexpr std::uint64_t kLaps = std::uint64_t{1} << 14;
// Warp instructions that a block runs alone before it is checked, once, for an endless loop (a repeated
// state): the check compares registers and memory and so is too costly for short blocks.
constexpr std::uint64_t kBeforeRounds = std::uint64_t{1} << 16;
// Warp instructions that a block may run alone before further blocks start and take turns with it.
constexpr std::uint64_t kAlone = std::uint64_t{1} << 23;

// Returns the processor time of the calling thread in seconds, which does not depend on the machine's load.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

bool Residency::begin_next(Block& block, bool awaited) {
  const auto turn = next_(awaited);
  if (turn) block.begin(turn->position, turn->index);
  return turn.has_value();
}

void Residency::work() {
  ++launch_.working;
  run_blocks();
  set_going_round(false);
  --launch_.working;
}

// Runs a block until it ends, waits for something that none of its own threads can provide, or has run for
// long.
Block::Progress Residency::run_alone(Block& block) {
  auto progress = block.advance(kFirstTurn);
  if (progress != Block::Progress::paused) return progress;
  lasts_();
  if (launch_.launch_budget != 0) return block.advance(UINT64_MAX / 2);
  progress = block.advance(kBeforeRounds);
  if (progress != Block::Progress::paused) return progress;
  const Block::Round round = block.go_round(kLaps);
  if (round.progress != Block::Progress::paused || round.repeats) return round.progress;
  return block.advance(kAlone);
}

void Residency::run_blocks() {
  auto block = std::make_unique<Block>(launch_);
  while (begin_next(*block, false)) {
    switch (launch_.short_turns ? Block::Progress::paused : run_alone(*block)) {
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

// Lets the resident blocks take turns until all have ended. Returns false if one stopped with a fatal
// finding; blocks before it in execution order still finish, so that the reported finding does not depend on
// the other residents.
bool Residency::take_turns() {
  const std::uint64_t patience =
      launch_.launch_budget != 0 ? launch_.launch_budget : kDefaultInstructionBudget;
  bool more = !launch_.cooperative && !cluster_;
  since_ = processor_time();
  while (!residents_.empty()) {
    while (more && residents_.size() < kMostResidents) more = begin_beside();
    // Thread blocks take turns; the first gets longer ones, so that one of several independent blocks with
    // much work ends long before all do, which shows that the launch makes progress.
    const std::uint64_t first_turn = kResidentTurn + residents_.size() * kResidentTurn / 2;
    for (Resident& resident : residents_) {
      const std::uint64_t turn = &resident == residents_.data() ? first_turn : kResidentTurn;
      give_turn(resident, launch_.short_turns ? kOneRound : turn);
    }
    for (Resident& resident : residents_) {
      if (resident.done && cluster_) of_cluster_.push_back(std::move(resident.block));
    }
    std::erase_if(residents_, [](const Resident& resident) { return resident.done; });
    // A cooperative grid or cluster ends when one of its blocks has stopped with a fatal finding, because the
    // other blocks may wait for it forever.
    if (stopped_ && (launch_.cooperative || cluster_)) break;
    if (all_wait_for_grid()) pass_grid_barrier();
    const bool over = launch_.launch_budget == 0 && processor_time() - since_ >= launch_.time_limit;
    if (without_progress_ < patience && !over) continue;
    // An instruction budget of the launch is a hard limit. Without one, a loop is reported only if its state
    // repeats, so that it cannot end, or if it exceeds the time limit.
    const bool endless = launch_.launch_budget != 0 || goes_round();
    if (!endless && !over) {
      without_progress_ = 0;
      continue;
    }
    for (Resident& resident : residents_) resident.block->press(endless ? 0 : launch_.time_limit);
  }
  residents_.clear();
  spare_.reset();
  return !stopped_;
}

// Starts one more block and keeps it resident if it does not end in its first turn. Returns false if no block
// is left or one has stopped with a fatal finding.
bool Residency::begin_beside() {
  Resident next{spare_ != nullptr ? std::move(spare_) : std::make_unique<Block>(launch_)};
  const bool begun = begin_next(*next.block, true);
  if (begun) give_turn(next, launch_.short_turns ? kOneRound : kFirstTurn);
  if (begun && !next.done) {
    residents_.push_back(std::move(next));
  } else {
    spare_ = std::move(next.block);
  }
  return begun && !stopped_;
}

void Residency::give_turn(Resident& resident, std::uint64_t instructions) {
  if (resident.waits_for_grid || resident.done) return;
  if (resident.block->position() > launch_.stop_behind.load()) {
    resident.done = true;
    return;
  }
  for (std::uint64_t left = instructions; left > 0; left -= std::min(left, kLook)) {
    const auto progress = resident.block->advance(std::min(left, kLook));
    note(resident, progress, std::min(left, kLook));
    if (progress != Block::Progress::paused) return;
    if (!launch_.short_turns && resident.block->stands_still()) return;
  }
}

void Residency::note(Resident& resident, Block::Progress progress, std::uint64_t instructions) {
  if (progress != Block::Progress::paused) {
    since_ = processor_time();
    set_going_round(false);
  }
  without_progress_ = progress == Block::Progress::paused ? without_progress_ + instructions : 0;
  resident.waits_for_grid = progress == Block::Progress::waits_for_grid;
  resident.done = progress == Block::Progress::finished || progress == Block::Progress::stopped;
  if (progress == Block::Progress::stopped) stopped_ = true;
  if (progress == Block::Progress::finished) {
    if (cluster_) cluster_->ended(resident.block->rank_in_cluster());
    ++ended_;
    tell_();
  }
}

// Checks, twice, whether every resident thread block repeats an earlier state: the second pass sees the
// stores that other blocks made during the first, and looks for the same states as the first: blocks that
// pass a barrier of the grid in every pass are in a loop each time, and in another one.
bool Residency::goes_round() {
  const bool alone = launch_.going_round + (going_round_ ? 0U : 1U) >= std::max(1U, launch_.working.load());
  for (unsigned pass = 0; pass < 2; ++pass) {
    for (Resident& resident : residents_) {
      if (resident.done || resident.waits_for_grid) continue;
      const Block::Round round = resident.block->go_round(kLaps, pass == 1);
      if (round.progress != Block::Progress::paused) note(resident, round.progress, kLaps);
      if (!round.repeats) {
        set_going_round(false);
        return false;
      }
    }
  }
  set_going_round(true);
  return alone;
}

void Residency::set_going_round(bool value) {
  if (value != going_round_) launch_.going_round += value ? 1U : -1U;
  going_round_ = value;
}

bool Residency::all_wait_for_grid() const {
  return !residents_.empty() && std::all_of(residents_.begin(), residents_.end(),
                                            [](const Resident& resident) { return resident.waits_for_grid; });
}

// Releases all resident thread blocks from a grid or cluster barrier. A grid barrier is an error if a block
// has ended, because that block will never arrive.
void Residency::pass_grid_barrier() {
  if (cluster_) cluster_->barrier();  // a cluster barrier does not wait for exited threads
  if (ended_ > 0 && !cluster_) {
    residents_.front().block->report_grid_barrier_without_all(ended_);
    for (Resident& resident : residents_) resident.done = true;
    stopped_ = true;
    return;
  }
  if (launch_.observer != nullptr && !cluster_) launch_.observer->grid_barrier();
  without_progress_ = 0;
  for (Resident& resident : residents_) {
    resident.block->release_from_grid();
    resident.waits_for_grid = false;
  }
}

// Starts all blocks of the next thread block cluster. Returns false if no cluster is left.
bool Residency::begin_cluster() {
  const auto turn = next_(false);
  if (!turn) return false;
  const Dim3& size = launch_.cluster;
  const Dim3 clusters{launch_.grid.x / size.x, launch_.grid.y / size.y, launch_.grid.z / size.z};
  const std::uint64_t x = turn->index % clusters.x;
  const std::uint64_t y = turn->index / clusters.x % clusters.y;
  const std::uint64_t z = turn->index / clusters.x / clusters.y;
  const unsigned blocks = size.x * size.y * size.z;
  std::vector<Block*> members;
  for (unsigned rank = 0; rank < blocks; ++rank) {
    if (of_cluster_.empty()) of_cluster_.push_back(std::make_unique<Block>(launch_));
    Resident next{std::move(of_cluster_.back())};
    of_cluster_.pop_back();
    members.push_back(next.block.get());
    residents_.push_back(std::move(next));
  }
  cluster_->begin(members);
  for (unsigned rank = 0; rank < blocks; ++rank) {
    const std::uint64_t in_x = x * size.x + rank % size.x;
    const std::uint64_t in_y = y * size.y + rank / size.x % size.y;
    const std::uint64_t in_z = z * size.z + rank / size.x / size.y;
    members[rank]->join(*cluster_, rank);
    members[rank]->begin(turn->position * blocks + rank,
                         (in_z * launch_.grid.y + in_y) * launch_.grid.x + in_x);
  }
  return true;
}

void Residency::work_clusters() {
  ++launch_.working;
  cluster_.emplace(launch_);
  while (begin_cluster() && take_turns()) cluster_->finish();
  set_going_round(false);
  --launch_.working;
}

void Residency::work_cooperative() {
  for (auto block = std::make_unique<Block>(launch_); begin_next(*block, true);
       block = std::make_unique<Block>(launch_)) {
    residents_.push_back({std::move(block)});
  }
  take_turns();
}

}  // namespace warpmark::simulator

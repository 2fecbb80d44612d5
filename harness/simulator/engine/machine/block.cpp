#include "harness/simulator/engine/machine/block.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/engine/machine/memory_names.h"
#include "harness/simulator/engine/machine/random.h"

namespace warpmark::simulator {
namespace {

// Maximum number of backward branches that converged lanes take before other lanes and warps get a turn.
constexpr std::uint32_t kBranchTurn = 1024;
// The same within a turn of at most kShortTurn warp instructions.
constexpr std::uint32_t kShortBranchTurn = 64;
constexpr std::uint64_t kShortTurn = 1024;
constexpr std::size_t kMostCallers = 4;
// Number of warp instructions, after the instruction budget is exhausted, during which taken back edges are
// counted to identify the endless loop.
constexpr std::uint64_t kWatch = std::uint64_t{1} << 20;

Dim3 position_of(std::uint64_t number, const Dim3& size) {
  return {.x = static_cast<std::uint32_t>(number % size.x),
          .y = static_cast<std::uint32_t>(number / size.x % size.y),
          .z = static_cast<std::uint32_t>(number / size.x / size.y)};
}

std::string triple(const Dim3& at) {
  return fmt::format("({},{},{})", at.x, at.y, at.z);
}

}  // namespace

Block::Block(LaunchState& launch) : launch_(launch) {
  shared_.resize(launch.shared_bytes);
  rows_.resize(static_cast<std::size_t>(BlockRow::count) * kRowBytes);
  hits_.resize(launch.program.memory_slots);
  const std::size_t threads = std::size_t{launch.block.x} * launch.block.y * launch.block.z;
  Context context;
  // const_cast is safe: no instruction writes to PTX constants; the table of operand base pointers holds
  // non-const pointers only because its other entries are registers.
  context.bases[kConstants] = const_cast<std::byte*>(launch.program.constants.data());
  context.bases[kBlockRows] = rows_.data();
  context.local_window = launch.memory.local_window();
  context.shared_window = launch.memory.shared_window();
  context.shared = shared_.data();
  context.shared_bytes = launch.shared_bytes;
  context.parameters = launch.parameters.data();
  context.parameter_bytes = launch.parameters.size();
  context.hits = hits_.data();
  context.lasting_effect = &launch.lasting_effect;
  context.reaches_further = &launch.reaches_further;
  context.order_matters = &launch.order_matters;
  context.back_branches_left = kBranchTurn;
  if (launch.observer != nullptr) {
    observer_ = launch.observer->observe(*this);
    context.observer = observer_.get();
    context.execution_counts = observer_->execution_counts();
  }
  const std::size_t count = (threads + kLanes - 1) / kLanes;
  warps_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) warps_.emplace_back(*this, i, context);
}

void Block::fill_rows(std::uint64_t index) {
  const Dim3& grid = launch_.grid;
  index_ = position_of(index, grid);
  const auto set = [&](BlockRow row, auto value) {
    std::byte* at = rows_.data() + static_cast<std::size_t>(row) * kRowBytes;
    for (unsigned lane = 0; lane < kLanes; ++lane)
      std::memcpy(at + lane * sizeof(value), &value, sizeof(value));
  };
  set(BlockRow::ctaid_x, index_.x);
  set(BlockRow::ctaid_y, index_.y);
  set(BlockRow::ctaid_z, index_.z);
  set(BlockRow::smid, static_cast<std::uint32_t>(index % kMultiprocessors));
  // Special registers with the same value in all blocks of a launch, such as the block and grid dimensions,
  // are set only for the first block that this Block object runs.
  if (executed_ != 0) return;
  set(BlockRow::nsmid, static_cast<std::uint32_t>(kMultiprocessors));
  set(BlockRow::ntid_x, launch_.block.x);
  set(BlockRow::ntid_y, launch_.block.y);
  set(BlockRow::ntid_z, launch_.block.z);
  set(BlockRow::nctaid_x, grid.x);
  set(BlockRow::nctaid_y, grid.y);
  set(BlockRow::nctaid_z, grid.z);
  set(BlockRow::nwarpid, static_cast<std::uint32_t>(warps_.size()));
  set(BlockRow::dynamic_shared, static_cast<std::uint64_t>(launch_.dynamic_shared_offset));
  set(BlockRow::shared_window, launch_.memory.shared_window());
  set(BlockRow::local_window, launch_.memory.local_window());
}

void Block::order_warps(std::uint64_t position) {
  order_.resize(warps_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (launch_.schedule == 0) return;
  Random random(launch_.schedule ^ (position * 0x9E3779B97F4A7C15U));
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
}

void Block::begin(std::uint64_t position, std::uint64_t index) {
  position_ = position;
  stopped_ = false;
  fill_rows(index);
  order_warps(position);
  if (!shared_.empty()) std::memset(shared_.data(), kUndefinedByte, shared_.size());
  const std::size_t threads = std::size_t{launch_.block.x} * launch_.block.y * launch_.block.z;
  live_ = static_cast<unsigned>(threads);
  if (observer_) observer_->block_begins(index);
  watch_until_ = 0;
  pressed_ = false;
  at_grid_.clear();
  objects_.clear();
  at_objects_.clear();
  reported_ = block_began_ = executed_;
  clock_read_at_ = clock_reads_ = clock_ahead_ = 0;
  for (Barrier& barrier : barriers_) barrier = {};
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    const std::size_t lanes = std::min<std::size_t>(kLanes, threads - i * kLanes);
    warps_[i].start(lanes == kLanes ? kAllLanes : (1U << lanes) - 1);
    warps_[i].set_back_branches(kBranchTurn);
  }
  seen_.clear();
}

// Returns clock(). While a loop does little but poll the clock, the clock accelerates, so that the loop ends
// soon.
std::uint64_t Block::clock() {
  // clock readings at most this many warp instructions apart count as polling
  constexpr std::uint64_t kClose = 1024;
  constexpr std::uint64_t kPatience = 4096;
  // Polling loops advance clock() by at most 2^kFastest extra instructions per reading.
  constexpr std::uint64_t kFastest = 20;
  if (executed_ != clock_read_at_) {
    clock_reads_ = executed_ - clock_read_at_ < kClose ? clock_reads_ + 1 : 0;
    clock_read_at_ = executed_;
    const std::uint64_t haste = std::min(kFastest, clock_reads_ / kPatience);
    clock_ahead_ += haste == 0 ? 0 : std::uint64_t{1} << haste;
  }
  return executed_ - block_began_ + clock_ahead_;
}

Block::Progress Block::advance(std::uint64_t instructions) {
  paused_ = false;
  pause_at_ = executed_ + instructions;
  branch_turn_ = launch_.short_turns ? 1 : instructions <= kShortTurn ? kShortBranchTurn : kBranchTurn;
  if (branch_turn_ != kBranchTurn && laps_.empty()) {
    for (Warp& warp : warps_) warp.set_back_branches(branch_turn_);
  }
  bool moved = true;
  while (live_ > 0 && !stopped_ && !paused_ && moved) {
    moved = false;
    for (const std::size_t i : order_) {
      if (stopped_ || !warps_[i].ready()) continue;
      warps_[i].run();
      moved = true;
    }
  }
  if (live_ > 0 && !stopped_ && !paused_ && at_grid_.empty()) report_stuck();
  launch_.executed += executed_ - reported_;
  reported_ = executed_;
  if (stopped_) return Progress::stopped;
  if (live_ == 0) return Progress::finished;
  return paused_ ? Progress::paused : Progress::waits_for_grid;
}

const ptx::Location& Block::location(const Instruction& instruction) const {
  return launch_.program.locations[instruction.location];
}

std::string_view Block::file_name(const ptx::Location& at) const {
  const auto file = launch_.program.files.find(at.file);
  if (file == launch_.program.files.end()) return {};
  const std::string_view path = file->second;
  return path.substr(path.rfind('/') + 1);
}

std::vector<ptx::Location> Block::callers_of(const ptx::Location& at, const Warp* warp,
                                             const Warp::Split* split) const {
  const Program& program = launch_.program;
  std::vector<ptx::Location> places;
  const auto add = [&](const ptx::Location& place) {
    if (place.line != 0 && places.size() < kMostCallers) places.push_back(place);
  };
  const auto add_inlined = [&](const ptx::Location& from) {
    for (std::uint32_t i = from.caller; i != 0; i = program.callers[i].caller) add(program.callers[i]);
  };
  add_inlined(at);
  if (warp == nullptr) return places;
  for (const std::uint32_t pc : warp->return_addresses(split)) {
    const ptx::Location& call = program.locations[program.code[pc - 1].location];
    add(call);
    add_inlined(call);
  }
  return places;
}

std::string Block::callers(const ptx::Location& at, const Warp* warp, const Warp::Split* split) const {
  std::vector<std::string> places;
  for (const ptx::Location& place : callers_of(at, warp, split))
    places.push_back(fmt::format("{}:{}", file_name(place), place.line));
  return places.empty() ? std::string() : fmt::format(", called from {}", fmt::join(places, ", from "));
}

void Block::join(Cluster& cluster, unsigned rank) {
  cluster_ = &cluster;
  rank_ = rank;
  outside_stores_ = dynamic_cast<OutsideStores*>(observer_.get());
}

Dim3 Block::index_in_cluster() const {
  return position_of(rank_, launch_.cluster);
}

std::string Block::block_name() const {
  return "block " + triple(index_);
}

Dim3 Block::thread_index(const Warp& warp, unsigned lane) const {
  return position_of(warp.number() * kLanes + lane, launch_.block);
}

std::string Block::block_name(std::uint64_t index) const {
  return "block " + triple(position_of(index, launch_.grid));
}

std::string Block::thread_name(const Warp& warp, unsigned lane) const {
  return thread_name(static_cast<std::uint32_t>(warp.number() * kLanes + lane));
}

std::string Block::thread_name(std::uint32_t number) const {
  return "thread " + triple(position_of(number, launch_.block));
}

void Block::stop(CauseKind kind, const Instruction* instruction, std::string message, int other_line,
                 std::string said, std::optional<WarpAccess> warp_access) {
  if (stopped_) return;
  stopped_ = true;
  for (Warp& warp : warps_) warp.context().event = ControlEvent::stop;
  const std::lock_guard lock(launch_.mutex);
  // Only the fatal finding of the block earliest in execution order is reported: if an earlier block has
  // failed, too, this block's finding is discarded.
  if (launch_.stop_behind.load() <= position_) return;
  launch_.stop_behind = position_;
  Finding finding{.kind = kind,
                  .kernel = launch_.kernel.display_name,
                  .file = {},
                  .line = 0,
                  .other_line = other_line,
                  .message = std::move(message),
                  .warp_access = std::move(warp_access)};
  if (instruction != nullptr) set_source(finding, location(*instruction));
  if (kind == CauseKind::divergent_barrier || kind == CauseKind::deadlock)
    finding.block_threads = thread_runs();
  launch_.finding = std::move(finding);
  launch_.said = std::move(said);
}

void Block::set_source(Finding& finding, const ptx::Location& at) const {
  finding.line = static_cast<int>(at.line);
  const auto file = launch_.program.files.find(at.file);
  if (file != launch_.program.files.end()) finding.file = file->second;
}

void Block::looked_at(Warp& warp, const Instruction& instruction, std::size_t depth) {
  warp.set_back_branches(watch_until_ != 0 || !laps_.empty() ? 1 : branch_turn_);
  if (launch_.stop_behind.load(std::memory_order_relaxed) < position_) {
    stopped_ = true;
    return;
  }
  if (!laps_.empty()) look_at_lap(warp, instruction);
  if (watch_until_ != 0) {
    auto& edge = back_edges_[&instruction];
    ++edge.count;
    edge.depth = depth;
    if (executed_ >= watch_until_) report_endless_loop(instruction);
    return;
  }
  bool used_up = executed_ >= pause_at_;
  if (launch_.launch_budget != 0) {
    const std::uint64_t all = launch_.executed += executed_ - reported_;
    reported_ = executed_;
    used_up = used_up || all >= launch_.launch_budget;
  }
  if (!used_up) return;
  if (!pressed_) {
    paused_ = true;
    return;
  }
  watch_until_ = executed_ + (launch_.launch_budget != 0 ? std::min(kWatch, launch_.launch_budget) : kWatch);
  back_edges_.clear();
  for (Warp& each : warps_) each.set_back_branches(1);
}

bool Block::stands_still() {
  std::vector<Warp::Snapshot> now;
  now.reserve(warps_.size());
  for (const Warp& warp : warps_) now.push_back(warp.snapshot());
  const bool still = now == seen_;
  seen_ = std::move(now);
  return still;
}

Block::Round Block::go_round(std::uint64_t instructions, bool again) {
  laps_are_given_ = again;
  if (again) {
    laps_ = std::move(found_laps_);
    for (Lap& lap : laps_) lap.repeats = false;
  } else {
    laps_.assign(warps_.size(), {});
  }
  for (Warp& warp : warps_) warp.set_back_branches(1);
  const Progress progress = advance(instructions);
  bool repeats = progress == Progress::paused;
  for (std::size_t i = 0; i < warps_.size(); ++i)
    repeats = repeats && (laps_[i].repeats || !warps_[i].ready());
  found_laps_ = std::move(laps_);
  laps_.clear();
  for (Warp& warp : warps_) warp.set_back_branches(kBranchTurn);
  return {progress, repeats};
}

// Brent's cycle detection on a warp's state at a loop's backward branch: the reference state is replaced at
// visits 1, 2, 4, ...
void Block::look_at_lap(const Warp& warp, const Instruction& branch) {
  Lap& lap = laps_[warp.number()];
  if (lap.repeats || (lap.branch != nullptr && lap.branch != &branch)) return;
  if (laps_are_given_ && lap.branch == nullptr) return;
  Warp::Snapshot state = warp.snapshot();
  if (lap.branch != nullptr && state == lap.state && shared_ == lap.shared) {
    lap.repeats = true;
    return;
  }
  if (laps_are_given_) return;
  lap.branch = &branch;
  if (lap.count++ != lap.keep && lap.count != 1) return;
  if (lap.count > 1) lap.keep *= 2;
  lap.state = std::move(state);
  lap.shared = shared_;
}

}  // namespace warpmark::simulator

#include "harness/simulator/watch/launch_watch.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "harness/base/pause.h"
#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/warp_access.h"
#include "harness/simulator/engine/operations/operations.h"
#include "harness/simulator/watch/counting.h"

namespace warpmark::simulator {
namespace {

// Number of attempts to take a spinlock before the thread sleeps; together they take some microseconds.
constexpr int kTriesBeforeSleep = 200;

}  // namespace

LaunchWatch::LaunchWatch(const Program& program, const ProgramFunction& kernel, const DeviceMemory& memory,
                         std::uint64_t blocks, const WatchOptions& options)
    : footprint_(options.footprint),
      all_rules_(options.all_rules),
      keep_costly_(options.keep_costly && options.count_work) {
  if (options.check_accesses) shadow_.emplace(program, kernel, memory, blocks);
  if (options.count_work) counters_.emplace(program);
}

std::unique_ptr<BlockObserver> LaunchWatch::observe(Block& block) {
  switch (best_variant()) {
#if defined(WARPMARK_HAS_AVX512)
    case Variant::avx512:
      return avx512::observer_of(block, *this, all_rules_);
#endif
#if defined(WARPMARK_HAS_AVX2)
    case Variant::avx2:
      return avx2::observer_of(block, *this, all_rules_);
#endif
#if defined(WARPMARK_HAS_BASELINE)
    case Variant::baseline:
      return baseline::observer_of(block, *this, all_rules_);
#endif
    default:
      // Not reached: best_variant() never chooses an instruction set for which this build has no code.
      return nullptr;
  }
}

void LaunchWatch::grid_barrier() {
  if (shadow_) shadow_->grid_barrier();
}

std::optional<LaunchWork> LaunchWatch::work() const {
  if (!counters_) return std::nullopt;
  LaunchWork work = counters_->work();
  for (const auto& [place, costly] : costly_) {
    const auto line = std::ranges::find_if(work.lines, [&](const LineWork& each) {
      return each.file == place.first && each.line == place.second;
    });
    if (line != work.lines.end()) line->costly = costly.access;
  }
  return work;
}

void BlockWatch::keep_costly(const Context& context, const Touch& touch) {
  if (touch.access == Access::atomic || touch.instruction.space == ptx::Space::constant) return;
  const auto lanes = static_cast<unsigned>(std::popcount(touch.mask));
  unsigned cost = 0;
  unsigned least = 0;
  if (touch.shared) {
    const Passes passes = passes_of(touch.addresses, touch.mask, touch.width, touch.access == Access::read);
    cost = passes.wavefronts;
    least = cost - passes.conflicts;
  } else {
    cost = sectors_of(touch.addresses);
    least = (lanes * touch.width + kSectorBytes - 1) / kSectorBytes;
  }
  if (cost <= least) return;
  Block& block = context.warp->block();
  const ptx::Location& at = block.location(touch.instruction);
  const auto file = block.launch().program.files.find(at.file);
  if (file == block.launch().program.files.end()) return;
  // One host thread runs the first block, and nobody else adds to the map.
  LaunchWatch::Costly& kept = launch_.costly_[{file->second, static_cast<int>(at.line)}];
  if (cost - least <= kept.excess) return;
  kept = {cost - least,
          warp_access_of(block, *context.warp, touch.instruction, touch.access, touch.shared, touch.mask,
                         touch.addresses, static_cast<unsigned>(std::countr_zero(touch.mask)))};
  kept.access.passes = cost;
}

BlockWatch::BlockWatch(Block& block, LaunchWatch& launch) : footprint_(launch.footprint_), launch_(launch) {
  if (launch.shadow_) shadow_ = std::make_unique<BlockShadow>(block, *launch.shadow_);
  if (launch.counters_)
    counters_ = std::make_unique<LaunchCounters>(block.launch().program, block.launch().short_turns);
}

BlockWatch::~BlockWatch() {
  if (footprint_ != nullptr) footprint_->merge(std::move(touched_));
  if (counters_ == nullptr) return;
  counters_->block_ends();
  const std::lock_guard lock(launch_.mutex_);
  launch_.counters_->add(*counters_);
}

void BlockWatch::block_begins(std::uint64_t index) {
  if (counters_) counters_->block_ends();
  keeps_costly_ = launch_.keep_costly_ && index == 0;
  if (shadow_) shadow_->start(index);
}

std::unique_lock<std::mutex> BlockWatch::order() {
  if (!shadow_) return {};
  // Takes the lock that orders atomic operations of all blocks. It is held for a single short operation each
  // time, so spinning is faster than sleeping.
  for (int tries = 0; tries < kTriesBeforeSleep; ++tries) {
    if (std::unique_lock lock(launch_.order_, std::try_to_lock); lock) return lock;
    pause_for_a_moment();
  }
  return std::unique_lock(launch_.order_);
}

void BlockWatch::fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks) {
  if (shadow_) shadow_->fence(warp, lanes, for_all_blocks);
}

void BlockWatch::barrier(const Instruction* instruction) {
  if (shadow_) shadow_->barrier(instruction);
  if (counters_ && instruction != nullptr) counters_->completed_barrier(*instruction);
}

void BlockWatch::arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) {
  if (shadow_) shadow_->arrived(warp, lanes, barrier);
}

void BlockWatch::completed(std::uint64_t barrier, const Instruction& instruction) {
  if (shadow_) shadow_->completed(barrier);
  if (counters_) counters_->completed_barrier(instruction);
}

void BlockWatch::copy_started(std::size_t warp, unsigned lane, Address offset, unsigned bytes,
                              const Instruction& instruction) {
  if (shadow_) shadow_->copy_started(warp, lane, offset, bytes, instruction);
}

void BlockWatch::copies_committed(std::size_t warp, std::uint32_t lanes) {
  if (shadow_) shadow_->copies_committed(warp, lanes);
}

void BlockWatch::copies_awaited(std::size_t warp, std::uint32_t lanes, std::uint64_t prior) {
  if (shadow_) shadow_->copies_awaited(warp, lanes, prior);
}

void BlockWatch::passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) {
  if (shadow_) shadow_->passed(warp, lanes, barrier);
}

void BlockWatch::synchronised(std::size_t warp, std::uint32_t lanes) {
  if (shadow_) shadow_->synchronised(warp, lanes);
}

void BlockWatch::diverged(const Instruction& instruction) {
  if (counters_) counters_->diverged(instruction);
}

void BlockWatch::shuffled(const Instruction& instruction) {
  if (counters_) counters_->shuffled(instruction);
}

void BlockWatch::set_from_outside(Address offset, unsigned bytes) {
  if (shadow_) shadow_->set_from_outside(offset, bytes);
}

void BlockWatch::executed(std::size_t warp, std::uint64_t instructions, unsigned lanes) {
  if (counters_) counters_->executed(warp, instructions, lanes);
}

ExecutionCount* BlockWatch::execution_counts() {
  return counters_ ? counters_->execution_counts() : nullptr;
}

}  // namespace warpmark::simulator

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "harness/simulator/device/launch/kernel.h"
#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/random.h"
#include "harness/simulator/engine/machine/residency.h"
#include "harness/simulator/engine/memory/global_shadow.h"
#include "harness/simulator/watch/launch_watch.h"

namespace warpmark::simulator {
namespace {

// Pseudo-random order of blocks: a permutation of [0, count) that needs no table, i -> (i * step + shift) mod
// count with step coprime to count.
class BlockOrder {
 public:
  BlockOrder(std::uint64_t count, std::uint64_t schedule) : count_(count) {
    if (schedule == 0 || count < 2) return;
    Random random(schedule);
    shift_ = random.below(count);
    do step_ = random.below(count);
    while (std::gcd(step_, count) != 1);
  }
  [[nodiscard]] std::uint64_t at(std::uint64_t position) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(position) * step_ + shift_) % count_);
  }

 private:
  std::uint64_t count_;
  std::uint64_t step_ = 1;
  std::uint64_t shift_ = 0;
};

Finding unsupported_finding(const Kernel& kernel) {
  const Program& program = *kernel.program;
  const Instruction& instruction = program.code[kernel.unsupported.front()];
  const ptx::Location& at = program.locations[instruction.location];
  const auto file = program.files.find(at.file);
  return {.kind = CauseKind::unsupported,
          .kernel = kernel.function->display_name,
          .file = file == program.files.end() ? std::string() : file->second,
          .line = static_cast<int>(at.line),
          .other_line = 0,
          .message = program.unsupported[instruction.target]};
}

// Detects launches that exceed the work limit, by extrapolation from their first blocks. The first blocks may
// do more work than the others, so an estimate aborts the launch only if it is several times the limit.
class WorkLimit {
 public:
  WorkLimit(const LaunchOptions& options, std::uint64_t blocks, Dim3 block)
      : limit_(static_cast<double>(options.work_limit)),
        check_limit_(static_cast<double>(options.check_limit)),
        blocks_(static_cast<double>(blocks)),
        block_cost_(kBlockCost + kWarpCost * ((block.x * block.y * block.z + kLanes - 1) / kLanes)) {}

  void one_more(std::uint64_t executed) {
    const std::uint64_t done = ++done_;
    const double work = static_cast<double>(executed) + static_cast<double>(done) * block_cost_;
    if (check_limit_ != 0 && work > check_limit_) checked_enough_ = true;
    if (limit_ == 0) return;
    const double whole = work / static_cast<double>(done) * blocks_;
    if (work > limit_ || (done == kSample && whole > kFarBeyond * limit_)) {
      estimate_ = whole;
      passed_ = true;
    }
  }
  [[nodiscard]] bool passed() const { return passed_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool checked_enough() const { return checked_enough_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t work(std::uint64_t executed) const {
    return executed + done_ * static_cast<std::uint64_t>(block_cost_);
  }
  [[nodiscard]] Finding finding(const ProgramFunction& kernel, const LaunchParameters& launch) const {
    return {.kind = CauseKind::launch_limit,
            .kernel = kernel.display_name,
            .file = {},
            .line = 0,
            .other_line = 0,
            .message = fmt::format("this launch of {:.0f} blocks of {} threads comes to about {:.1e} warp "
                                   "instructions, more than {:.1e}, "
                                   "the limit; launch fewer blocks on a smaller input, or allow more time",
                                   blocks_, launch.block.x * launch.block.y * launch.block.z,
                                   estimate_.load(), limit_)};
  }

 private:
  // Cost of starting a block and of starting a warp, in warp instructions (measured 2026-11: 0.2 us and 0.05
  // us against 5 ns per warp instruction).
  static constexpr double kBlockCost = 40;
  static constexpr double kWarpCost = 10;
  static constexpr std::uint64_t kSample = 1024;
  static constexpr double kFarBeyond = 4;

  double limit_;
  double check_limit_;
  double blocks_;
  double block_cost_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<double> estimate_{0};
  std::atomic<bool> passed_{false};
  std::atomic<bool> checked_enough_{false};
};

// Returns those kernel arguments that are pointers, with the names of their parameters. If `memory` is not
// null, also records there the size and padding of the elements that each pointer points to.
std::vector<NamedPointer> named_pointers(const ProgramFunction& kernel, std::span<const std::byte> parameters,
                                         DeviceMemory* memory) {
  std::vector<NamedPointer> named;
  for (const ptx::PointerParameter& pointer : kernel.pointers) {
    if (pointer.parameter >= kernel.parameter_offsets.size() ||
        pointer.offset + sizeof(Address) > kernel.parameter_sizes[pointer.parameter])
      continue;
    NamedPointer known{.name = pointer.name, .value = 0, .element = pointer.element};
    std::memcpy(&known.value,
                parameters.data() + kernel.parameter_offsets[pointer.parameter] + pointer.offset,
                sizeof(Address));
    if (memory != nullptr && pointer.laid_out)
      memory->points_to(known.value, {pointer.element, pointer.padding});
    named.push_back(std::move(known));
  }
  return named;
}

// Executed warp instructions of a launch after which starting helper threads pays off.
constexpr std::uint64_t kWorthAThread = 1 << 12;

// Host threads that simulate a launch take its blocks (or clusters) from a shared counter: kPiece at a time
// if there are at least kManyBlocks per thread, to reduce contention, else one.
constexpr std::uint64_t kManyBlocks = 256;
constexpr std::uint64_t kPiece = 8;

// Host threads that help the calling thread to run a launch; started on demand.
class Helpers {
 public:
  Helpers(std::uint64_t count, std::function<void()> work) : count_(count), work_(std::move(work)) {}
  void start() {
    for (; count_ > 0; --count_) threads_.emplace_back([this] { guarded(work_); });
  }
  // Runs `work` on the calling thread while the helper threads run. Returns when all of them have ended, and
  // rethrows the first exception of any thread.
  void also(const std::function<void()>& work) {
    guarded(work);
    threads_.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void guarded(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  std::uint64_t count_;
  std::function<void()> work_;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

std::uint64_t blocks_of(const LaunchParameters& launch) {
  return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}

std::uint64_t blocks_of_a_cluster(const LaunchParameters& launch) {
  return std::uint64_t{launch.cluster.x} * launch.cluster.y * launch.cluster.z;
}

std::vector<std::byte> parameters_of(const ProgramFunction& function, const void* const* arguments) {
  std::vector<std::byte> parameters(function.parameter_bytes);
  for (std::size_t i = 0; i < function.parameter_sizes.size(); ++i)
    std::memcpy(parameters.data() + function.parameter_offsets[i], arguments[i], function.parameter_sizes[i]);
  return parameters;
}

// Builds the state that all host threads of a simulated launch share. `observer` receives the launch's memory
// accesses; null if the launch is neither checked for races nor counted.
LaunchState state_of(const LaunchParameters& launch, const LaunchOptions& options, DeviceMemory& memory,
                     LaunchObserver* observer) {
  const Kernel& kernel = *launch.kernel;
  const ProgramFunction& function = *kernel.function;
  const std::size_t dynamic_offset =
      behind_gap(round_up(function.static_shared_bytes, 16), function.shared_end);
  const bool runs_natively =
      observer == nullptr && options.native && options.faults == nullptr && blocks_of_a_cluster(launch) == 1;
  auto parameters = parameters_of(function, launch.arguments);
  auto pointers = named_pointers(function, parameters, options.check_accesses ? &memory : nullptr);
  return {.program = *kernel.program,
          .kernel = function,
          .grid = launch.grid,
          .block = launch.block,
          .device = launch.device,
          .schedule = options.schedule,
          .launch_budget = options.instruction_budget,
          .memory = memory,
          .allocations = live_views(memory, launch.device, launch.peers),
          .freed = {},
          .parameters = std::move(parameters),
          .pointers = std::move(pointers),
          .shared_bytes = launch.dynamic_shared_bytes == 0 ? function.shared_end
                                                           : dynamic_offset + launch.dynamic_shared_bytes,
          .dynamic_shared_offset = dynamic_offset,
          .mutex = {},
          .finding = {},
          .observer = observer,
          .check_accesses = options.check_accesses,
          .said = {},
          .printed = PrintBuffer(options.print_bytes),
          .cooperative = launch.cooperative,
          .cluster = launch.cluster,
          .heap = launch.heap,
          .bring = options.bring,
          .symbol_at = options.symbol_at,
          .native = runs_natively ? kernel.native->get() : nullptr,
          .faults = options.faults,
          .short_turns = options.short_turns};
}

// Hands out the turns of a launch to its host threads, in scheduling order. A turn is one block, or all
// blocks of one cluster.
class Turns {
 public:
  Turns(const LaunchParameters& launch, const LaunchOptions& options, LaunchState& state, WorkLimit& limit)
      : state_(state),
        limit_(limit),
        in_cluster_(blocks_of_a_cluster(launch)),
        count_(blocks_of(launch) / in_cluster_),
        order_(count_, options.schedule),
        next_(options.first_block),
        begun_(options.begun) {}

  // Turns (blocks or clusters) that a host thread has reserved but not begun.
  struct Share {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  // Returns the next block or cluster that the calling host thread has to simulate, or nullopt if none may
  // start. `awaited`: running blocks wait for one that has not started, so the limit on checked work, which
  // normally stops further blocks from starting, is ignored.
  std::optional<Residency::Turn> take(Share& share, bool awaited) {
    if (limit_.passed()) return std::nullopt;
    if (share.begin == share.end) {
      if (limit_.checked_enough() && !awaited) return std::nullopt;
      share.begin = next_.fetch_add(piece_);
      if (begun_ != nullptr) *begun_ = share.begin;
      share.end = std::min(share.begin + piece_, count_);
    }
    if (share.begin >= share.end || share.begin * in_cluster_ > state_.stop_behind.load())
      return std::nullopt;
    const std::uint64_t position = share.begin++;
    return Residency::Turn{position, order_.at(position)};
  }

  // Sets how many turns (blocks or clusters) a host thread takes at a time, given the number of host threads.
  void share_among(std::uint64_t threads) { piece_ = count_ / threads >= kManyBlocks ? kPiece : 1; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // Returns the index of the first turn (block or cluster) that no host thread has taken; nullopt if all are
  // taken.
  [[nodiscard]] std::optional<std::uint64_t> rest() const {
    const std::uint64_t next = next_;
    return next < count_ ? std::optional(next) : std::nullopt;
  }

 private:
  LaunchState& state_;
  WorkLimit& limit_;
  std::uint64_t in_cluster_;
  std::uint64_t count_;
  std::uint64_t piece_ = 1;  // number of turns (blocks or clusters) that a host thread takes at a time
  BlockOrder order_;
  std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t>* begun_;
};

// Runs all turns (blocks or clusters) of a launch on the calling thread and, if the launch does enough work,
// on helper threads.
void run_turns(Turns& turns, LaunchState& state, WorkLimit& limit, unsigned host_threads) {
  // The processor count is cached because std::thread::hardware_concurrency() reads files at every call.
  static const unsigned machine = std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t threads =
      state.cooperative ? 1
                        : std::min<std::uint64_t>(host_threads == 0 ? machine : host_threads, turns.count());
  turns.share_among(threads);
  std::function<void()> call_helpers;
  const auto work = [&](bool first) {
    Turns::Share share;
    const auto next_block = [&](bool awaited) { return turns.take(share, awaited); };
    const auto help = [&] {
      if (first && state.executed >= kWorthAThread && turns.rest()) call_helpers();
    };
    const auto ended = [&] {
      limit.one_more(state.executed);
      help();
    };
    Residency residency(state, next_block, ended, help);
    if (state.cooperative)
      residency.work_cooperative();
    else if (state.cluster.x * state.cluster.y * state.cluster.z > 1)
      residency.work_clusters();
    else
      residency.work();
  };
  Helpers helpers(threads - 1, [&] { work(false); });
  call_helpers = [&] {
    state.several_threads = threads > 1;
    helpers.start();
  };
  helpers.also([&] { work(true); });
}

// Builds the Outcome (findings, printed text, ...) of a launch and consumes the launch's final state. `rest`
// is the first turn (block or cluster) that did not begin.
Outcome outcome_of(const LaunchParameters& launch, const LaunchOptions& options, LaunchState& state,
                   const WorkLimit& limit, std::optional<std::uint64_t> rest) {
  Outcome outcome;
  auto printed = state.printed.up_to(state.stop_behind);
  outcome.printed = std::move(printed.text);
  outcome.printed_all = printed.complete;
  outcome.said = std::move(state.said);
  if (limit.passed() && !state.finding) state.finding = limit.finding(*launch.kernel->function, launch);
  outcome.completed = !state.finding.has_value();
  outcome.children = state.children.take();
  outcome.work_done = limit.work(state.executed);
  if (outcome.completed) outcome.rest = rest;
  const bool whole = !outcome.rest && options.first_block == 0;
  outcome.by_memory_alone = outcome.completed && whole && !state.reaches_further && outcome.printed.empty();
  outcome.repeatable = outcome.completed && whole && !state.lasting_effect && outcome.printed.empty();
  outcome.findings = state.log.take();
  outcome.one_order = outcome.completed && whole && outcome.findings.empty() && options.check_accesses &&
                      !state.order_matters && !state.cooperative && blocks_of_a_cluster(launch) == 1 &&
                      outcome.printed.empty();
  if (state.finding) {
    // Drops early-exit findings after a divergent barrier: threads that returned before the barrier are part
    // of that error.
    if (state.finding->kind == CauseKind::divergent_barrier)
      std::erase_if(outcome.findings, [](const Finding& each) { return each.kind == CauseKind::early_exit; });
    outcome.findings.push_back(std::move(*state.finding));
  }
  return outcome;
}

}  // namespace

Outcome run(const LaunchParameters& launch, const LaunchOptions& options, DeviceMemory& memory) {
  const Kernel& kernel = *launch.kernel;
  if (!kernel.unsupported.empty()) {
    Outcome refused;
    refused.findings.push_back(unsupported_finding(kernel));
    return refused;
  }
  if (!options.check_accesses) memory.shadow().unseen();
  std::optional<LaunchWatch> watch;
  if (options.check_accesses || options.count_work || options.footprint != nullptr) {
    watch.emplace(*kernel.program, *kernel.function, memory, blocks_of(launch),
                  WatchOptions{options.check_accesses, options.all_rules, options.count_work,
                               options.keep_costly, options.footprint});
  }
  LaunchState state = state_of(launch, options, memory, watch ? &*watch : nullptr);
  if (options.time_limit != 0) state.time_limit = options.time_limit;
  WorkLimit limit(options, blocks_of(launch) - options.first_block, launch.block);
  Turns turns(launch, options, state, limit);
  const bool one_thread = options.faults != nullptr || options.short_turns;
  run_turns(turns, state, limit, one_thread ? 1 : options.host_threads);
  Outcome outcome = outcome_of(launch, options, state, limit, turns.rest());
  if (watch) outcome.work = watch->work();
  return outcome;
}

}  // namespace warpmark::simulator

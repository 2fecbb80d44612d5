#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "harness/simulator/launch/kernel.h"
#include "harness/simulator/machine/block.h"
#include "harness/simulator/machine/random.h"
#include "harness/simulator/machine/residency.h"
#include "harness/simulator/memory/global_shadow.h"
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

// Detects a launch that exceeds the work limit from its first blocks. These may do more work than the others,
// so an estimate stops the launch only if it is far above the limit.
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
  [[nodiscard]] Finding finding(const ProgramFunction& kernel, const Launch& launch) const {
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
  // Cost of starting a block and a warp in warp instructions (measured 2026-11: 0.2 us and 0.05 us against 5
  // ns).
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

// Returns the pointers among the parameters. If memory is not null, also records the layouts of their
// pointees.
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

// Minimum work of a launch, in warp instructions, for a second host thread to be worth starting.
constexpr std::uint64_t kWorthAThread = 1 << 12;

// With many blocks, a host thread takes several at a time, to reduce contention on the counter.
constexpr std::uint64_t kManyBlocks = 256;  // per host thread
constexpr std::uint64_t kPiece = 8;

// Host threads that share the caller's work; started on request.
class Helpers {
 public:
  Helpers(std::uint64_t count, std::function<void()> work) : count_(count), work_(std::move(work)) {}
  void start() {
    for (; count_ > 0; --count_) threads_.emplace_back([this] { guarded(work_); });
  }
  // Does the caller's share. Returns when all threads have ended, and rethrows an exception of any of them.
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

std::uint64_t blocks_of(const Launch& launch) {
  return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}

}  // namespace

Outcome run(const Launch& launch, const LaunchOptions& options, DeviceMemory& memory) {
  const Kernel& kernel = *launch.kernel;
  const ProgramFunction& function = *kernel.function;
  Outcome outcome;
  if (!kernel.unsupported.empty()) {
    outcome.findings.push_back(unsupported_finding(kernel));
    return outcome;
  }
  const std::size_t dynamic_offset =
      behind_gap(round_up(function.static_shared_bytes, 16), function.shared_end);
  if (!options.check_accesses) memory.shadow().unseen();
  std::optional<LaunchWatch> watch;
  if (options.check_accesses || options.count_work)
    watch.emplace(*kernel.program, function, memory, blocks_of(launch), options);
  const bool is_clustered = launch.cluster.x * launch.cluster.y * launch.cluster.z > 1;
  LaunchState state{.program = *kernel.program,
                    .kernel = function,
                    .grid = launch.grid,
                    .block = launch.block,
                    .device = launch.device,
                    .schedule = options.schedule,
                    .launch_budget = options.instruction_budget,
                    .memory = memory,
                    .allocations = live_views(memory, launch.device, launch.peers),
                    .freed = {},
                    .parameters = std::vector<std::byte>(function.parameter_bytes),
                    .pointers = {},
                    .shared_bytes = launch.dynamic_shared_bytes == 0
                                        ? function.shared_end
                                        : dynamic_offset + launch.dynamic_shared_bytes,
                    .dynamic_shared_offset = dynamic_offset,
                    .mutex = {},
                    .finding = {},
                    .observer = watch ? &*watch : nullptr,
                    .check_accesses = options.check_accesses,
                    .said = {},
                    .printed = PrintBuffer(options.print_bytes),
                    .cooperative = launch.cooperative,
                    .cluster = launch.cluster,
                    .heap = launch.heap,
                    .bring = options.bring,
                    .native = watch || !options.native || is_clustered ? nullptr : kernel.native->get()};
  for (std::size_t i = 0; i < function.parameter_sizes.size(); ++i) {
    std::memcpy(state.parameters.data() + function.parameter_offsets[i], launch.arguments[i],
                function.parameter_sizes[i]);
  }

  if (options.time_limit != 0) state.time_limit = options.time_limit;
  state.pointers = named_pointers(function, state.parameters, options.check_accesses ? &memory : nullptr);

  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  const std::uint64_t in_cluster = std::uint64_t{launch.cluster.x} * launch.cluster.y *
                                   launch.cluster.z;  // blocks of a cluster run in one turn
  const std::uint64_t turns = blocks / in_cluster;
  const BlockOrder order(turns, options.schedule);
  std::atomic<std::uint64_t> next{options.first_block};
  WorkLimit limit(options, blocks - options.first_block, launch.block);
  // Cached, because the call reads files.
  static const unsigned machine = std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t threads =
      state.cooperative
          ? 1
          : std::min<std::uint64_t>(options.host_threads == 0 ? machine : options.host_threads, turns);
  std::function<void()> call_helpers;
  const std::uint64_t piece = turns / threads >= kManyBlocks ? kPiece : 1;
  const auto work = [&](bool first) {
    std::uint64_t own = 0;  // next position in this host thread's piece
    std::uint64_t own_end = 0;
    const auto next_block = [&](bool awaited) -> std::optional<Residency::Turn> {
      if (limit.passed()) return std::nullopt;
      if (own == own_end) {
        if (limit.checked_enough() && !awaited) return std::nullopt;
        own = next.fetch_add(piece);
        own_end = std::min(own + piece, turns);
      }
      if (own >= own_end || own * in_cluster > state.stop_behind.load()) return std::nullopt;
      const std::uint64_t position = own++;
      return Residency::Turn{position, order.at(position)};
    };
    const auto help = [&] {
      if (first && state.executed >= kWorthAThread && next < turns) call_helpers();
    };
    const auto ended = [&] {
      limit.one_more(state.executed);
      help();
    };
    Residency residency(state, next_block, ended, help);
    if (state.cooperative)
      residency.work_cooperative();
    else if (in_cluster > 1)
      residency.work_clusters();
    else
      residency.work();
  };
  {
    Helpers helpers(threads - 1, [&] { work(false); });
    call_helpers = [&] {
      state.several_threads = threads > 1;
      helpers.start();
    };
    helpers.also([&] { work(true); });
  }
  auto printed = state.printed.up_to(state.stop_behind);
  outcome.printed = std::move(printed.text);
  outcome.printed_all = printed.complete;
  outcome.said = std::move(state.said);
  if (limit.passed() && !state.finding) state.finding = limit.finding(function, launch);
  outcome.completed = !state.finding.has_value();
  outcome.children = state.children.take();
  outcome.work_done = limit.work(state.executed);
  if (outcome.completed && next < turns) outcome.rest = next;
  const bool whole = !outcome.rest && options.first_block == 0;
  outcome.by_memory_alone = outcome.completed && whole && !state.reaches_further && outcome.printed.empty();
  outcome.repeatable = outcome.completed && whole && !state.lasting_effect && outcome.printed.empty();
  outcome.findings = state.log.take();
  outcome.one_order = outcome.completed && whole && outcome.findings.empty() && options.check_accesses &&
                      !state.order_matters && !state.cooperative && in_cluster == 1 &&
                      outcome.printed.empty();
  if (watch) outcome.work = watch->work();
  if (state.finding) {
    // Threads that return before a barrier that others wait at are part of the divergent barrier already
    // reported.
    if (state.finding->kind == CauseKind::divergent_barrier)
      std::erase_if(outcome.findings, [](const Finding& each) { return each.kind == CauseKind::early_exit; });
    outcome.findings.push_back(std::move(*state.finding));
  }
  return outcome;
}

}  // namespace warpmark::simulator

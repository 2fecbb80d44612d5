#include "harness/simulator/device/runtime/grid_run.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/simulator/decode/names.h"

namespace warpmark::simulator {
namespace {

// Tells the user of a program that runs without checks why its kernel ended: a GPU would have gone on beyond
// the end of an array, and programs that look at no error go on here.
void tell_end(const wire::Finding& finding) {
  const std::string text =
      fmt::format("warpmark: {} in kernel {}, {}:{}: {}\nwarpmark: `warpmark run PROGRAM` says more\n",
                  rule_of(finding.kind).title, finding.kernel, finding.file, finding.line, finding.message);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

constexpr Address kTailStream = 3;  // value of the stream handle cudaStreamTailLaunch in device code

// Limit on the warp instructions of a whole launch, as a multiple of the limit on those executed with error
// checking. Unchecked code runs faster by about this factor, so that most of the time is still spent on
// checking.
constexpr std::uint64_t kUncheckedWork = 9;

// Divisor: the run that collects counters may execute 1/4 of the work limit of a checked run, because it
// comes last and uses one thread only.
constexpr std::uint64_t kCountedShare = 4;

cudaError_t error_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::out_of_bounds:
    case CauseKind::host_pointer:
    case CauseKind::use_after_free:
    case CauseKind::peer_access:
      return cudaErrorIllegalAddress;
    case CauseKind::misaligned:
      return cudaErrorMisalignedAddress;
    case CauseKind::deadlock:
    case CauseKind::endless_loop:
    case CauseKind::launch_limit:
      return cudaErrorLaunchTimeout;
    case CauseKind::unsupported:
      return cudaErrorNotSupported;
    default:  // e.g. a trap or a divergent barrier
      return cudaErrorLaunchFailure;
  }
}

// Prints a kernel's output on the CUDA program's stdout and stderr.
void show(Runtime& runtime, const Outcome& outcome, std::string_view kernel) {
  print_on_host(outcome.printed, outcome.said);
  if (!outcome.printed.empty()) runtime.notes.printed(kernel);
  if (!outcome.printed_all) {
    runtime.recorder.noted(kernel,
                           fmt::format("{} printed more than the {} bytes that a launch may print; the "
                                       "rest was dropped (cudaDeviceSetLimit(cudaLimitPrintfFifoSize, "
                                       "bytes) makes room)",
                                       kernel, runtime.print_bytes));
  }
}

std::vector<int> peers_of(const Runtime& runtime) {
  std::vector<int> peers;
  for (const auto& [device, peer] : runtime.peers) {
    if (device == runtime.device()) peers.push_back(peer);
  }
  return peers;
}

std::string symbol_at(const Runtime& runtime, Address address) {
  const RegisteredVariable* variable = runtime.variable_at(pointer_to(address));
  return variable == nullptr ? std::string() : variable_name(variable->mangled_name);
}

// Permission to skip a kernel launch and reuse the outcome of an identical earlier one. with_footprint: only
// if the earlier launch recorded the ranges it accessed. Launches that access host memory are never reused.
enum class Repeat : std::uint8_t { no, yes, with_footprint };

Outcome outcome_of(Runtime& runtime, const LaunchParameters& launch, const LaunchOptions& options,
                   Repeat repeat) {
  const bool with_footprint = repeat == Repeat::with_footprint;
  const Outcome* known = repeat == Repeat::no ? nullptr
                                              : runtime.repeated_launches.outcome_of(
                                                    launch, options, runtime.memory, with_footprint);
  if (known != nullptr) return *known;
  const auto run_it = [&] {
    const std::uint64_t before = runtime.memory.changes();
    Outcome outcome = run(launch, options, runtime.memory);
    if (options.check_accesses || options.count_work)
      runtime.checked_work.done(mangled_name(*launch.kernel), outcome.work_done);
    runtime.repeated_launches.ran(launch, options, outcome, before, runtime.memory, with_footprint);
    return outcome;
  };
  // Memoised launch results are replayed only for programs run with a limit on simulated work. Graded
  // submissions run without the limit: their kernels must really compute the output that is graded.
  if (repeat != Repeat::no && runtime.options().work_limit != 0)
    return runtime.remembered_launches.outcome_of(launch, options, runtime.memory, run_it);
  runtime.remembered_launches.another_ran();
  return run_it();
}

// Returns the kernel's -O2 code if it can share the __device__ variables of the -O0 code, so that a launch
// begun with error checking on -O0 code continues unchecked; otherwise returns `kernel` itself.
const Kernel* unchecked_code(Runtime& runtime, RegisteredModule& module, const Kernel* kernel) {
  const auto& checked = module.levels.at(runtime.slot_of(0));
  if (!checked || checked->find(mangled_name(*kernel)) != kernel) return kernel;
  const LoadedModule* beside = runtime.load_beside(module);
  const Kernel* found = beside == nullptr ? nullptr : beside->find(mangled_name(*kernel));
  return found != nullptr && is_simulated(*found) ? found : kernel;
}

Outcome joined(Outcome first, Outcome rest) {
  std::ranges::move(rest.findings, std::back_inserter(first.findings));
  std::ranges::move(rest.children, std::back_inserter(first.children));
  first.printed += rest.printed;
  first.printed_all = first.printed_all && rest.printed_all;
  first.said += rest.said;
  first.completed = rest.completed;
  return first;
}

// Runs a launch. Blocks beyond the budget for checking or counting run unchecked and uncounted.
Outcome checked_as_far_as_allowed(Runtime& runtime, RegisteredModule& module, LaunchParameters launch,
                                  LaunchOptions options, Repeat repeat) {
  const std::uint64_t allowed =
      options.check_accesses ? options.work_limit : options.work_limit / kCountedShare;
  if (!launch.cooperative || !options.check_accesses) options.work_limit *= kUncheckedWork;
  if ((!options.check_accesses && !options.count_work) || allowed == 0)
    return outcome_of(runtime, launch, options, repeat);
  Outcome checked;
  if (const std::uint64_t left = runtime.checked_work.left(mangled_name(*launch.kernel), allowed);
      left != 0) {
    const bool clusters = launch.cluster.x * launch.cluster.y * launch.cluster.z > 1;
    if (!launch.cooperative && !clusters) options.check_limit = left;
    checked = outcome_of(runtime, launch, options, repeat);
    if (!checked.rest) return checked;
  }
  runtime.recorder.say_rest_unchecked(display_name(*launch.kernel), allowed);
  options.check_accesses = false;
  options.count_work = options.short_turns = false;
  options.check_limit = 0;
  options.footprint = nullptr;
  options.first_block = checked.rest.value_or(0);
  launch.kernel = unchecked_code(runtime, module, launch.kernel);
  Outcome rest = outcome_of(runtime, launch, options, options.first_block == 0 ? Repeat::yes : Repeat::no);
  return checked.rest ? joined(std::move(checked), std::move(rest)) : rest;
}

cudaError_t run_grid(Runtime& runtime, RegisteredModule& module, const Grid& what,
                     const void* const* arguments, FootprintRecorder& footprint, AdoptedMemory& adopted,
                     bool is_child, std::vector<ChildLaunch>& children) {
  const Dim3 blocks{what.grid.x, what.grid.y, what.grid.z};
  const Dim3 threads{what.block.x, what.block.y, what.block.z};
  runtime.recorder.launched(what.name, blocks, threads, static_shared_bytes(*what.kernel) + what.shared_bytes,
                            is_of_library(*what.kernel));
  runtime.recorder.running(what.name, blocks, threads);
  const auto& options = runtime.options();
  runtime.host_writes.launching(runtime.memory, options.check_accesses != 0);
  runtime.heap.set_limit(runtime.heap_bytes);
  if (runtime.progress != nullptr)
    runtime.progress->launching(what.name, std::uint64_t{blocks.x} * blocks.y * blocks.z);
  const Order::Wanted wanted = runtime.order.recorded(options.check_accesses != 0);
  const std::unique_ptr<InjectedFaults> faults = runtime.fault_plan.of_next_launch(*what.kernel);
  Outcome outcome =
      checked_as_far_as_allowed(runtime, module,
                                {.kernel = what.kernel,
                                 .grid = blocks,
                                 .block = threads,
                                 .arguments = arguments,
                                 .dynamic_shared_bytes = what.shared_bytes,
                                 .device = runtime.device(),
                                 .peers = peers_of(runtime),
                                 .cooperative = what.cooperative,
                                 .cluster = what.cluster,
                                 .heap = &runtime.heap},
                                {.schedule = options.schedule,
                                 .instruction_budget = options.instruction_budget,
                                 .work_limit = options.work_limit,
                                 .host_threads = static_cast<unsigned>(std::max(options.host_threads, 0)),
                                 .check_accesses = options.check_accesses != 0,
                                 .count_work = options.count_work != 0,
                                 .keep_costly = options.keep_costly != 0,
                                 .short_turns = options.count_work != 0 && options.schedule != 0,
                                 .print_bytes = runtime.print_bytes,
                                 .footprint = wanted == Order::Wanted::nothing ? nullptr : &footprint,
                                 .bring = [&](const Allocation& allocation) { adopted.bring(allocation); },
                                 .symbol_at = [&](Address at) { return symbol_at(runtime, at); },
                                 .time_limit = options.time_limit,
                                 .faults = faults.get(),
                                 .begun = runtime.progress == nullptr ? nullptr : &runtime.progress->begun},
                                faults != nullptr              ? Repeat::no
                                : wanted != Order::Wanted::all ? Repeat::yes
                                : is_child                     ? Repeat::no
                                                               : Repeat::with_footprint);
  if (runtime.progress != nullptr) runtime.progress->ended();
  runtime.one_order.launched(outcome);
  if (outcome.work) {
    runtime.fault_plan.counted(std::move(outcome.work->executions));
    runtime.recorder.counted(*outcome.work);
  }
  for (wire::Finding finding : outcome.findings) {
    // A finding in a kernel of a library replacement (cuBLAS, thrust, ...) is located at the program's call
    // of the library function, because the kernel's own lines mean nothing to the user.
    if (what.name.starts_with(kLibraryKernel)) finding.frames = (what.site ? *what.site : call_site()).frames;
    runtime.recorder.found(std::move(finding));
  }
  show(runtime, outcome, what.name);
  children = std::move(outcome.children);
  if (outcome.completed) return cudaSuccess;
  if (runtime.progress != nullptr && !outcome.findings.empty()) tell_end(outcome.findings.back());
  cudaError_t error = cudaErrorLaunchFailure;
  if (!outcome.findings.empty()) error = error_of(outcome.findings.back().kind);
  if (!outcome.said.empty()) error = cudaErrorAssert;
  runtime.fail_for_good(error);
  return error;
}

}  // namespace

cudaError_t run_with_children(Runtime& runtime, RegisteredModule& module, const Grid& first,
                              const void* const* arguments, FootprintRecorder& footprint,
                              AdoptedMemory& adopted, const ShapeFault& fault_of) {
  // stack of child grids (dynamic parallelism) still to run; the last one runs next
  std::vector<ChildLaunch> waiting;
  const auto run_one = [&](const Grid& what, const void* const* values, bool is_child) {
    std::vector<ChildLaunch> children;
    const cudaError_t error = run_grid(runtime, module, what, values, footprint, adopted, is_child, children);
    std::stable_partition(children.begin(), children.end(),
                          [](const ChildLaunch& child) { return child.shape.stream != kTailStream; });
    std::move(children.rbegin(), children.rend(), std::back_inserter(waiting));
    return error;
  };
  cudaError_t error = run_one(first, arguments, false);
  const LoadedModule* loaded = waiting.empty() ? nullptr : runtime.load(module, runtime.level());
  while (error == cudaSuccess && !waiting.empty()) {
    const ChildLaunch child = std::move(waiting.back());
    waiting.pop_back();
    const Kernel* kernel = loaded == nullptr ? nullptr : loaded->find(mangled_name(*first.kernel, child));
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (const cudaError_t full = runtime.make_room_in_journal(); full != cudaSuccess) return full;
    const LaunchShape& shape = child.shape;
    const Grid what{kernel,
                    std::string(display_name(*kernel)),
                    {shape.grid.x, shape.grid.y, shape.grid.z},
                    {shape.block.x, shape.block.y, shape.block.z},
                    shape.shared_bytes,
                    false};
    const std::string fault = fault_of(*kernel, what.grid, what.block, what.shared_bytes);
    if (!fault.empty()) {
      runtime.recorder.found(
          CauseKind::cuda_error, what.name,
          fmt::format("{}, launched by {}, was not launched: {}", what.name, first.name, fault));
      continue;
    }
    error = run_one(what, arguments_of(*kernel, child).data(), true);
  }
  return error;
}

}  // namespace warpmark::simulator

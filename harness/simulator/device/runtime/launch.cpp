// Implements kernel launches: validation of the configuration, cooperative and cluster launches, occupancy.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/simulator/device/runtime/adopted.h"
#include "harness/simulator/device/runtime/cluster_launch.h"
#include "harness/simulator/device/runtime/grid_run.h"
#include "harness/simulator/device/runtime/handovers.h"
#include "harness/simulator/device/runtime/launch_faults.h"
#include "harness/simulator/device/runtime/runtime.h"
#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {
namespace {

std::size_t shared_limit(const RegisteredKernel& registered, std::size_t static_bytes) {
  return std::max(kSharedPerBlock, static_bytes + registered.dynamic_shared_limit);
}

std::string shared_fault(const RegisteredKernel& registered, std::size_t static_bytes,
                         std::size_t dynamic_bytes) {
  const std::size_t limit = shared_limit(registered, static_bytes);
  if (static_bytes > kSharedPerBlock) {
    return fmt::format(
        "its __shared__ arrays take {} bytes, and those of a block may take {} (48 KiB); make them smaller, "
        "or use dynamic shared memory (extern __shared__, up to {} bytes after cudaFuncSetAttribute(kernel, "
        "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes))",
        static_bytes, kSharedPerBlock, kSharedPerBlockOptIn);
  }
  if (static_bytes + dynamic_bytes <= limit) return {};
  return fmt::format(
      "{} bytes of static and {} of dynamic shared memory; a block has {} (dynamic shared memory up to {} "
      "after cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes))",
      static_bytes, dynamic_bytes, limit, kSharedPerBlockOptIn);
}

// Records the bytes of pinned and managed memory that a launch accessed, read or written, as one transfer per
// kind of memory: they cross the bus, and the host sees or makes them. Each launch counts anew, by whatever
// way the kernel got the address.
void note_host_memory(Runtime& runtime, const Footprint& footprint, std::size_t every_page) {
  std::uint64_t mapped = 0;
  std::uint64_t managed = 0;
  for (const auto* ranges :
       {&footprint.reads, &footprint.writes, &footprint.updates, &footprint.system_updates}) {
    for (const Range& range : *ranges) {
      if (runtime.memory.in_range(range.begin)) continue;
      const auto allocation = runtime.memory.find(range.begin);
      const bool is_managed = allocation && allocation->kind == Allocation::Kind::managed;
      (is_managed ? managed : mapped) += (range.end - range.begin) * every_page;
    }
  }
  const auto note = [&](wire::TransferKind kind, std::uint64_t bytes) {
    if (bytes > 0) runtime.recorder.transferred(wire::Direction::host_to_device, bytes, kind);
  };
  note(wire::TransferKind::mapped, mapped);
  note(wire::TransferKind::managed, managed);
}

// Limit on the bytes of a launch's arguments that count as pointers, sizes and small structs. More bytes can
// carry data, so they are recorded as a transfer at each launch.
constexpr std::size_t kUsualArguments = 128;

void note_arguments(Runtime& runtime, const Kernel& kernel) {
  std::size_t bytes = 0;
  for (const std::size_t size : parameter_sizes(kernel)) bytes += size;
  if (bytes <= kUsualArguments) return runtime.recorder.passed_beside(bytes);
  runtime.recorder.transferred(wire::Direction::host_to_device, bytes, wire::TransferKind::argument);
}

const RegisteredKernel* registered_kernel(const Runtime& runtime, const void* stub) {
  const auto found = runtime.kernels.find(stub);
  return found == runtime.kernels.end() ? nullptr : &found->second;
}

// Returns the decoded kernel in the code that launches use now (-O0 for checking, -O2 for counting); null,
// with a finding, if that code could not be loaded.
const Kernel* kernel_of(Runtime& runtime, const RegisteredKernel& registered) {
  // Kernels of the simulator's replacement libraries are checked as -O2 code, which is several times as fast
  // as -O0.
  constexpr std::size_t kCountingLevel = 1;
  const LoadedModule* module =
      runtime.load(*registered.module, registered.library_code ? kCountingLevel : runtime.level());
  return module != nullptr ? module->find(registered.mangled_name) : nullptr;
}

std::string kernel_name(Runtime& runtime, const void* stub) {
  const RegisteredKernel* registered = registered_kernel(runtime, stub);
  const Kernel* kernel = registered == nullptr ? nullptr : kernel_of(runtime, *registered);
  return kernel == nullptr ? "a kernel" : std::string(display_name(*kernel));
}

int active_blocks(std::size_t shared_bytes, int block_size) {
  const int whole_warps = std::max(block_size + 31, 32) / 32 * 32;
  const int by_threads = kThreadsPerMultiprocessor / whole_warps;
  const auto by_shared =
      static_cast<int>(kSharedPerMultiprocessor / (shared_bytes + kSharedReservedPerBlock));
  return std::min({by_threads, by_shared, kBlocksPerMultiprocessor});
}

// A launch whose configuration has been validated.
struct PreparedLaunch {
  RegisteredModule* module = nullptr;
  Grid grid;
  int device = 0;
};

// True if the program has volatile or atomic accesses outside shared memory, so that a kernel may poll for a
// write by the host or by another stream.
bool waits_for_others(const Program& program) {
  return std::any_of(program.code.begin(), program.code.end(), [](const Instruction& instruction) {
    return instruction.strong() && instruction.space != ptx::Space::shared;
  });
}

std::vector<std::vector<std::byte>> values_of(const Kernel& kernel, const void* const* arguments) {
  std::vector<std::vector<std::byte>> values;
  for (const std::size_t size : parameter_sizes(kernel)) {
    const auto* bytes = static_cast<const std::byte*>(arguments[values.size()]);
    values.emplace_back(bytes, bytes + size);
  }
  return values;
}

// Reports a launch on a stream of another device, and returns the launch's error.
cudaError_t refuse_stream(Runtime& runtime, const void* stub, cudaStream_t stream) {
  const std::string name = kernel_name(runtime, stub);
  const std::string reason = fmt::format(
      "its stream belongs to device {}, and device {} is chosen: call cudaSetDevice({}) before the launch",
      device_of(runtime, stream), runtime.device(), device_of(runtime, stream));
  runtime.notes.launching(name);
  if (!runtime.notes.because(reason))
    runtime.recorder.found(CauseKind::cuda_error, name, fmt::format("{} was not launched: {}", name, reason));
  return cudaErrorInvalidResourceHandle;
}

cudaError_t run_launch(Runtime& runtime, const PreparedLaunch& launch, const void* const* arguments,
                       QueuedWork work) {
  const Kernel& kernel = *launch.grid.kernel;
  note_arguments(runtime, kernel);
  note_launch(runtime, kernel, launch.grid.grid, launch.grid.block, launch.grid.shared_bytes, arguments);
  AdoptedMemory adopted(runtime.memory);
  const bool checked = runtime.options().check_accesses != 0;
  const Order::Wanted wanted = runtime.order.recorded(checked);
  FootprintRecorder footprint(runtime.memory, wanted == Order::Wanted::all);
  const auto fault_of = [](const Kernel& child, dim3 blocks, dim3 threads, std::size_t bytes) {
    const std::string wrong = shape_fault(blocks, threads);
    return wrong.empty() ? shared_fault({}, static_shared_bytes(child), bytes) : wrong;
  };
  const cudaError_t error =
      run_with_children(runtime, *launch.module, launch.grid, arguments, footprint, adopted, fault_of);
  adopted.give_back();
  if (wanted != Order::Wanted::nothing) {
    Footprint used = footprint.footprint(program_of(kernel));
    note_host_memory(runtime, used, footprint.every_page());
    note_host_contents(runtime, launch.grid.name, used);
    if (checked) work.uses(std::move(used));
  }
  if (!runtime.is_late()) runtime.notes.launched(work.stamp());
  work.done(false);
  return error;
}

cudaError_t launch(Runtime& runtime, const void* stub, dim3 grid, dim3 block, void** arguments,
                   std::size_t shared_bytes, cudaStream_t stream, bool cooperative = false,
                   Dim3 asked = {0, 0, 0}) {
  const RegisteredKernel* registered = registered_kernel(runtime, stub);
  if (registered == nullptr) return cudaErrorInvalidDeviceFunction;
  const Kernel* kernel = kernel_of(runtime, *registered);
  if (kernel == nullptr) return cudaErrorNotSupported;
  if (const cudaError_t full = runtime.make_room_in_journal(); full != cudaSuccess) return full;
  const std::string name(display_name(*kernel));
  runtime.notes.launching(name);
  const std::string shape = shape_fault(grid, block);
  const std::string shared = shared_fault(*registered, static_shared_bytes(*kernel), shared_bytes);
  const Dim3 own = cluster_of(*kernel);
  const bool has_clusters = blocks_of(asked) != 0 || blocks_of(own) != 0;
  const std::string clusters =
      has_clusters && shape.empty() ? cluster_fault(grid, asked, own, cooperative) : std::string();
  if (!shape.empty() || !shared.empty() || !clusters.empty()) {
    // A launch with an invalid configuration becomes an unchecked error, reported at the program's end only
    // if the program never reads the error; if unchecked errors are not recorded, it is reported as a finding
    // at once.
    const std::string& reason = !shape.empty() ? shape : !shared.empty() ? shared : clusters;
    if (!runtime.notes.because(reason))
      runtime.recorder.found(CauseKind::cuda_error, name,
                             fmt::format("{} was not launched: {}", name, reason));
    if (!shape.empty()) return cudaErrorInvalidConfiguration;
    return !shared.empty() ? cudaErrorInvalidValue : cudaErrorInvalidClusterSize;
  }
  const auto blocks_each = static_cast<std::uint64_t>(
      active_blocks(static_shared_bytes(*kernel) + shared_bytes, static_cast<int>(threads_of(block))));
  const std::uint64_t resident = kMultiprocessors * blocks_each;
  if (cooperative && std::uint64_t{grid.x} * grid.y * grid.z > resident) {
    runtime.recorder.found(
        CauseKind::cuda_error, name,
        fmt::format("{} was not launched: a cooperative launch of {} blocks, of which the device "
                    "can run {} at the same time "
                    "(cudaOccupancyMaxActiveBlocksPerMultiprocessor)",
                    name, std::uint64_t{grid.x} * grid.y * grid.z, resident));
    return cudaErrorCooperativeLaunchTooLarge;
  }
  PreparedLaunch prepared{.module = registered->module,
                          .grid = {kernel, name, grid, block, shared_bytes, cooperative,
                                   blocks_of(asked) != 0 ? asked
                                   : has_clusters        ? own
                                                         : Dim3{1, 1, 1}},
                          .device = runtime.device()};
  const QueuedWork work(runtime, stream, "kernel " + name, name);
  if (!runtime.is_late()) return run_launch(runtime, prepared, arguments, work);
  // A kernel that may communicate with the host while it runs cannot be deferred.
  if (waits_for_others(program_of(*kernel))) {
    runtime.catch_up();
    return run_launch(runtime, prepared, arguments, work);
  }
  if (name.starts_with(kLibraryKernel)) prepared.grid.site = call_site();
  return runtime.do_work(work.stamp(), [&runtime, prepared, work, values = values_of(*kernel, arguments)] {
    std::vector<const void*> places;
    places.reserve(values.size());
    for (const auto& value : values) places.push_back(value.data());
    const int chosen = runtime.device();
    runtime.choose(prepared.device);
    const cudaError_t error = run_launch(runtime, prepared, places.data(), work);
    runtime.choose(chosen);
    return error;
  });
}

}  // namespace

void note_host_access(Runtime& runtime, const Allocation& allocation) {
  const auto note = [&](wire::TransferKind kind) {
    runtime.recorder.transferred(wire::Direction::host_to_device, allocation.bytes, kind);
  };
  if (allocation.kind == Allocation::Kind::host_pinned) return note(wire::TransferKind::mapped);
  if (allocation.kind == Allocation::Kind::managed) note(wire::TransferKind::managed);
}

std::optional<std::vector<std::size_t>> parameters_of(Runtime& runtime, const void* stub) {
  const RegisteredKernel* registered = registered_kernel(runtime, stub);
  const Kernel* kernel = registered == nullptr ? nullptr : kernel_of(runtime, *registered);
  if (kernel == nullptr) return std::nullopt;
  return parameter_sizes(*kernel);
}

}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    if (device_of(runtime, stream) != runtime.device()) return refuse_stream(runtime, kernel, stream);
    const cudaError_t error = launch(runtime, kernel, grid, block, arguments, shared_bytes, stream);
    if (runtime.streams_used.is_elsewhere(stream)) {
      const std::string name = kernel_name(runtime, kernel);
      runtime.streams_used.queued(stream, fmt::format("the launch of {}", name),
                                  "kernel<<<blocks, threads, shared bytes, stream>>>", name);
    }
    return error;
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    if (device_of(runtime, stream) != runtime.device()) return refuse_stream(runtime, kernel, stream);
    return launch(runtime, kernel, grid, block, arguments, shared_bytes, stream, true);
  });
}

cudaError_t warpmark::simulator::launch_in_clusters(const void* kernel, dim3 grid, dim3 block, dim3 cluster,
                                                    void** arguments, std::size_t shared_bytes,
                                                    cudaStream_t stream, bool cooperative) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    if (device_of(runtime, stream) != runtime.device()) return refuse_stream(runtime, kernel, stream);
    return launch(runtime, kernel, grid, block, arguments, shared_bytes, stream, cooperative,
                  {cluster.x, cluster.y, cluster.z});
  });
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  return Runtime::call([=](Runtime& runtime) {
    const auto found = runtime.kernels.find(kernel);
    if (found == runtime.kernels.end()) return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout ||
        attribute == cudaFuncAttributeNonPortableClusterSizeAllowed ||
        attribute == cudaFuncAttributeClusterSchedulingPolicyPreference)
      return cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) return cudaErrorInvalidValue;
    const Kernel* decoded = kernel_of(runtime, found->second);
    if (decoded == nullptr) return cudaErrorNotSupported;
    if (static_shared_bytes(*decoded) + static_cast<std::size_t>(value) > kSharedPerBlockOptIn) {
      return cudaErrorInvalidValue;
    }
    found->second.dynamic_shared_limit = static_cast<std::size_t>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return Runtime::call([=](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const RegisteredKernel* registered = registered_kernel(runtime, kernel);
    if (registered == nullptr) return cudaErrorInvalidDeviceFunction;
    const Kernel* decoded = kernel_of(runtime, *registered);
    if (decoded == nullptr) return cudaErrorNotSupported;
    *attributes = {};
    attributes->sharedSizeBytes = static_shared_bytes(*decoded);
    attributes->maxThreadsPerBlock = kThreadsPerBlock;
    attributes->ptxVersion = 80;
    attributes->binaryVersion = 80;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(
        shared_limit(*registered, attributes->sharedSizeBytes) - attributes->sharedSizeBytes);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache /*config*/) {
  return Runtime::call([=](Runtime& runtime) {
    return registered_kernel(runtime, kernel) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache /*config*/) {
  return Runtime::call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int block_size,
                                                          size_t dynamic_shared_bytes) {
  return Runtime::call([=](Runtime& runtime) {
    if (blocks == nullptr || block_size < 1) return cudaErrorInvalidValue;
    const RegisteredKernel* registered = registered_kernel(runtime, kernel);
    if (registered == nullptr) return cudaErrorInvalidDeviceFunction;
    const Kernel* decoded = kernel_of(runtime, *registered);
    if (decoded == nullptr) return cudaErrorNotSupported;
    const std::size_t static_bytes = static_shared_bytes(*decoded);
    const bool possible =
        block_size <= kThreadsPerBlock && static_bytes + dynamic_shared_bytes <= kSharedPerBlockOptIn;
    *blocks = possible ? active_blocks(static_bytes + dynamic_shared_bytes, block_size) : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int /*flags*/) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic_shared_bytes);
}

// Returns the dynamic shared memory in bytes available per block if `blocks` blocks are resident on a
// multiprocessor.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks,
                                                      int block_size) {
  return Runtime::call([=](Runtime& runtime) {
    if (bytes == nullptr || blocks < 1 || block_size < 1 || block_size > kThreadsPerBlock)
      return cudaErrorInvalidValue;
    const RegisteredKernel* registered = registered_kernel(runtime, kernel);
    if (registered == nullptr) return cudaErrorInvalidDeviceFunction;
    const Kernel* decoded = kernel_of(runtime, *registered);
    if (decoded == nullptr) return cudaErrorNotSupported;
    if (blocks > active_blocks(0, block_size)) return cudaErrorInvalidValue;
    const std::size_t share = kSharedPerMultiprocessor / static_cast<std::size_t>(blocks);
    const std::size_t taken = kSharedReservedPerBlock + static_shared_bytes(*decoded);
    *bytes =
        std::min(kSharedPerBlockOptIn - static_shared_bytes(*decoded), share > taken ? share - taken : 0);
    return cudaSuccess;
  });
}

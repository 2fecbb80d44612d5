// State of the simulated CUDA runtime: the devices (initially one) and what the program has done with them.
// The devices share one address range; each has its own allocations, modules, streams and sticky error.
// | Theory of operation. Each function runs synchronously in the calling thread, under one lock; the order
// that streams and events impose is tracked separately (device/order/order.h). All functions go through
// call(), which implements CUDA's error rules: a sticky error (a kernel corrupted the device's context) is
// returned by every later call until cudaDeviceReset; any other error is kept per host thread until
// cudaGetLastError.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "harness/base/engine.h"
#include "harness/simulator/both/control.h"
#include "harness/simulator/both/fat_binary.h"
#include "harness/simulator/device/launch/fault_plan.h"
#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/device/launch/remembered_launches.h"
#include "harness/simulator/device/launch/repeated_launches.h"
#include "harness/simulator/device/order/late_work.h"
#include "harness/simulator/device/order/order.h"
#include "harness/simulator/device/runtime/checked_work.h"
#include "harness/simulator/device/runtime/host_notes.h"
#include "harness/simulator/device/runtime/host_side.h"
#include "harness/simulator/device/runtime/host_writes.h"
#include "harness/simulator/device/runtime/observation_recorder.h"
#include "harness/simulator/device/runtime/one_order.h"
#include "harness/simulator/device/runtime/progress.h"
#include "harness/simulator/device/runtime/stream_use.h"
#include "harness/simulator/engine/machine/device_heap.h"
#include "harness/simulator/engine/memory/device_memory.h"

// Definitions of the types that stream and event handles point to.
struct CUstream_st {
  int device = 0;
  unsigned int flags = 0;
  int priority = 0;
};
struct CUevent_st {
  std::optional<std::chrono::steady_clock::time_point> recorded;
  bool timed = true;
  int device = 0;
};

namespace warpmark::simulator {

// Limits of the simulated device: those of compute capability 8.0, for which the front end compiles.
inline constexpr int kThreadsPerMultiprocessor = 2048;
inline constexpr int kBlocksPerMultiprocessor = 32;
inline constexpr int kThreadsPerBlock = 1024;
inline constexpr Dim3 kLargestBlock{1024, 1024, 64};
inline constexpr Dim3 kLargestGrid{2147483647, 65535, 65535};
inline constexpr std::size_t kSharedPerBlock = 48 << 10;
inline constexpr std::size_t kSharedPerBlockOptIn = 163 << 10;
inline constexpr std::size_t kSharedPerMultiprocessor = 164 << 10;
inline constexpr std::size_t kSharedReservedPerBlock = 1 << 10;

// One .cu file of the program, as registered by the constructor that clang generates for the file. `levels`
// has the loaded code per code level (Runtime::level()) and device; each entry is loaded at first use. Levels
// 0 and 1 have separate __device__ variables; level 2 uses those of level 0.
struct RegisteredModule {
  const void* library = nullptr;  // base address of the executable or shared library that contains the module
  FatBinary images;
  std::array<std::unique_ptr<LoadedModule>, std::size_t{3} * kMostDevices> levels;
  // true: the -O0 code (level 0) and the -O2 code (level 2) cannot alternate on the same __device__ variables
  bool never_beside = false;
};

struct RegisteredKernel {
  RegisteredModule* module = nullptr;
  std::string mangled_name;
  // limit on the kernel's dynamic shared memory in bytes; 0: kSharedPerBlock less the static shared memory
  std::size_t dynamic_shared_limit = 0;
  // true for a kernel of a replacement library (such as thrust) that contains no code of the program
  bool library_code = false;
};

struct RegisteredVariable {
  RegisteredModule* module = nullptr;
  std::string mangled_name;
  std::size_t bytes = 0;
  bool managed = false;  // true for a __managed__ variable: host and device use the same memory
};

class Runtime {
 public:
  // Returns the singleton state of the CUDA runtime. It is never destroyed, because libraries unregister
  // their modules during exit, after static destructors would have run.
  static Runtime& instance();

  // Runs the body of a CUDA runtime function, body(runtime) -> cudaError_t, under the runtime's global lock.
  // If there is a sticky error, returns it instead.
  template <class Body>
  static cudaError_t call(Body&& body) noexcept;
  // True while this thread runs a host function enqueued on a stream and so holds the runtime's global lock.
  // CUDA calls made by the host function return cudaErrorNotPermitted.
  static inline thread_local bool in_host_function = false;
  // Runs body(runtime) under the runtime's global lock, without checking or setting CUDA errors.
  template <class Body>
  static auto locked(Body&& body);
  // Implements cudaGetLastError (forget is true) and cudaPeekAtLastError: returns this thread's last error. A
  // sticky error cannot be cleared.
  static cudaError_t last_error(bool forget) noexcept;

  // Returns the device's sticky error, ignoring per-thread last errors. For a client in another process,
  // which keeps the last errors of its threads itself.
  static cudaError_t sticky_error() noexcept;

  // have_devices() sets the number of devices, before their first use. choose() makes a device current;
  // returns false if it does not exist.
  void have_devices(int count);
  // Lets the program call the libraries with these letters (WarpmarkLibraryCall::library) and no others.
  void allow_libraries(std::string letters) { allowed_libraries_ = std::move(letters); }
  [[nodiscard]] bool may_call_library(char letter) const {
    return !allowed_libraries_ || allowed_libraries_->find(letter) != std::string::npos;
  }
  bool choose(int device);
  [[nodiscard]] int device() const { return device_; }
  [[nodiscard]] int devices() const { return devices_; }
  [[nodiscard]] bool has(int device) const { return device >= 0 && device < devices_; }

  void fail_for_good(cudaError_t error) {
    sticky() = error;
    order.forget_all();
    late_.forget();
  }
  // Forgets a sticky error; memory and modules stay as they are.
  void forgive() { sticky() = cudaSuccess; }
  // Called before each launch or copy. If the record of the program's launches and copies is full, reports a
  // finding and makes the device fail with a sticky error.
  cudaError_t make_room_in_journal();
  [[nodiscard]] bool failed_for_good() const {
    return sticky_.at(static_cast<std::size_t>(device_)) != cudaSuccess;
  }
  // Defers all stream work from now on until something waits for it, as a slow GPU would. Turns off race
  // detection between streams.
  void work_late() {
    works_late_ = true;
    order.be_quiet();
  }
  [[nodiscard]] bool is_late() const { return works_late_; }
  // Runs stream work at once or, if stream work is being deferred, queues it until something waits for it.
  // Deferred work can report a failure only by setting the device's sticky error.
  cudaError_t do_work(const Stamp& stamp, std::function<cudaError_t()> work);
  // Runs all deferred stream work.
  void catch_up() { late_.catch_up(); }
  [[nodiscard]] bool has_late_work() const { return !late_.empty(); }
  // Implements cudaDeviceReset: frees all allocations of this device and restores the initial state of its
  // modules.
  void reset();

  [[nodiscard]] const WarpmarkSimulatorOptions& options() const { return options_; }
  void configure(const WarpmarkSimulatorOptions& options);
  // Returns whether the allocation that begins at `begin` is freed, and the call stack with which the last
  // call of a graded function freed or allocated it.
  [[nodiscard]] WarpmarkMemoryHistory history_of(Address begin) const;
  // Register device code: a module, a kernel or variable of a module, as the constructors that clang
  // generates do. The module handle is opaque; null is invalid.
  void* add_module(const void* library, FatBinary images);
  bool add_kernel(void* module, const void* stub, std::string mangled_name);
  bool add_variable(void* module, const void* host_variable, std::string mangled_name, std::size_t bytes);
  // Returns the __device__ or __constant__ variable whose host shadow variable contains the host address;
  // null if there is none.
  [[nodiscard]] const RegisteredVariable* variable_at(const void* pointer) const;
  // Makes a __managed__ variable, which lies in host memory, accessible to kernels, and initialises it.
  bool manage(const void* host_variable);
  void remove_module(void* module);

  // Returns a module's code for optimisation `level` 0 (-O0) or 1 (-O2), loading it at first use; null, with
  // a finding, if that fails. Loads all files of the executable or library together, because they may call
  // each other's device functions.
  LoadedModule* load(RegisteredModule& module, std::size_t level);
  // Returns the module's -O2 code that shares the __device__ variables of the loaded -O0 code, so that a
  // launch can continue in it. Null if the -O0 code is not loaded or the two cannot run alternately.
  LoadedModule* load_beside(RegisteredModule& module);
  // Index of a module's loaded code for the current device: there are three code levels per device (-O0, -O2,
  // and -O2 code that shares the -O0 code's variables).
  [[nodiscard]] std::size_t slot_of(std::size_t level) const {
    return 3 * static_cast<std::size_t>(device_) + level;
  }
  // Returns the level of code that launches use: 0 is -O0 code for checking, 1 is -O2 code for counting.
  // (Level 2 is -O2 code that shares the variables of level 0.)
  [[nodiscard]] std::size_t level() const { return options_.checking != 0 ? 0 : 1; }

  const std::unique_ptr<DeviceMemory> pages = make_device_memory();
  DeviceMemory& memory = *pages;
  DeviceHeap heap{memory};
  ObservationRecorder recorder;
  HostNotes notes;
  StreamUse streams_used;
  LaunchProgress* progress = nullptr;  // null: nobody is told of long launches
  HostWrites host_writes;
  RepeatedLaunches repeated_launches;
  RememberedLaunches remembered_launches;
  Order order{memory};
  OneOrder one_order;
  // registered kernels, keyed by the address of their host stub
  std::map<const void*, RegisteredKernel> kernels;
  // registered variables, keyed by the address of their host shadow variable
  std::map<const void*, RegisteredVariable> variables;
  std::map<void*, std::unique_ptr<RegisteredModule>> modules;
  std::map<cudaStream_t, std::unique_ptr<CUstream_st>> streams;
  std::map<cudaEvent_t, std::unique_ptr<CUevent_st>> events;
  std::size_t print_bytes = kPrintBytes;  // bytes of a launch's printf buffer: cudaLimitPrintfFifoSize
  std::size_t stack_bytes = 1024;
  std::size_t heap_bytes = std::size_t{8} << 20;
  // Three device limits that cudaDeviceSetLimit and cudaDeviceGetLimit store and return, but that have no
  // effect in the simulator.
  std::size_t pending_launches = 2048;
  std::size_t l2_fetch_bytes = 64;
  std::size_t persisting_l2_bytes = 0;
  std::set<std::pair<int, int>> peers;  // pairs (device, peer device whose memory the device may access)
  CheckedWork checked_work;
  FaultPlan fault_plan;

 private:
  Runtime() = default;
  // Loads all files of an executable or library as -O0 or -O2 code (`level`) and returns the module of the
  // first file. `places` has, per file, the addresses of variables that are already allocated.
  LoadedModule* load_all(const std::vector<RegisteredModule*>& program, std::size_t level,
                         std::vector<VariablePlaces> places);
  static cudaError_t remember(cudaError_t error) noexcept;
  // Completes a CUDA runtime function whose body returned `error`: runs deferred stream work that is due,
  // records a failure, and updates the watchpoints on host memory. Returns the function's return value.
  cudaError_t finish(cudaError_t error);

  cudaError_t& sticky() { return sticky_.at(static_cast<std::size_t>(device_)); }

  std::mutex mutex_;
  bool works_late_ = false;
  std::optional<std::string> allowed_libraries_;  // letters; nullopt: the program may call all
  LateWork late_;
  int device_ = 0;
  int devices_ = 1;
  std::array<cudaError_t, kMostDevices> sticky_{};
  WarpmarkSimulatorOptions options_{.checking = 1,
                                    .schedule = 0,
                                    .instruction_budget = 0,
                                    .host_threads = 0,
                                    .check_accesses = 1,
                                    .count_work = 0,
                                    .keep_costly = 0,
                                    .note_handovers = 0,
                                    .work_limit = 0,
                                    .time_limit = 0,
                                    .faults = 0,
                                    .fault_group = 0,
                                    .fault_seed = 0,
                                    .without_faults = 0,
                                    .forgives = 0,
                                    .devices = 0};
};

template <class Body>
auto Runtime::locked(Body&& body) {
  Runtime& runtime = instance();
  const std::lock_guard lock(runtime.mutex_);
  return body(runtime);
}

template <class Body>
cudaError_t Runtime::call(Body&& body) noexcept {
  if (in_host_function) return cudaErrorNotPermitted;
  try {
    return locked([&](Runtime& runtime) {
      const OpenHost open(runtime);
      runtime.order.streams.called_by(host_thread());
      if (runtime.sticky() == cudaSuccess) return runtime.finish(body(runtime));
      runtime.notes.answered();
      return runtime.sticky();
    });
  } catch (const std::bad_alloc&) {
    return remember(cudaErrorMemoryAllocation);
  } catch (const std::exception&) {
    // A C++ exception other than bad_alloc means that the operating system refused a resource (such as a
    // thread).
    return remember(cudaErrorInitializationError);
  }
}

// Implements a CUDA runtime function that only returns `value` through its output parameter `to`.
template <class T>
cudaError_t answer(T* to, T value) {
  return Runtime::call([=](Runtime&) {
    if (to == nullptr) return cudaErrorInvalidValue;
    *to = value;
    return cudaSuccess;
  });
}

// Tracks one stream work item: the constructor enqueues the item, done() checks its memory accesses for races
// with other work.
class QueuedWork {
 public:
  // Starts tracking stream work. `name` is the runtime function for messages, e.g. "cudaMemcpyAsync";
  // `kernel` is the kernel's name for a launch, else empty.
  QueuedWork(Runtime& runtime, cudaStream_t stream, std::string name, std::string kernel = {});
  void reads(const void* pointer, std::size_t bytes) { add(work_.footprint.reads, pointer, bytes); }
  void writes(const void* pointer, std::size_t bytes) { add(work_.footprint.writes, pointer, bytes); }
  void uses(Footprint footprint) { work_.footprint = std::move(footprint); }
  // Completes the record of a launch, copy or memset and checks it for races with other stream work.
  // host_waits: the runtime function is synchronous, so the host waits for the work.
  void done(bool host_waits);
  [[nodiscard]] const Stamp& stamp() const { return work_.stamp; }

 private:
  static void add(std::vector<Range>& to, const void* pointer, std::size_t bytes);
  Runtime& runtime_;
  DeviceWork work_;
};

// True if the handle is null, cudaStreamLegacy, cudaStreamPerThread or a live stream.
bool is_stream(const Runtime& runtime, cudaStream_t stream);
// Returns the stream's device; for a default stream, the current device.
int device_of(const Runtime& runtime, cudaStream_t stream);

// Returns the simulator's host pointer to device-accessible memory [pointer, pointer + bytes). Returns null,
// with a finding that names `function`, if the range is not within one live allocation.
std::byte* device_bytes(Runtime& runtime, std::string_view function, const void* pointer, std::size_t bytes);

// Records a transfer if a kernel may access host memory, as if the whole allocation crossed the bus: at each
// launch for mapped memory, once for managed memory, whose pages migrate.
void note_host_access(Runtime& runtime, const Allocation& allocation);

// Returns the sizes in bytes of a registered kernel's parameters, or nullopt if there is no such kernel.
std::optional<std::vector<std::size_t>> parameters_of(Runtime& runtime, const void* stub);

inline void* pointer_to(Address address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): device addresses are host ones
  return reinterpret_cast<void*>(address);
}

}  // namespace warpmark::simulator

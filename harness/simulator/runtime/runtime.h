// The state behind the CUDA runtime functions: the simulated devices, one at first, and what this process has
// done with them. They share one range of addresses; each has allocations, modules, streams and a sticky
// error of its own.
//
// Theory of operation. Everything runs at the call, in the calling thread, under one lock; what streams and
// events order is kept beside it (order/order.h). Every function goes through call(), which keeps CUDA's
// rules for errors: a sticky error (the device lost its context to a kernel that did something forbidden)
// answers every later call until cudaDeviceReset; any other error is remembered a thread, until
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

#include "harness/simulator/front_end/fat_binary.h"
#include "harness/simulator/launch/launch.h"
#include "harness/simulator/launch/remembered_launches.h"
#include "harness/simulator/launch/repeated_launches.h"
#include "harness/simulator/machine/device_heap.h"
#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/order/late_work.h"
#include "harness/simulator/order/order.h"
#include "harness/simulator/runtime/checked_work.h"
#include "harness/simulator/runtime/control.h"
#include "harness/simulator/runtime/host_notes.h"
#include "harness/simulator/runtime/host_side.h"
#include "harness/simulator/runtime/host_writes.h"
#include "harness/simulator/runtime/journal.h"
#include "harness/simulator/runtime/one_order.h"
#include "harness/simulator/runtime/stream_use.h"

// What the handles point to.
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

// The device that a program finds. Limits are those of compute capability 8.0, which the front end compiles
// for.
inline constexpr int kThreadsPerMultiprocessor = 2048;
inline constexpr int kBlocksPerMultiprocessor = 32;
inline constexpr int kThreadsPerBlock = 1024;
inline constexpr Dim3 kLargestBlock{1024, 1024, 64};
inline constexpr Dim3 kLargestGrid{2147483647, 65535, 65535};
inline constexpr std::size_t kSharedPerBlock = 48 << 10;
inline constexpr std::size_t kSharedPerBlockOptIn = 163 << 10;
inline constexpr std::size_t kSharedPerMultiprocessor = 164 << 10;
inline constexpr std::size_t kSharedReservedPerBlock = 1 << 10;

// One .cu file of the program, as its constructor registers it. Each level is loaded when first used, with
// its own copy of the __device__ variables but for level 2, and so again for each device.
struct RegisteredModule {
  const void* library = nullptr;  // names the program or shared library that holds it
  FatBinary images;
  std::array<std::unique_ptr<Module>, std::size_t{3} * kMostDevices> levels;
  bool never_beside = false;  // its code cannot run at two levels in turns
};

struct RegisteredKernel {
  RegisteredModule* module = nullptr;
  std::string mangled_name;
  std::size_t dynamic_shared_limit = 0;  // 0: what is left of kSharedPerBlock
  bool library_code = false;             // of ours, with nothing of the program's in it
};

struct RegisteredVariable {
  RegisteredModule* module = nullptr;
  std::string mangled_name;
  std::size_t bytes = 0;
  bool managed = false;  // both sides use the host's
};

class Runtime {
 public:
  // Never destroyed: a library unregisters its modules after our own statics would be gone.
  static Runtime& instance();

  // Runs one runtime function, body(runtime) -> cudaError_t, under the lock, unless there is a sticky error.
  template <class Body>
  static cudaError_t call(Body&& body) noexcept;
  // Whether this thread is in a function that stands in a stream: it may call none of CUDA's
  // (cudaErrorNotPermitted), and the lock is held.
  static inline thread_local bool in_host_function = false;
  // The same without CUDA's rules for errors.
  template <class Body>
  static auto locked(Body&& body);
  // What the last failed call returned; a sticky error cannot be forgotten.
  static cudaError_t last_error(bool forget) noexcept;

  // The sticky error alone, for a program that keeps the errors of its threads itself.
  static cudaError_t sticky_error() noexcept;

  // How many devices there are, at the begin; and which one the calls that follow are about. False where
  // there is none of that number.
  void have_devices(int count);
  bool choose(int device);
  [[nodiscard]] int device() const { return device_; }
  [[nodiscard]] int devices() const { return devices_; }
  [[nodiscard]] bool has(int device) const { return device >= 0 && device < devices_; }

  void fail_for_good(cudaError_t error) {
    sticky() = error;
    order.forget_all();
    late_.forget();
  }
  // Before a launch or copy: ends the program when what it has made is more than a record holds.
  cudaError_t make_room_in_journal();
  [[nodiscard]] bool failed_for_good() const {
    return sticky_.at(static_cast<std::size_t>(device_)) != cudaSuccess;
  }
  // Work on streams is done when something waits for it, not at the call.
  void work_late() {
    works_late_ = true;
    order.be_quiet();
  }
  [[nodiscard]] bool is_late() const { return works_late_; }
  // Does it now, or when something waits for it. Then its errors are those of the device.
  cudaError_t do_work(const Stamp& stamp, std::function<cudaError_t()> work);
  // Everything that was queued, whether something waits for it or not.
  void catch_up() { late_.catch_up(); }
  [[nodiscard]] bool has_late_work() const { return !late_.empty(); }
  // Frees all that the program allocated on this device and gives every module there its initial state:
  // cudaDeviceReset.
  void reset();

  [[nodiscard]] const WarpmarkSimulatorOptions& options() const { return options_; }
  void configure(const WarpmarkSimulatorOptions& options);
  // What the last call did with memory that begins there.
  [[nodiscard]] WarpmarkMemoryHistory history_of(Address begin) const;
  // Device code as clang's constructors register it. The handle is the module's name; null is none.
  void* add_module(const void* library, FatBinary images);
  bool add_kernel(void* module, const void* stub, std::string mangled_name);
  bool add_variable(void* module, const void* host_variable, std::string mangled_name, std::size_t bytes);
  // Gives the variable, which is the host's, the value that it begins with, and lets kernels use it.
  bool manage(const void* host_variable);
  void remove_module(void* module);

  // The code of a level; null, with a finding, when it cannot be loaded. All files of a program or library
  // are loaded together, because they may call each other's device functions.
  Module* load(RegisteredModule& module, std::size_t level);
  // Level 2; null where level 0 is not loaded or the two cannot run in turns.
  Module* load_beside(RegisteredModule& module);
  // Of a level on the present device, in RegisteredModule::levels.
  [[nodiscard]] std::size_t slot_of(std::size_t level) const {
    return 3 * static_cast<std::size_t>(device_) + level;
  }
  // Levels: 0 checking, 1 counting, 2 the code of 1 on the variables of 0.
  [[nodiscard]] std::size_t level() const { return options_.checking != 0 ? 0 : 1; }

  const std::unique_ptr<DeviceMemory> pages = make_device_memory();
  DeviceMemory& memory = *pages;
  DeviceHeap heap{memory};
  Journal journal;
  HostNotes notes;
  StreamUse streams_used;
  HostWrites host_writes;
  RepeatedLaunches repeated_launches;
  RememberedLaunches remembered_launches;
  Order order{memory};
  OneOrder one_order;
  std::map<const void*, RegisteredKernel> kernels;      // by the address of their stub
  std::map<const void*, RegisteredVariable> variables;  // by the address of their shadow in the host
  std::map<void*, std::unique_ptr<RegisteredModule>> modules;
  std::map<cudaStream_t, std::unique_ptr<CUstream_st>> streams;
  std::map<cudaEvent_t, std::unique_ptr<CUevent_st>> events;
  std::size_t print_bytes = kPrintBytes;  // of a launch: cudaLimitPrintfFifoSize
  std::size_t stack_bytes = 1024;
  std::size_t heap_bytes = std::size_t{8} << 20;
  std::size_t pending_launches = 2048;  // like the next two kept only to be returned
  std::size_t l2_fetch_bytes = 64;
  std::size_t persisting_l2_bytes = 0;
  std::set<std::pair<int, int>> peers;  // devices, and the ones whose memory they may reach
  CheckedWork checked_work;
  std::set<Address> managed_seen;  // managed memory whose way to the device is in the journal already

 private:
  Runtime() = default;
  // The first of these files; all of them are loaded. places: a file each, of variables that lie already.
  Module* load_all(const std::vector<RegisteredModule*>& program, std::size_t level,
                   std::vector<VariablePlaces> places);
  static cudaError_t remember(cudaError_t error) noexcept;
  // What a runtime function returns, when its body came to this.
  cudaError_t finish(cudaError_t error);

  cudaError_t& sticky() { return sticky_.at(static_cast<std::size_t>(device_)); }

  std::mutex mutex_;
  bool works_late_ = false;
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
                                    .work_limit = 0,
                                    .time_limit = 0,
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
    return remember(cudaErrorInitializationError);  // the machine refused what the device is made of
  }
}

// What a function does that only gives a value.
template <class T>
cudaError_t answer(T* to, T value) {
  return Runtime::call([=](Runtime&) {
    if (to == nullptr) return cudaErrorInvalidValue;
    *to = value;
    return cudaSuccess;
  });
}

// Looks on at one piece of work on a stream: begins it, and holds what it used against other work.
class QueuedWork {
 public:
  // name: as a message says it, "cudaMemcpyAsync". kernel: that it launches, else empty.
  QueuedWork(Runtime& runtime, cudaStream_t stream, std::string name, std::string kernel = {});
  void reads(const void* pointer, std::size_t bytes) { add(work_.footprint.reads, pointer, bytes); }
  void writes(const void* pointer, std::size_t bytes) { add(work_.footprint.writes, pointer, bytes); }
  void uses(Footprint footprint) { work_.footprint = std::move(footprint); }
  // All of it is known. The host waits for it, or goes on.
  void done(bool host_waits);
  [[nodiscard]] const Stamp& stamp() const { return work_.stamp; }

 private:
  static void add(std::vector<Range>& to, const void* pointer, std::size_t bytes);
  Runtime& runtime_;
  DeviceWork work_;
};

// Null, the legacy stream, a thread's own one, or a live one.
bool is_stream(const Runtime& runtime, cudaStream_t stream);
// The device of one: a default stream is the present device's.
int device_of(const Runtime& runtime, cudaStream_t stream);

// Where the simulator reaches [pointer, pointer + bytes) of memory that kernels can use; null, with a finding
// that names the function, when it is not all in one live allocation.
std::byte* device_bytes(Runtime& runtime, std::string_view function, const void* pointer, std::size_t bytes);

// Sizes in bytes of a registered kernel's parameters; empty when there is no such kernel.
std::optional<std::vector<std::size_t>> parameters_of(Runtime& runtime, const void* stub);

inline void* pointer_to(Address address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): device addresses are host ones
  return reinterpret_cast<void*>(address);
}

}  // namespace warpmark::simulator

// The host side for unit tests, where the program and the device are the same process.
#include "harness/simulator/device/runtime/host_side.h"

#include <atomic>
#include <cstdio>
#include <cstring>

#include "harness/simulator/device/runtime/runtime.h"
#include "harness/simulator/program/fault.h"
#include "harness/simulator/program/watched_memory.h"

namespace warpmark::simulator {

// Never destroyed: a signal handler may use it until the process ends.
static WatchedMemory& watched_memory() {
  static auto* memory = new WatchedMemory;
  return *memory;
}

bool read_host(void* here, const void* there, std::size_t bytes) {
  std::memmove(here, there, bytes);
  return true;
}

bool write_host(void* there, const void* here, std::size_t bytes) {
  std::memmove(there, here, bytes);
  return true;
}

bool move_in_host(void* to, const void* from, std::size_t bytes) {
  std::memmove(to, from, bytes);
  return true;
}

void print_on_host(std::string_view on_stdout, std::string_view on_stderr) {
  std::fwrite(on_stdout.data(), 1, on_stdout.size(), stdout);
  std::fwrite(on_stderr.data(), 1, on_stderr.size(), stderr);
}

HostThread host_thread() {
  static std::atomic<std::uint32_t> threads{0};
  thread_local const std::uint32_t number = ++threads;
  return {number, false};
}

void call_on_host(const HostFunction& function) {
  if (function.callback) {
    reinterpret_cast<cudaStreamCallback_t>(function.function)(  // NOLINT(performance-no-int-to-ptr)
        static_cast<cudaStream_t>(pointer_to(function.stream)), cudaSuccess, pointer_to(function.argument));
  } else {
    reinterpret_cast<cudaHostFn_t>(function.function)(  // NOLINT(performance-no-int-to-ptr)
        pointer_to(function.argument));
  }
}

void watch_host(std::span<const Watch> watches) {
  watched_memory().watch(watches);
  watched_memory().open_for_library();
}

void begin_function(Runtime& runtime) {
  for (const EarlyAccess& early : watched_memory().take()) {
    const auto* const begin = early.frames.begin();
    runtime.order.host_accessed(early.access, early.begin, early.end,
                                {early.function.data(), {begin, begin + early.frame_count}},
                                runtime.recorder);
  }
  // Kernels run on threads of this process, so they need the watched pages to be accessible.
  WatchedMemory::enter_library();
  watched_memory().open_for_library();
}

void end_function() {
  WatchedMemory::leave_library();
}

std::unique_ptr<DeviceMemory> make_device_memory() {
  auto memory = std::make_unique<DeviceMemory>();
  // The device's address range begins with the shared-memory window.
  explain_faults(memory->shared_window(), memory->range_bytes());
  return memory;
}

}  // namespace warpmark::simulator

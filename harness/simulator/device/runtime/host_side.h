// Interface of the simulated device to the CUDA program that uses it. There are two implementations, chosen
// at link time: the program is another process (device/program.cpp) or the same process
// (tests/simulator/in_process/).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "harness/simulator/both/host_function.h"
#include "harness/simulator/both/host_watch.h"
#include "harness/simulator/device/order/streams.h"
#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

class Runtime;

// Copy bytes between the memory of the CUDA program's process (`there`) and the simulated device's process
// (`here`), or within the program's memory. Return false if the program has exited.
bool read_host(void* here, const void* there, std::size_t bytes);
bool write_host(void* there, const void* here, std::size_t bytes);
bool move_in_host(void* to, const void* from, std::size_t bytes);

// Prints on the CUDA program's stdout and stderr, in order with the program's own output.
void print_on_host(std::string_view on_stdout, std::string_view on_stderr);

// Returns the program's host thread that made the current runtime call.
HostThread host_thread();
// Makes the program's process call a host function that was enqueued on a stream.
void call_on_host(const HostFunction& function);

// Sets the watches on host memory that pending device work uses, to detect premature host accesses
// (both/host_watch.h).
void watch_host(std::span<const Watch> watches);
// Hooks at the beginning and end of each CUDA runtime function. They track which threads are inside of one if
// program and simulated device share a process, and are no-ops otherwise.
void begin_function(Runtime& runtime);
void end_function();

class OpenHost {
 public:
  explicit OpenHost(Runtime& runtime) { begin_function(runtime); }
  OpenHost(const OpenHost&) = delete;
  OpenHost& operator=(const OpenHost&) = delete;
  ~OpenHost() { end_function(); }
};

std::unique_ptr<DeviceMemory> make_device_memory();

}  // namespace warpmark::simulator

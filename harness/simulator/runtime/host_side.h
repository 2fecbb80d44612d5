// The program that uses the device, as a runtime function sees it from the device's side. Two
// implementations, chosen by linking: the program is another process (device/program.cpp), or this one
// (in_process/).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/order/host_function.h"
#include "harness/simulator/order/streams.h"
#include "harness/simulator/order/watch.h"

namespace warpmark::simulator {

class Runtime;

// Between memory of the program and ours. False when the program is gone.
bool read_host(void* here, const void* there, std::size_t bytes);
bool write_host(void* there, const void* here, std::size_t bytes);
bool move_in_host(void* to, const void* from, std::size_t bytes);

// On the program's own streams, in order with what it writes itself.
void print_on_host(std::string_view on_stdout, std::string_view on_stderr);

// Who made the runtime call at hand.
HostThread host_thread();
// Has the program call a function that stands in a stream.
void call_on_host(const HostFunction& function);

// Memory of the program that device work uses: what it does there too early is seen (order/watch.h).
void watch_host(std::span<const Watch> watches);
// Around a runtime function, where the program is this process.
void begin_function(Runtime& runtime);
void end_function();

class OpenHost {
 public:
  explicit OpenHost(Runtime& runtime) { begin_function(runtime); }
  OpenHost(const OpenHost&) = delete;
  OpenHost& operator=(const OpenHost&) = delete;
  ~OpenHost() { end_function(); }
};

// The memory of the one device.
std::unique_ptr<DeviceMemory> make_device_memory();

}  // namespace warpmark::simulator

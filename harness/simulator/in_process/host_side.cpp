// The program is this process: unit tests.
#include "harness/simulator/runtime/host_side.h"

#include <cstdio>
#include <cstring>

#include "harness/simulator/runtime/awaited_copies.h"
#include "harness/simulator/runtime/fault.h"

namespace warpmark::simulator {

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

void await_copy(Address target, std::size_t bytes) {
  AwaitedCopies::begins(target, bytes);
}

void copies_arrived() {
  AwaitedCopies::arrived();
}

void begin_function(Journal& journal) {
  if (const auto early = AwaitedCopies::open()) journal.found_early(early->written, early->site);
}

void end_function() {
  AwaitedCopies::close();
}

std::unique_ptr<DeviceMemory> make_device_memory() {
  auto memory = std::make_unique<DeviceMemory>();
  // The range begins with a window.
  explain_faults(memory->shared_window(), memory->range_bytes());
  return memory;
}

}  // namespace warpmark::simulator

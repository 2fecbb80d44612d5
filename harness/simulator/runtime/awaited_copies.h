// Asynchronous copies to the host that nothing has waited for: on a GPU their bytes may not be there yet.
// Here they are, but the memory is protected until something waits, so that an access that comes too early is
// seen. All of this happens in the program's process.
#pragma once

#include <cstddef>
#include <optional>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/runtime/call_site.h"

namespace warpmark::simulator {

struct EarlyAccess {
  bool written = false;
  CallSite site;
};

class AwaitedCopies {
 public:
  // A copy into pinned memory of whole pages.
  static void begins(Address target, std::size_t bytes);
  // The program waited for the device, or for one of its streams.
  static void arrived();

  // Around a runtime function: the memory is open while it is at work. Returns an access that came too early.
  static std::optional<EarlyAccess> open();
  static void close();

  // For the fault handler: whether this was such an access, which may be made again now.
  static bool let_pass(Address address, bool written, const void* instruction);
};

}  // namespace warpmark::simulator

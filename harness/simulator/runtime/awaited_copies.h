// Asynchronous copies to the host that nothing has waited for: on a GPU their bytes may not be there yet.
// Here they are, but the memory is protected until something waits, so that an access that comes too early is
// seen.
#pragma once

#include <cstddef>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/runtime/journal.h"

namespace warpmark::simulator {

class AwaitedCopies {
 public:
  // A copy into pinned memory of whole pages.
  void begins(Address target, std::size_t bytes);
  // The program waited for the device, or for one of its streams.
  void arrived();

  // While the runtime itself is at work: the memory is open. At its begin accesses that came too early are
  // told.
  class Pause {
   public:
    Pause(AwaitedCopies& copies, Journal& journal);
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause();

   private:
    AwaitedCopies& copies_;
  };

  // For the fault handler: whether this was such an access, which may be made again now.
  static bool let_pass(Address address, bool written, const void* instruction);

 private:
  void tell(Journal& journal);
};

}  // namespace warpmark::simulator

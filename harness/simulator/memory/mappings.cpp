#include "harness/simulator/memory/mappings.h"

#include <sys/mman.h>

#include "harness/base/error.h"

namespace warpmark::simulator {

std::byte* map_device_bytes() {
  void* view = mmap(nullptr, kDeviceMemoryBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (view == MAP_FAILED) throw_errno("reserve device memory");
  return static_cast<std::byte*>(view);
}

std::byte* reserve_addresses(std::byte* where, std::size_t bytes) {
  const int fixed = where == nullptr ? 0 : MAP_FIXED_NOREPLACE;
  void* range = mmap(where, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (range == MAP_FAILED || (where != nullptr && range != where)) throw_errno("reserve device addresses");
  return static_cast<std::byte*>(range);
}

}  // namespace warpmark::simulator

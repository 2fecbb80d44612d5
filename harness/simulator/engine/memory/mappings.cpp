#include "harness/simulator/engine/memory/mappings.h"

#include <cstring>

#include <sys/mman.h>

#include "harness/base/error.h"

namespace warpmark::simulator {

std::byte* map_device_bytes() {
  void* view = mmap(nullptr, kDeviceMemoryBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (view == MAP_FAILED) throw_errno("reserve device memory");
  // Kernels read columns of large matrices: with small pages, each row is a miss of the host's TLB. Fails
  // without harm where the system has no huge pages.
  madvise(view, kDeviceMemoryBytes, MADV_HUGEPAGE);
  return static_cast<std::byte*>(view);
}

void zero(void* begin, std::size_t bytes) {
  // Bytes up to which memset is cheaper than dropping pages and faulting them in again.
  constexpr std::size_t kInPlace = std::size_t{4} << 20;
  if (bytes <= kInPlace) {
    std::memset(begin, 0, bytes);
    return;
  }
  const std::size_t to_page = (kPage - address_of(begin) % kPage) % kPage;
  const std::size_t whole = (bytes - to_page) / kPage * kPage;
  auto* first = static_cast<std::byte*>(begin);
  std::memset(first, 0, to_page);
  madvise(first + to_page, whole, MADV_DONTNEED);
  std::memset(first + to_page + whole, 0, bytes - to_page - whole);
}

void give_back(void* begin, std::size_t bytes) {
  const Address first = round_up(address_of(begin), kPage);
  const Address last = (address_of(begin) + bytes) / kPage * kPage;
  if (first < last) madvise(as_pointer(first), last - first, MADV_DONTNEED);
}

std::byte* reserve_addresses(std::byte* where, std::size_t bytes) {
  const int fixed = where == nullptr ? 0 : MAP_FIXED_NOREPLACE;
  void* range = mmap(where, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (range == MAP_FAILED || (where != nullptr && range != where)) throw_errno("reserve device addresses");
  return static_cast<std::byte*>(range);
}

}  // namespace warpmark::simulator

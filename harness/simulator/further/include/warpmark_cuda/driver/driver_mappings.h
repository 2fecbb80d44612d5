// The driver API's virtual memory management: address ranges, allocation handles, and mappings.
// Simplification: each reserved range has its own memory from the start, and mapping a handle copies the
// handle's contents into the range. If a handle is mapped twice, the mappings do not share memory: the latest
// one is current, and the earlier one keeps a copy.
#pragma once

#include "warpmark_cuda/driver/driver_table.h"

namespace warpmark_driver {

inline constexpr size_t kGranularity = (size_t)2 << 20;

struct Created {
  CUmemAllocationProp properties;
  size_t bytes;
  CUdeviceptr at;  // device address of the latest mapping of a cuMemCreate allocation; 0 while unmapped
  void* kept;      // contents of a cuMemCreate allocation while it is unmapped; null if never written
  unsigned mappings;
  bool released;
};
struct Mapping {
  size_t bytes;
  CUmemGenericAllocationHandle handle;
};

struct VirtualMemory {
  bool taken = false;
  Table<size_t> reserved;  // address ranges from cuMemAddressReserve, by begin address
  Table<Mapping> mapped;   // current cuMemMap mappings, by begin address
  Table<Created> created;  // by handle
  CUmemGenericAllocationHandle last = 0;

  // True if the address range [pointer, pointer + bytes) consists of complete cuMemMap mappings without gaps,
  // as cuMemUnmap and cuMemSetAccess require.
  bool covers(CUdeviceptr pointer, size_t bytes) const {
    CUdeviceptr next = pointer;
    for (size_t at = mapped.not_below(pointer); at < mapped.count() && mapped[at].key == next; ++at) {
      next += mapped[at].value.bytes;
      if (next >= pointer + bytes) break;
    }
    return bytes != 0 && next == pointer + bytes;
  }
  void forget_unused(CUmemGenericAllocationHandle handle) {
    const Created* known = created.find(handle);
    if (!known->released || known->mappings != 0) return;
    if (known->kept != nullptr) (void)::cudaFree(known->kept);
    created.remove(created.not_below(handle));
  }
};
inline VirtualMemory& virtual_memory() {
  static VirtualMemory all;
  return all;
}

inline CUresult copy(void* to, const void* from, size_t bytes) {
  return (CUresult)::cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

}  // namespace warpmark_driver

inline CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                              CUmemAllocationGranularity_flags /*which*/) {
  if (bytes == nullptr || properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *bytes = warpmark_driver::kGranularity;
  return CUDA_SUCCESS;
}

// cuMemAddressReserve: reserves an address range. The requested alignment and address are hints, which are
// ignored.
inline CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t /*alignment*/,
                                    CUdeviceptr /*wanted*/, unsigned long long flags) {
  if (pointer == nullptr || bytes == 0 || bytes % warpmark_driver::kGranularity != 0 || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  auto& all = warpmark_driver::virtual_memory();
  const warpmark_driver::Lock lock(all.taken);
  void* range = nullptr;
  const cudaError_t error = ::cudaMalloc(&range, bytes);
  if (error != cudaSuccess) return (CUresult)error;
  *pointer = (CUdeviceptr)range;
  all.reserved.add(*pointer, bytes);
  return CUDA_SUCCESS;
}

inline CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes) {
  auto& all = warpmark_driver::virtual_memory();
  const warpmark_driver::Lock lock(all.taken);
  const size_t* reserved = all.reserved.find(pointer);
  const size_t next = all.mapped.not_below(pointer);
  const bool is_mapped = next < all.mapped.count() && all.mapped[next].key < pointer + bytes;
  if (reserved == nullptr || *reserved != bytes || is_mapped) return CUDA_ERROR_INVALID_VALUE;
  all.reserved.remove(all.reserved.not_below(pointer));
  return (CUresult)::cudaFree((void*)pointer);
}

inline CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                            const CUmemAllocationProp* properties, unsigned long long flags) {
  if (handle == nullptr || properties == nullptr || bytes == 0 || flags != 0 ||
      bytes % warpmark_driver::kGranularity != 0 || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  auto& all = warpmark_driver::virtual_memory();
  const warpmark_driver::Lock lock(all.taken);
  *handle = ++all.last;
  CUmemAllocationProp granted = *properties;
  // cuMemCreate grants no compression, as the simulated device has none
  granted.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
  all.created.add(*handle, {granted, bytes, 0, nullptr, 0, false});
  return CUDA_SUCCESS;
}

inline CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  auto& all = warpmark_driver::virtual_memory();
  const warpmark_driver::Lock lock(all.taken);
  warpmark_driver::Created* known = all.created.find(handle);
  if (known == nullptr || known->released) return CUDA_ERROR_INVALID_VALUE;
  known->released = true;
  all.forget_unused(handle);
  return CUDA_SUCCESS;
}

inline CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                       CUmemGenericAllocationHandle handle) {
  auto& all = warpmark_driver::virtual_memory();
  const warpmark_driver::Lock lock(all.taken);
  const warpmark_driver::Created* known = all.created.find(handle);
  if (properties == nullptr || known == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *properties = known->properties;
  return CUDA_SUCCESS;
}

inline CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset,
                         CUmemGenericAllocationHandle handle, unsigned long long flags) {
  auto& all = warpmark_driver::virtual_memory();
  const warpmark_driver::Lock lock(all.taken);
  warpmark_driver::Created* known = all.created.find(handle);
  const auto* range = all.reserved.find_before(pointer);
  if (known == nullptr || known->released || range == nullptr || offset != 0 || flags != 0 ||
      bytes != known->bytes || pointer + bytes > range->key + range->value)
    return CUDA_ERROR_INVALID_VALUE;
  const size_t next = all.mapped.not_below(pointer);
  if (next < all.mapped.count() && all.mapped[next].key < pointer + bytes) return CUDA_ERROR_INVALID_VALUE;
  if (next > 0 && all.mapped[next - 1].key + all.mapped[next - 1].value.bytes > pointer)
    return CUDA_ERROR_INVALID_VALUE;
  warpmark_driver::Created& memory = *known;
  const void* from = memory.at != 0 ? (const void*)memory.at : memory.kept;
  CUresult result = CUDA_SUCCESS;
  if (from != nullptr) result = warpmark_driver::copy((void*)pointer, from, bytes);
  if (memory.kept != nullptr) (void)::cudaFree(memory.kept);
  memory.kept = nullptr;
  memory.at = pointer;
  ++memory.mappings;
  all.mapped.add(pointer, {bytes, handle});
  return result;
}

// cuMemUnmap: the range must consist of complete mappings; part of a mapping cannot be unmapped.
inline CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes) {
  auto& all = warpmark_driver::virtual_memory();
  const warpmark_driver::Lock lock(all.taken);
  if (!all.covers(pointer, bytes)) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = CUDA_SUCCESS;
  const size_t first = all.mapped.not_below(pointer);
  while (first < all.mapped.count() && all.mapped[first].key < pointer + bytes) {
    const CUdeviceptr begin = all.mapped[first].key;
    const warpmark_driver::Mapping mapping = all.mapped[first].value;
    all.mapped.remove(first);
    warpmark_driver::Created& memory = *all.created.find(mapping.handle);
    --memory.mappings;
    if (memory.at == begin) {
      memory.at = 0;
      if (!memory.released && ::cudaMalloc(&memory.kept, mapping.bytes) == cudaSuccess)
        result = warpmark_driver::copy(memory.kept, (const void*)begin, mapping.bytes);
    }
    all.forget_unused(mapping.handle);
  }
  return result;
}

// cuMemSetAccess checks its arguments and has no other effect, because the simulator does not simulate access
// protection.
inline CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* access,
                               size_t count) {
  auto& all = warpmark_driver::virtual_memory();
  const warpmark_driver::Lock lock(all.taken);
  return access != nullptr && count != 0 && all.covers(pointer, bytes) ? CUDA_SUCCESS
                                                                       : CUDA_ERROR_INVALID_VALUE;
}

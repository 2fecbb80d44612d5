// The driver's virtual memory: ranges of addresses, memory behind handles, and which of it is mapped where. A
// range has bytes of its own as soon as it is reserved; mapping a handle brings what it holds there. Of a
// handle that is mapped twice the last mapping has the bytes; the earlier one keeps a copy.
#pragma once

#include <iterator>
#include <map>
#include <mutex>

namespace warpmark_driver {

inline constexpr size_t kGranularity = (size_t)2 << 20;

struct Created {
  CUmemAllocationProp properties;
  size_t bytes;
  CUdeviceptr at;  // where it was mapped last; 0: nowhere
  void* kept;      // what it holds while it is mapped nowhere; null: nobody has set it
  unsigned mappings;
  bool released;
};
struct Mapping {
  size_t bytes;
  CUmemGenericAllocationHandle handle;
};

struct VirtualMemory {
  std::mutex mutex;
  std::map<CUdeviceptr, size_t> reserved;
  std::map<CUdeviceptr, Mapping> mapped;
  std::map<CUmemGenericAllocationHandle, Created> created;
  CUmemGenericAllocationHandle last = 0;

  // The mappings that the bytes are made of begin and end where these do.
  bool covers(CUdeviceptr pointer, size_t bytes) const {
    CUdeviceptr next = pointer;
    for (auto each = mapped.find(pointer); each != mapped.end() && each->first == next; ++each) {
      next += each->second.bytes;
      if (next >= pointer + bytes) break;
    }
    return bytes != 0 && next == pointer + bytes;
  }
  void forget_unused(CUmemGenericAllocationHandle handle) {
    const Created& known = created[handle];
    if (!known.released || known.mappings != 0) return;
    if (known.kept != nullptr) (void)::cudaFree(known.kept);
    created.erase(handle);
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

// alignment, wanted: hints; the range lies elsewhere.
inline CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t /*alignment*/,
                                    CUdeviceptr /*wanted*/, unsigned long long flags) {
  if (pointer == nullptr || bytes == 0 || bytes % warpmark_driver::kGranularity != 0 || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  auto& all = warpmark_driver::virtual_memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  void* range = nullptr;
  const cudaError_t error = ::cudaMalloc(&range, bytes);
  if (error != cudaSuccess) return (CUresult)error;
  *pointer = (CUdeviceptr)range;
  all.reserved[*pointer] = bytes;
  return CUDA_SUCCESS;
}

inline CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes) {
  auto& all = warpmark_driver::virtual_memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto range = all.reserved.find(pointer);
  const auto mapping = all.mapped.lower_bound(pointer);
  const bool is_mapped = mapping != all.mapped.end() && mapping->first < pointer + bytes;
  if (range == all.reserved.end() || range->second != bytes || is_mapped) return CUDA_ERROR_INVALID_VALUE;
  all.reserved.erase(range);
  return (CUresult)::cudaFree((void*)pointer);
}

inline CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                            const CUmemAllocationProp* properties, unsigned long long flags) {
  if (handle == nullptr || properties == nullptr || bytes == 0 || flags != 0 ||
      bytes % warpmark_driver::kGranularity != 0 || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  auto& all = warpmark_driver::virtual_memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  *handle = ++all.last;
  all.created[*handle] = {*properties, bytes, 0, nullptr, 0, false};
  // The device compresses nothing, as it says itself.
  all.created[*handle].properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
  return CUDA_SUCCESS;
}

inline CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  auto& all = warpmark_driver::virtual_memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto known = all.created.find(handle);
  if (known == all.created.end() || known->second.released) return CUDA_ERROR_INVALID_VALUE;
  known->second.released = true;
  all.forget_unused(handle);
  return CUDA_SUCCESS;
}

inline CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                       CUmemGenericAllocationHandle handle) {
  auto& all = warpmark_driver::virtual_memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto known = all.created.find(handle);
  if (properties == nullptr || known == all.created.end()) return CUDA_ERROR_INVALID_VALUE;
  *properties = known->second.properties;
  return CUDA_SUCCESS;
}

inline CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset,
                         CUmemGenericAllocationHandle handle, unsigned long long flags) {
  auto& all = warpmark_driver::virtual_memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto known = all.created.find(handle);
  auto range = all.reserved.upper_bound(pointer);
  const auto next = all.mapped.lower_bound(pointer);
  if (known == all.created.end() || known->second.released || range == all.reserved.begin() || offset != 0 ||
      flags != 0 || bytes != known->second.bytes)
    return CUDA_ERROR_INVALID_VALUE;
  --range;
  if (pointer + bytes > range->first + range->second ||
      (next != all.mapped.end() && next->first < pointer + bytes))
    return CUDA_ERROR_INVALID_VALUE;
  if (next != all.mapped.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second.bytes > pointer) return CUDA_ERROR_INVALID_VALUE;
  }
  warpmark_driver::Created& memory = known->second;
  const void* from = memory.at != 0 ? (const void*)memory.at : memory.kept;
  CUresult result = CUDA_SUCCESS;
  if (from != nullptr) result = warpmark_driver::copy((void*)pointer, from, bytes);
  if (memory.kept != nullptr) (void)::cudaFree(memory.kept);
  memory.kept = nullptr;
  memory.at = pointer;
  ++memory.mappings;
  all.mapped[pointer] = {bytes, handle};
  return result;
}

// Whole mappings.
inline CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes) {
  auto& all = warpmark_driver::virtual_memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.covers(pointer, bytes)) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = CUDA_SUCCESS;
  for (auto each = all.mapped.find(pointer); each != all.mapped.end() && each->first < pointer + bytes;) {
    const auto [begin, mapping] = *each;
    each = all.mapped.erase(each);
    warpmark_driver::Created& memory = all.created[mapping.handle];
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

// Whoever reaches the range may read and write it.
inline CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* access,
                               size_t count) {
  auto& all = warpmark_driver::virtual_memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return access != nullptr && count != 0 && all.covers(pointer, bytes) ? CUDA_SUCCESS
                                                                       : CUDA_ERROR_INVALID_VALUE;
}

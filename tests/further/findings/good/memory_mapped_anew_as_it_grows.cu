// An array that grows: what it has is mapped into a larger range of addresses, behind it new memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != CUDA_SUCCESS) std::exit(2)
#define CHECK_RUNTIME(call) \
  if ((call) != cudaSuccess) std::exit(3)

__global__ void count_up(int* values, int from, int to) {
  const int i = from + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < to) values[i] = i;
}

class Growing {
 public:
  explicit Growing(int device) {
    properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties_.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties_.location.id = device;
    CHECK(cuMemGetAllocationGranularity(&step_, &properties_, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  }
  ~Growing() {
    clear();
    for (const auto handle : pieces_) CHECK(cuMemRelease(handle));
  }
  void grow() {
    CUmemGenericAllocationHandle piece;
    CHECK(cuMemCreate(&piece, step_, &properties_, 0));
    CUdeviceptr larger;
    const std::size_t bytes = (pieces_.size() + 1) * step_;
    CHECK(cuMemAddressReserve(&larger, bytes, 0, 0, 0));
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      CHECK(cuMemMap(larger + i * step_, step_, 0, pieces_[i], 0));
    CHECK(cuMemMap(larger + pieces_.size() * step_, step_, 0, piece, 0));
    CUmemAccessDesc access = {};
    access.location = properties_.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemSetAccess(larger, bytes, &access, 1));
    clear();
    begin_ = larger;
    pieces_.push_back(piece);
  }
  int* data() const { return reinterpret_cast<int*>(begin_); }
  int size() const { return static_cast<int>(pieces_.size() * step_ / sizeof(int)); }

 private:
  void clear() {
    if (begin_ == 0) return;
    CHECK(cuMemUnmap(begin_, pieces_.size() * step_));
    CHECK(cuMemAddressFree(begin_, pieces_.size() * step_));
  }
  CUmemAllocationProp properties_ = {};
  std::size_t step_ = 0;
  CUdeviceptr begin_ = 0;
  std::vector<CUmemGenericAllocationHandle> pieces_;
};

int main() {
  CHECK_RUNTIME(cudaFree(nullptr));
  int is_there = 0;
  CHECK(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  int wrong = is_there != 1;
  {
    Growing array(0);
    for (int step = 0; step < 3; ++step) {
      const int before = array.size();
      array.grow();
      const int added = array.size() - before;
      count_up<<<(added + 255) / 256, 256>>>(array.data(), before, array.size());
      CHECK_RUNTIME(cudaGetLastError());
    }
    std::vector<int> values(array.size());
    CHECK_RUNTIME(
        cudaMemcpy(values.data(), array.data(), values.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < array.size(); ++i) wrong += values[i] != i;
  }
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}

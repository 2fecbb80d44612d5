#include "harness/worker/device_buffer.h"

#include <stdexcept>

#include <fmt/format.h>

namespace warpmark {

void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    throw std::runtime_error(
        fmt::format("{}: {} ({})", what, cudaGetErrorName(status), cudaGetErrorString(status)));
  }
}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (data_ != nullptr) static_cast<void>(cudaFree(data_));
}

DeviceBuffer allocate(std::size_t bytes) {
  void* data = nullptr;
  if (bytes != 0) require(cudaMalloc(&data, bytes), "cudaMalloc");
  return {data, bytes};
}

}  // namespace warpmark

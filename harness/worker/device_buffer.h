// Ownership of device memory that the worker process allocates itself or takes over from the student's upload
// function.
#pragma once

#include <cstddef>
#include <utility>

#include <cuda_runtime.h>

namespace warpmark {

// Throws std::runtime_error with the CUDA error's name and text unless status is cudaSuccess. For CUDA calls
// that the harness makes; such an error is not necessarily the student's fault.
void require(cudaError_t status, const char* what);

// Owns device memory of the worker process and frees it on destruction.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Allocates uninitialised device memory; 0 bytes give an empty buffer. Throws std::runtime_error if
// cudaMalloc fails.
DeviceBuffer allocate(std::size_t bytes);

}  // namespace warpmark

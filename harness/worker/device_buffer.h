// Device memory that the worker itself allocates or takes over from an upload.
#pragma once

#include <cstddef>
#include <utility>

#include <cuda_runtime.h>

namespace warpmark {

// Throws std::runtime_error with the error's name and text. For CUDA calls of the harness itself: an error
// here is not necessarily the submission's fault.
void require(cudaError_t status, const char* what);

// Owns device memory and frees it on destruction.
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

// Allocates uninitialised device memory; 0 bytes yield an empty buffer. Throws like require().
DeviceBuffer allocate(std::size_t bytes);

}  // namespace warpmark

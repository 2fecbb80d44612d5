// Device memory that the worker itself allocates or takes over from an upload.
#pragma once

#include <cstddef>
#include <utility>

#include <cuda_runtime.h>

namespace warpmark {

// Throws std::runtime_error with the name and text of the error for what the harness asked CUDA for itself:
// not by itself the submission's fault.
void require(cudaError_t status, const char* what);

// Device memory, given back at the end.
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

// Memory with undefined contents; none for 0 bytes. Throws as `require` does.
DeviceBuffer allocate(std::size_t bytes);

}  // namespace warpmark

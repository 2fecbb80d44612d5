// Implements pitched (2D) memory: rows of `width` bytes at a distance of `pitch` bytes. A 2D copy or memset
// is done row by row, so that each row is checked and reported like any other range.
#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

constexpr std::size_t kPitchAlignment = 512;

bool pitches_fit(std::size_t width, std::size_t height, std::initializer_list<std::size_t> pitches) {
  for (const std::size_t pitch : pitches) {
    if (height > 1 && pitch < width) return false;
  }
  return true;
}

template <class Row>
cudaError_t each_row(std::size_t height, Row row) {
  for (std::size_t y = 0; y < height; ++y) {
    if (const cudaError_t error = row(y); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

template <class Copy>
cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, Copy copy) {
  if (!pitches_fit(width, height, {to_pitch, from_pitch}))
    return Runtime::call([](Runtime&) { return cudaErrorInvalidPitchValue; });
  // A 2D copy whose rows have no padding is one contiguous copy and is recorded as a single transfer.
  if (to_pitch == width && from_pitch == width) return copy(to, from, width * height);
  return each_row(height, [=](std::size_t y) {
    return copy(static_cast<char*>(to) + y * to_pitch, static_cast<const char*>(from) + y * from_pitch,
                width);
  });
}

template <class Set>
cudaError_t set_rows(void* pointer, std::size_t pitch, std::size_t width, std::size_t height, Set set) {
  if (!pitches_fit(width, height, {pitch}))
    return Runtime::call([](Runtime&) { return cudaErrorInvalidPitchValue; });
  return each_row(height, [=](std::size_t y) { return set(static_cast<char*>(pointer) + y * pitch); });
}

}  // namespace
}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pointer == nullptr || pitch == nullptr || width > kDeviceMemoryBytes || height > kDeviceMemoryBytes)
    return Runtime::call([](Runtime&) { return cudaErrorInvalidValue; });
  *pitch = round_up(width, kPitchAlignment);
  if (*pitch != 0 && height > kDeviceMemoryBytes / *pitch)
    return Runtime::call([](Runtime&) { return cudaErrorMemoryAllocation; });
  return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height,
                   [=](void* row_to, const void* row_from, std::size_t bytes) {
                     return cudaMemcpy(row_to, row_from, bytes, kind);
                   });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height,
                   [=](void* row_to, const void* row_from, std::size_t bytes) {
                     return cudaMemcpyAsync(row_to, row_from, bytes, kind, stream);
                   });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return set_rows(pointer, pitch, width, height, [=](void* row) { return cudaMemset(row, value, width); });
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return set_rows(pointer, pitch, width, height,
                  [=](void* row) { return cudaMemsetAsync(row, value, width, stream); });
}

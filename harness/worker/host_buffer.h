// Host memory into which student code writes its results, with an inaccessible page behind its end.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace warpmark {

// Deleter of a std::unique_ptr to pages that mmap() returned.
struct UnmapPages {
  std::size_t bytes = 0;
  void operator()(std::byte* pages) const;
};

// Owns memory whose end lies at a page that may not be accessed, so that a write past the end is a fault at
// the line that makes it.
class HostBuffer {
 public:
  // Allocates a host buffer and copies `contents` into it. Throws std::system_error if the memory cannot be
  // allocated.
  explicit HostBuffer(std::span<const std::byte> contents);

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<std::byte, UnmapPages> pages_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace warpmark

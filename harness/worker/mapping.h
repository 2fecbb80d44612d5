// Memory that the judge process and the worker process share, passed as file descriptors with a request.
#pragma once

#include <cstddef>
#include <span>

#include "harness/base/file.h"

namespace warpmark {

// Owns a memory mapping of the whole file behind a descriptor. The constructor throws std::runtime_error if
// mmap fails.
class Mapping {
 public:
  // Maps the file behind a descriptor. protection: PROT_READ for a private mapping of the input; PROT_READ |
  // PROT_WRITE for a shared mapping of the results, which the judge process reads.
  Mapping(const UniqueFd& fd, int protection);
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

// Returns the only descriptor of a request. Throws std::runtime_error unless there is exactly one.
const UniqueFd& only(std::span<const UniqueFd> descriptors);

}  // namespace warpmark

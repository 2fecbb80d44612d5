// Memory shared by the judge and the worker through the file descriptors of a request.
#pragma once

#include <cstddef>
#include <span>

#include "harness/base/file.h"

namespace warpmark {

// Maps the whole file behind a descriptor and unmaps it on destruction. Throws std::runtime_error if mmap
// fails.
class Mapping {
 public:
  // protection: PROT_READ, or PROT_READ | PROT_WRITE for a shared mapping whose contents the judge reads.
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

// Returns the descriptor of a request that must have exactly one; throws std::runtime_error otherwise.
const UniqueFd& only(std::span<const UniqueFd> descriptors);

}  // namespace warpmark

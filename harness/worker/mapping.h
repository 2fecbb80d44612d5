// Memory that the judge and the worker share: the files behind the descriptors of a request.
#pragma once

#include <cstddef>
#include <span>

#include "harness/base/file.h"

namespace warpmark {

// A descriptor's bytes, mapped while this lives. Throws std::runtime_error when they cannot be mapped.
class Mapping {
 public:
  // protection: PROT_READ, or PROT_READ | PROT_WRITE for a mapping that the judge sees written.
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

// The descriptor of a request that needs exactly one; throws std::runtime_error otherwise.
const UniqueFd& only(std::span<const UniqueFd> descriptors);

}  // namespace warpmark

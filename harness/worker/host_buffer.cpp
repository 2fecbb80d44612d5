#include "harness/worker/host_buffer.h"

#include <algorithm>

#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/error.h"

namespace warpmark {

void UnmapPages::operator()(std::byte* pages) const {
  ::munmap(pages, bytes);
}

HostBuffer::HostBuffer(std::span<const std::byte> contents) : bytes_(contents.size()) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t usable = (bytes_ + page - 1) / page * page;
  void* const mapped =
      ::mmap(nullptr, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw_errno("mmap");
  pages_ = {static_cast<std::byte*>(mapped), UnmapPages{usable + page}};
  if (::mprotect(pages_.get() + usable, page, PROT_NONE) != 0) throw_errno("mprotect");
  data_ = pages_.get() + (usable - bytes_);
  std::ranges::copy(contents, data_);
}

}  // namespace warpmark

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/base/file.h"

namespace warpmark {

namespace {

std::byte* map(void* where, std::size_t bytes, int protection, int flags, int fd) {
  void* data = mmap(where, bytes, protection, flags, fd, 0);
  if (data == MAP_FAILED) throw_errno("cannot map shared memory");
  return static_cast<std::byte*>(data);
}

// Returns the bytes that can be allocated without the OOM killer ending a process, by the kernel's estimate;
// the maximum if /proc/meminfo does not have it.
std::size_t available_bytes() {
  constexpr std::string_view kName = "MemAvailable:";
  const Result<std::string> text = read_file("/proc/meminfo");
  const std::size_t at = text ? text->find(kName) : std::string::npos;
  if (at == std::string::npos) return std::numeric_limits<std::size_t>::max();
  return std::strtoull(text->c_str() + at + kName.size(), nullptr, 10) * 1024;
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes)
    : fd_(memfd_create("warpmark", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (!fd_) throw_errno("cannot make shared memory");
  if (bytes == 0) return;
  // Checks the free memory before allocating: with overcommit a too large allocation would succeed, and the
  // OOM killer would end processes later.
  if (bytes > available_bytes()) {
    throw std::system_error(ENOMEM, std::generic_category(), "cannot allocate shared memory");
  }
  if (ftruncate(fd_.get(), static_cast<off_t>(bytes)) != 0) throw_errno("cannot size shared memory");
  // Allocates the shared memory's pages now (posix_fallocate): if memory ran out at first touch, the process
  // would get SIGBUS instead of an exception.
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(fd_.get(), 0, static_cast<off_t>(bytes));
  if (error != 0 && error != EOPNOTSUPP && error != EINVAL) {
    throw std::system_error(error, std::generic_category(), "cannot allocate shared memory");
  }
  data_ = map(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get());
  size_ = bytes;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::move(other.fd_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  if (this != &other) {
    if (data_ != nullptr) munmap(data_, size_);
    fd_ = std::move(other.fd_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

PrivateView::PrivateView(const SharedMemory& memory) : size_(memory.size()) {
  if (size_ != 0) data_ = map(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, memory.fd());
}

PrivateView::~PrivateView() {
  if (data_ != nullptr) munmap(data_, size_);
}

void SharedMemory::seal_size() {
  if (fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    throw_errno("cannot seal shared memory");
}

void SharedMemory::seal_contents() {
  if (fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) != 0)
    throw_errno("cannot seal shared memory");
}

}  // namespace warpmark

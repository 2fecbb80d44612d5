#include "harness/simulator/device/judge_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <sys/stat.h>

namespace warpmark::simulator {

JudgeBytes::Mapped::Mapped(int file, int protection) {
  struct stat status {};
  failed_ = fstat(file, &status) != 0;
  if (failed_ || status.st_size == 0) return;
  const auto size = static_cast<std::size_t>(status.st_size);
  const int flags = protection == PROT_READ ? MAP_PRIVATE : MAP_SHARED;
  void* mapped = mmap(nullptr, size, protection, flags, file, 0);
  failed_ = mapped == MAP_FAILED;
  if (!failed_) bytes_ = {static_cast<std::byte*>(mapped), size};
}

JudgeBytes::Mapped& JudgeBytes::Mapped::operator=(Mapped&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(failed_, other.failed_);
  return *this;
}

JudgeBytes::Mapped::~Mapped() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

JudgeBytes& JudgeBytes::instance() {
  static JudgeBytes bytes;
  return bytes;
}

bool JudgeBytes::stage(const UniqueFd& source, const UniqueFd& target) {
  const std::lock_guard lock(mutex_);
  source_ = source ? Mapped(source.get(), PROT_READ) : Mapped();
  target_ = target ? Mapped(target.get(), PROT_READ | PROT_WRITE) : Mapped();
  count_ = {};
  return !source_.failed() && !target_.failed();
}

std::size_t JudgeBytes::source_bytes() const {
  const std::lock_guard lock(mutex_);
  return source_.bytes().size();
}

bool JudgeBytes::take(std::span<std::byte> to) {
  const std::lock_guard lock(mutex_);
  const std::size_t size = source_.bytes().size();
  if (to.size() > size) return false;
  if (to.empty()) return true;
  const std::size_t at = count_.taken % size;
  const std::size_t first = std::min(to.size(), size - at);
  std::memcpy(to.data(), source_.bytes().data() + at, first);
  std::memcpy(to.data() + first, source_.bytes().data(), to.size() - first);
  count_.taken += to.size();
  return true;
}

bool JudgeBytes::save(std::span<const std::byte> from) {
  const std::lock_guard lock(mutex_);
  if (from.size() > target_.bytes().size() - count_.saved) return false;
  if (!from.empty()) std::memcpy(target_.bytes().data() + count_.saved, from.data(), from.size());
  count_.saved += from.size();
  return true;
}

JudgeBytes::Count JudgeBytes::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

}  // namespace warpmark::simulator

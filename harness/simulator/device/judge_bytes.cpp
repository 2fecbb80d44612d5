#include "harness/simulator/device/judge_bytes.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace warpmark::simulator {
namespace {

// Returns the file's size in bytes: 0 for an invalid descriptor, nullopt if the size cannot be read.
std::optional<std::size_t> size_of(const UniqueFd& file) {
  if (!file) return 0;
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return std::nullopt;
  return static_cast<std::size_t>(status.st_size);
}

bool read_at(int file, std::span<std::byte> to, std::size_t offset) {
  while (!to.empty()) {
    const ssize_t got = pread(file, to.data(), to.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to = to.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::size_t>(got);
  }
  return true;
}

bool write_at(int file, std::span<const std::byte> from, std::size_t offset) {
  while (!from.empty()) {
    const ssize_t put = pwrite(file, from.data(), from.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from = from.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace

JudgeBytes& JudgeBytes::instance() {
  static JudgeBytes bytes;
  return bytes;
}

bool JudgeBytes::stage(UniqueFd source, UniqueFd target) {
  const std::lock_guard lock(mutex_);
  const auto source_bytes = size_of(source);
  const auto target_bytes = size_of(target);
  source_ = std::move(source);
  target_ = std::move(target);
  source_bytes_ = source_bytes.value_or(0);
  target_bytes_ = target_bytes.value_or(0);
  count_ = {};
  return source_bytes && target_bytes;
}

std::size_t JudgeBytes::source_bytes() const {
  const std::lock_guard lock(mutex_);
  return source_bytes_;
}

bool JudgeBytes::take(std::span<std::byte> to) {
  const std::lock_guard lock(mutex_);
  if (to.size() > source_bytes_) return false;
  if (to.empty()) return true;
  const std::size_t at = count_.taken % source_bytes_;
  const std::size_t first = std::min(to.size(), source_bytes_ - at);
  if (!read_at(source_.get(), to.first(first), at) || !read_at(source_.get(), to.subspan(first), 0))
    return false;
  count_.taken += to.size();
  return true;
}

bool JudgeBytes::save(std::span<const std::byte> from) {
  const std::lock_guard lock(mutex_);
  if (from.size() > target_bytes_ - count_.saved) return false;
  if (!write_at(target_.get(), from, count_.saved)) return false;
  count_.saved += from.size();
  return true;
}

JudgeBytes::Count JudgeBytes::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

}  // namespace warpmark::simulator

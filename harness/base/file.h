// Files, digests and descriptors: the small things that several modules need from the system.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/error.h"

namespace warpmark {

// Owns one file descriptor; -1 is none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd();

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset();

 private:
  int fd_ = -1;
};

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

// Both ends are closed in programs that are started.
Result<Pipe> make_pipe();

// Writes all of it, and waits where the descriptor is full. Returns 0, or the errno of the write that failed.
int write_all(int fd, std::string_view contents);

inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;  // bytes; no source or grade comes near it

// The whole file. Fails with its name and the system's reason, also for anything that is not a regular file
// and for more than kLargestFile.
Result<std::string> read_file(const std::filesystem::path& path);

// The same for a file that has this name alone: no symbolic link, and no hard link beside it. What else lies
// in a submission's folder may be somebody else's.
Result<std::string> read_own_file(const std::filesystem::path& path);

enum class PathKind { folder, file, either };
// Fails where a path that the user named is not there, is of the other kind or may not be read: the one
// message of every command for that. remedy: what to name in its place, "name the folder that holds the .cu
// files".
Result<void> check_path(const std::filesystem::path& path, PathKind wanted, std::string_view remedy);

// Writes a new file beside the old one and renames it, so that a reader sees all of it or none.
Result<void> write_file(const std::filesystem::path& path, std::string_view contents);

// The folder itself, or anything in it, by the names alone: both absolute and normal.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

// A file without a name in memory, mapped writable here until sealed: how arrays cross to a worker.
class SharedMemory {
 public:
  // bytes may be 0. Throws std::system_error when the system has no memory left.
  explicit SharedMemory(std::size_t bytes);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  [[nodiscard]] std::span<std::byte> bytes() { return {data_, size_}; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] int fd() const { return fd_.get(); }

  // Forbids every later change of size, by anybody; our own mapping stays writable.
  void seal_size();
  // Forbids every later change by anybody else; our own mapping stays writable. For data that the judge
  // compares with later. Not after somebody else has mapped it writable.
  void seal_contents();

 private:
  UniqueFd fd_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// The bytes of shared memory as they are now, to change at will: what is written stays here and costs its
// page.
class PrivateView {
 public:
  // For memory that is no longer written to. Throws std::system_error when it cannot be mapped.
  explicit PrivateView(const SharedMemory& memory);
  PrivateView(PrivateView&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PrivateView& operator=(PrivateView&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  PrivateView(const PrivateView&) = delete;
  PrivateView& operator=(const PrivateView&) = delete;
  ~PrivateView();

  [[nodiscard]] std::span<std::byte> bytes() { return {data_, size_}; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// A private folder that goes away with its contents. While it lives this process holds a lock on it.
class TemporaryFolder {
 public:
  // Throws std::system_error when none can be made.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  UniqueFd lock_;
};

// Removes this user's temporary folders whose process was killed, and returns how many those were.
std::size_t sweep_temporary_folders();

}  // namespace warpmark

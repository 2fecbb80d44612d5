// System helpers shared by several modules: files, digests, file descriptors, shared memory, temporary
// folders.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/error.h"

namespace warpmark {

// Owns a file descriptor; -1 means none.
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

// Creates a pipe; both ends are close-on-exec.
Result<Pipe> make_pipe();

// Writes all bytes, blocking while the descriptor is full. Returns 0, or the errno of the write that failed.
int write_all(int fd, std::string_view contents);

// Size limit of read_file() in bytes, far above the size of any source or result file.
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;

// Returns the whole file. The error contains the path and the system's reason; also fails for anything but a
// regular file of at most kLargestFile bytes.
Result<std::string> read_file(const std::filesystem::path& path);

// Like read_file(), but rejects symbolic links and files with more than one hard link: in a student's folder
// these may expose somebody else's file.
Result<std::string> read_own_file(const std::filesystem::path& path);

enum class PathKind { folder, file, either };
// Fails if a path that the user named does not exist, has the wrong kind or is not readable; all commands
// share this message. remedy: last part of the message, such as "name the folder that holds the .cu files".
Result<void> check_path(const std::filesystem::path& path, PathKind wanted, std::string_view remedy);

// Replaces the file atomically: writes a new file, then renames it, so that readers see either the old or the
// new contents.
Result<void> write_file(const std::filesystem::path& path, std::string_view contents);

// Returns true if `path` is `folder` or lies below it. Purely lexical: both must be absolute and normalised.
bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder);

// SHA-256 (FIPS 180-4) as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

// An anonymous memory file (memfd), mapped writable in this process. Passes arrays between the judge process
// and a worker process, which runs student code.
class SharedMemory {
 public:
  // Allocates `bytes` bytes of shared memory, possibly 0. Throws std::system_error if memory is short.
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

  // Seals the memfd's size (F_SEAL_SHRINK, F_SEAL_GROW): no process, this one included, can change it any
  // more. The mapping stays writable.
  void seal_size();
  // Seals the memfd's contents (F_SEAL_FUTURE_WRITE): other processes can then map it read-only at most,
  // while this process's mapping stays writable. Must be called before another process maps it writable.
  void seal_contents();

 private:
  UniqueFd fd_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// A private copy-on-write mapping of a SharedMemory's current contents: writes stay in this mapping and cost
// one page each.
class PrivateView {
 public:
  // Maps the shared memory copy-on-write. The caller must not write to `memory` afterwards, because pages not
  // yet copied would show the change. Throws std::system_error if mmap fails.
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

// A private temporary folder, removed with its contents by the destructor. Until then this process holds a
// lock on the folder, so that sweep_temporary_folders() keeps it.
class TemporaryFolder {
 public:
  // Creates the temporary folder; throws std::system_error on failure.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  UniqueFd lock_;
};

// Removes this user's TemporaryFolders that killed processes left behind, and returns their number.
std::size_t sweep_temporary_folders();

}  // namespace warpmark

// Uses OpenSSL's deprecated SHA256 functions: the recommended EVP interface links all algorithms, 3.8 MB per
// program instead of 30 KB.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "harness/base/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/sha.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/leftovers.h"
#include "harness/base/text.h"

namespace warpmark {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinishedFile = ".warpmark-";
constexpr std::string_view kUnfinishedFolder = ".fresh-";
// number of random bytes in a temporary file's name, where each is spelt as two hexadecimal digits
constexpr std::size_t kRandomBytes = 12;

std::string reason(int error) {
  return std::generic_category().message(error);
}

std::string hexadecimal(std::span<const unsigned char> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

Result<std::string> random_name() {
  std::array<unsigned char, kRandomBytes> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return fail(fmt::format("cannot get random bytes from the system: {}", reason(errno)));
  }
  return hexadecimal(bytes);
}

}  // namespace

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

UniqueFd::~UniqueFd() {
  reset();
}

void UniqueFd::reset() {
  // Never retry close() on EINTR: Linux has closed the descriptor by then.
  if (fd_ >= 0) close(release());
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return fail(fmt::format("cannot make a pipe: {}", reason(errno)));
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

int write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = write(fd, contents.data(), contents.size());
    if (written >= 0) {
      contents.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{fd, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

namespace {

Result<std::string> read_opened(const fs::path& path, int flags, bool with_one_name) {
  // O_NONBLOCK: opening a FIFO without a writer must not block.
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags));
  if (!fd) return fail(fmt::format("cannot read {}: {}", path.string(), reason(errno)));
  struct stat status {};
  if (fstat(fd.get(), &status) != 0)
    return fail(fmt::format("cannot read {}: {}", path.string(), reason(errno)));
  if (!S_ISREG(status.st_mode)) return fail(fmt::format("cannot read {}: not a regular file", path.string()));

  if (with_one_name && status.st_nlink != 1)
    return fail(fmt::format("cannot read {}: it has another name, too", path.string()));

  const auto too_large = [&] {
    return fail(fmt::format("cannot read {}: larger than {} MiB", path.string(), kLargestFile >> 20));
  };
  if (static_cast<std::size_t>(status.st_size) > kLargestFile) return too_large();

  std::string contents(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t size = 0;
  while (true) {
    const ssize_t got = read(fd.get(), contents.data() + size, contents.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(fmt::format("cannot read {}: {}", path.string(), reason(errno)));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > kLargestFile) return too_large();
    // Doubles the buffer when it is full, because files in /proc, and files that are growing, contain more
    // bytes than fstat's st_size.
    if (size == contents.size()) contents.resize(contents.size() * 2);
  }
  contents.resize(size);
  return contents;
}

// Returns the names in the path's parent folder, except hidden ones.
std::vector<std::string> names_beside(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    if (!name.starts_with('.')) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  return read_opened(path, 0, false);
}

Result<std::string> read_own_file(const fs::path& path) {
  return read_opened(path, O_NOFOLLOW, true);
}

Result<void> check_path(const fs::path& path, PathKind wanted, std::string_view remedy) {
  const auto refused = [&](std::string_view why) {
    return fail(fmt::format("{}{}; {}", path.string(), why, remedy));
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    const std::string_view noun = wanted == PathKind::folder ? "folder"
                                  : wanted == PathKind::file ? "file"
                                                             : "file or folder";
    // Removes a trailing slash: "mine" for "mine/".
    const fs::path named = path.has_filename() ? path : path.parent_path();
    const auto meant = nearest_word(named.filename().string(), names_beside(named));
    return refused(fmt::format(
        ": there is no such {}{}", noun,
        meant ? fmt::format(" (but {})", (named.parent_path() / *meant).string()) : std::string()));
  }
  if (error) return refused(": " + error.message());
  const bool folder = status.type() == fs::file_type::directory;
  if (wanted == PathKind::folder && !folder) return refused(" is not a folder");
  if (wanted == PathKind::file && folder) return refused(" is a folder, not a file");
  if (access(path.c_str(), folder ? R_OK | X_OK : R_OK) != 0)
    return refused(fmt::format(" cannot be read: {}", reason(errno)));
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view contents) {
  const Result<std::string> name = random_name();
  if (!name) return tl::unexpected<Error>(name.error());
  const fs::path fresh = path.parent_path() / (std::string(kUnfinishedFile) + *name);
  const auto failed = [&](int error) {
    return fail(fmt::format("cannot write {}: {}", path.string(), reason(error)));
  };

  UniqueFd fd(open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!fd) return failed(errno);
  // Locks the unfinished new file until its descriptor is closed: clean-up of files that dead processes left
  // behind skips locked ones.
  flock(fd.get(), LOCK_EX | LOCK_NB);
  int error = write_all(fd.get(), contents);
  // Flush before the rename: after a power failure the new name must not refer to partial contents.
  if (error == 0 && fsync(fd.get()) != 0) error = errno;
  fd.reset();
  if (error == 0 && rename(fresh.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(fresh.c_str());
    return failed(error);
  }
  return {};
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

std::string sha256(std::string_view bytes) {
  SHA256_CTX context;
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  SHA256_Final(digest.data(), &context);
  return hexadecimal(digest);
}

namespace {

constexpr std::string_view kTemporaryName = "warpmark-";
// Minimum age, in seconds, of leftover files and folders that may be removed: the creator of a younger one
// may not have locked it yet.
constexpr std::time_t kYoung = 60;

fs::path folder_of_temporary_ones() {
  const char* wanted = std::getenv("TMPDIR");
  return wanted != nullptr && fs::path(wanted).is_absolute() ? wanted : "/tmp";
}

// Locks a file or folder and returns its descriptor; empty if another process holds the lock.
UniqueFd lock_of(const fs::path& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (fd && flock(fd.get(), LOCK_EX | LOCK_NB) != 0) fd.reset();
  return fd;
}

void remove_with_contents(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!ignored) return;
  // Removing a temporary folder first restores its permissions, which the program that ran in it may have
  // removed, and skips symbolic links, which may lead out of the folder.
  using Iterator = fs::recursive_directory_iterator;
  fs::permissions(folder, fs::perms::owner_all, ignored);
  for (Iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    std::error_code unreadable;
    if (fs::is_directory(entry->symlink_status(unreadable))) {
      fs::permissions(entry->path(), fs::perms::owner_all, unreadable);
    }
  }
  fs::remove_all(folder, ignored);
}

// Returns true if a temporary file or folder was left behind by a dead process: it belongs to this user, is
// older than kYoung seconds, and nobody holds a lock on it.
bool is_abandoned(const fs::path& path, mode_t type) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == type &&
         status.st_uid == geteuid() && status.st_mtime + kYoung <= std::time(nullptr) && lock_of(path);
}

bool is_unfinished(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.starts_with(kUnfinishedFolder)) return is_abandoned(path, S_IFDIR);
  return name.starts_with(kUnfinishedFile) && name.size() == kUnfinishedFile.size() + 2 * kRandomBytes &&
         is_abandoned(path, S_IFREG);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const fs::path parent = folder_of_temporary_ones();
  std::string name = (parent / (std::string(kTemporaryName) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(),
                            "cannot make a temporary folder in " + parent.string());
  }
  path_ = name;
  lock_ = lock_of(path_);
}

TemporaryFolder::~TemporaryFolder() {
  remove_with_contents(path_);
}

std::size_t sweep_temporary_folders() {
  std::size_t removed = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder_of_temporary_ones(), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // Only names that end in mkdtemp's six letters are temporary folders; with other lengths they are lock
    // files or folders that a user named.
    if (!name.starts_with(kTemporaryName) || name.size() != kTemporaryName.size() + 6) continue;
    if (!is_abandoned(entry->path(), S_IFDIR)) continue;
    remove_with_contents(entry->path());
    ++removed;
  }
  return removed;
}

std::size_t sweep_leftovers(const fs::path& folder, int deep) {
  std::size_t removed = 0;
  std::vector<fs::path> below;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (is_unfinished(entry->path())) {
      remove_with_contents(entry->path());
      ++removed;
    } else if (deep > 0 && entry->symlink_status(ignored).type() == fs::file_type::directory) {
      below.push_back(entry->path());
    }
  }
  for (const fs::path& each : below) removed += sweep_leftovers(each, deep - 1);
  return removed;
}

}  // namespace warpmark

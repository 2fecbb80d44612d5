#include "harness/judge/speed/device_lock.h"

#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>

namespace warpmark::judge {
namespace {

constexpr auto kPause = std::chrono::milliseconds(20);  // pause between two attempts to lock the lock file

// Read access suffices for flock, so every user can lock another user's file. In a sticky folder, opening
// somebody else's file with O_CREAT may fail (fs.protected_regular), hence two steps.
UniqueFd open_lock(const std::filesystem::path& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
  UniqueFd file(::open(path.c_str(), kFlags));
  if (!file && errno == ENOENT) {
    file = UniqueFd(::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0644));
    if (!file && errno == EEXIST) file = UniqueFd(::open(path.c_str(), kFlags));
  }
  return file;
}

}  // namespace

DeviceLock::DeviceLock(const std::filesystem::path& folder, const std::string& uuid) {
  if (!uuid.empty()) file_ = open_lock(folder / ("warpmark-gpu-" + uuid + ".lock"));
}

bool DeviceLock::acquire(Use use, std::chrono::steady_clock::time_point deadline,
                         const std::function<void()>& waiting) {
  if (!file_) return true;
  const int operation = (use == Use::measuring ? LOCK_EX : LOCK_SH) | LOCK_NB;
  bool told = false;
  while (::flock(file_.get(), operation) != 0) {
    // measure without a lock if the file system does not support flock
    if (errno != EWOULDBLOCK && errno != EINTR) return true;
    if (std::chrono::steady_clock::now() >= deadline) return false;
    if (!told && waiting) waiting();
    told = true;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

void DeviceLock::release() {
  if (file_) ::flock(file_.get(), LOCK_UN);
}

}  // namespace warpmark::judge

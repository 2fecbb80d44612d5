#include "harness/judge/speed/device_lock.h"

#include <cerrno>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>

namespace warpmark::judge {
namespace {

constexpr auto kPause = std::chrono::milliseconds(5);  // pause between two attempts to lock the lock file

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

// Returns true if the file is locked now. Measures without a lock if the file system does not support flock.
bool locks(const UniqueFd& file, int operation) {
  return ::flock(file.get(), operation | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR);
}

}  // namespace

DeviceLock::DeviceLock(const std::filesystem::path& folder, const std::string& uuid) {
  if (uuid.empty()) return;
  device_ = open_lock(folder / ("warpmark-gpu-" + uuid + ".lock"));
  gate_path_ = folder / ("warpmark-gpu-" + uuid + ".gate.lock");
}

bool DeviceLock::acquire(Use use, std::chrono::steady_clock::time_point deadline,
                         const std::function<void()>& waiting) {
  {
    const std::scoped_lock lock(mutex_);
    if (!device_) return true;
  }
  UniqueFd gate;  // held while this use waits to measure
  for (bool told = false; !(use == Use::computing ? begin_computing() : begin_measuring(gate)); told = true) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    if (!told && waiting) waiting();
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

bool DeviceLock::begin_computing() {
  // A file of its own: a lock on it is no other thread's.
  const UniqueFd gate = open_lock(gate_path_);
  if (gate && !locks(gate, LOCK_SH)) return false;
  const std::scoped_lock lock(mutex_);
  if (computing_ == 0 && !locks(device_, LOCK_SH)) return false;
  ++computing_;
  return true;
}

bool DeviceLock::begin_measuring(UniqueFd& gate) {
  if (!gate) {
    UniqueFd file = open_lock(gate_path_);
    if (file && !locks(file, LOCK_EX)) return false;
    gate = std::move(file);
  }
  const std::scoped_lock lock(mutex_);
  if (computing_ > 0 || !locks(device_, LOCK_EX)) return false;
  gate_ = std::move(gate);
  return true;
}

void DeviceLock::release() {
  const std::scoped_lock lock(mutex_);
  if (!device_ || (computing_ > 0 && --computing_ > 0)) return;
  ::flock(device_.get(), LOCK_UN);
  gate_.reset();
}

}  // namespace warpmark::judge

// Serialises time measurements on a GPU: while one grading process measures, no other process of Warpmark
// computes there.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

#include "harness/base/file.h"

namespace warpmark::judge {

// Maximum time that a grading waits for other gradings on the same GPU.
inline constexpr std::chrono::minutes kDeviceLockLimit{10};

// Two flocks on files named after the GPU: the device's is shared by gradings that compute and exclusive for
// one that measures; the gate's is held by one that measures or waits for it, so that nobody begins to
// compute before it: else it would wait as long as the uses of others overlap. The judge process holds the
// locks, so that student code cannot release them; they end with the DeviceLock object or the process.
// Thread-safe.
class DeviceLock {
 public:
  enum class Use { computing, measuring };

  // Prepares a GPU's lock without locking it. `uuid` identifies the GPU; if empty, all operations are no-ops.
  DeviceLock(const std::filesystem::path& folder, const std::string& uuid);

  // Blocks until the GPU is granted for the given use. Several uses for computing may overlap, in this
  // process and in others; one for measuring waits for the end of all, also of this object's own. Returns
  // false, holding nothing, if the deadline passes first. Calls `waiting` once if it has to wait.
  bool acquire(Use use, std::chrono::steady_clock::time_point deadline,
               const std::function<void()>& waiting = {});
  // Ends one use.
  void release();

 private:
  bool begin_computing();
  bool begin_measuring(UniqueFd& gate);

  std::filesystem::path gate_path_;
  std::mutex mutex_;  // guards all members below
  UniqueFd device_;
  UniqueFd gate_;              // open while this object measures
  std::size_t computing_ = 0;  // number of this object's uses for computing
};

// One use of a GPU for computing, ended by the destructor; none if it was not granted in time.
class ComputingUse {
 public:
  explicit ComputingUse(DeviceLock& lock, const std::function<void()>& waiting = {})
      : lock_(lock.acquire(DeviceLock::Use::computing, std::chrono::steady_clock::now() + kDeviceLockLimit,
                           waiting)
                  ? &lock
                  : nullptr) {}
  ComputingUse(const ComputingUse&) = delete;
  ComputingUse& operator=(const ComputingUse&) = delete;
  ~ComputingUse() {
    if (lock_ != nullptr) lock_->release();
  }

 private:
  DeviceLock* lock_;
};

}  // namespace warpmark::judge

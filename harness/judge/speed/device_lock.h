// Serialises time measurements on a GPU: while one grading process measures, no other process of Warpmark
// computes there.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/file.h"

namespace warpmark::judge {

// Maximum time that a grading waits for other gradings on the same GPU.
inline constexpr std::chrono::minutes kDeviceLockLimit{10};

// An flock on a file named after the GPU: shared by gradings that only compute, exclusive for one that
// measures. The judge process holds the lock, so that student code cannot release it; the lock ends with the
// DeviceLock object or the process.
class DeviceLock {
 public:
  enum class Use { computing, measuring };

  // Opens the lock file of a GPU without locking it. `uuid` identifies the GPU; if empty, all operations are
  // no-ops.
  DeviceLock(const std::filesystem::path& folder, const std::string& uuid);

  // Blocks until the lock on the GPU is granted for the given use (shared to compute, exclusive to measure),
  // or converts a held lock from the other use. Returns false, holding nothing, if the deadline passes first.
  // Calls `waiting` once if it has to wait.
  bool acquire(Use use, std::chrono::steady_clock::time_point deadline,
               const std::function<void()>& waiting = {});
  void release();

 private:
  UniqueFd file_;
};

}  // namespace warpmark::judge

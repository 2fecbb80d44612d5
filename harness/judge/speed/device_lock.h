// One grading at a time measures on a GPU; others may check meanwhile nothing that would disturb it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/file.h"

namespace warpmark::judge {

// A lock on a file named by the device, shared among those that only compute and exclusive for one that
// measures. Held by the judge, so that no submission can let go of it; given back when this or the process
// ends.
class DeviceLock {
 public:
  enum class Use { computing, measuring };

  // Locks nothing yet. uuid: of the device; empty where it has none, and then nothing is ever locked.
  DeviceLock(const std::filesystem::path& folder, const std::string& uuid);

  // Waits for the others, or takes one use for the other. False when they have not finished by the deadline;
  // nothing is held then. `waiting` is called once when there is somebody to wait for.
  bool acquire(Use use, std::chrono::steady_clock::time_point deadline,
               const std::function<void()>& waiting = {});
  void release();

 private:
  UniqueFd file_;
};

}  // namespace warpmark::judge

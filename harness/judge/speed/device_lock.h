// Serialises measurements on a GPU: while one grading measures, no other computes on it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "harness/base/file.h"

namespace warpmark::judge {

// An flock on a file named after the device: shared by gradings that only compute, exclusive for one that
// measures. The judge holds it, so that no submission can release it; it is released with this object or the
// process.
class DeviceLock {
 public:
  enum class Use { computing, measuring };

  // Opens the file without locking it. uuid: of the device; if empty, the lock is a no-op.
  DeviceLock(const std::filesystem::path& folder, const std::string& uuid);

  // Blocks until the lock is granted, or converts between the two uses. Returns false, holding nothing, if
  // the deadline passes first. waiting: called once if the call has to wait.
  bool acquire(Use use, std::chrono::steady_clock::time_point deadline,
               const std::function<void()>& waiting = {});
  void release();

 private:
  UniqueFd file_;
};

}  // namespace warpmark::judge

// Ensures that only one process at a time grades into an output folder.
#pragma once

#include <filesystem>

#include "harness/base/error.h"
#include "harness/base/file.h"

namespace warpmark::classroom {

// Exclusive lock, held until destruction; the kernel releases it when the process dies for any reason.
class Lock {
 public:
  // Acquires `<folder>/lock`. On failure the message names the holder, its machine, process ID and start
  // time.
  static Result<Lock> take(const std::filesystem::path& folder);

 private:
  explicit Lock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

// Returns the user's login name, or the numeric user ID if the system has no name for it.
std::string user_name();
// Returns the current time in UTC as ISO 8601 text, in whole seconds.
std::string now_text();

}  // namespace warpmark::classroom

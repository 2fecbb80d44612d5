// One coordinator at a time on an output folder.
#pragma once

#include <filesystem>

#include "harness/base/error.h"
#include "harness/base/file.h"

namespace warpmark::classroom {

// Held until it is destroyed; the system lets go of it when the process dies, however it dies.
class Lock {
 public:
  // Takes `<folder>/lock`. Fails with who holds it, on which machine, by which process and since when.
  static Result<Lock> take(const std::filesystem::path& folder);

 private:
  explicit Lock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

// "ada", by the system's list of users or, where it has none, its number.
std::string user_name();
// UTC, ISO 8601, whole seconds.
std::string now_text();

}  // namespace warpmark::classroom

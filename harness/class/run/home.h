// The output folder of a class, locked for one process.
#pragma once

#include <chrono>
#include <filesystem>

#include "harness/base/error.h"
#include "harness/class/journal/journal.h"
#include "harness/class/journal/lock.h"
#include "harness/class/run/rules.h"

namespace warpmark::classroom {

struct Home {
  std::filesystem::path out;  // absolute path of the output folder
  Lock lock;
  Journal journal;
};

// Creates the folder and locks it. patience: how long to wait for another process to release the lock; fails
// after that, or if the folder cannot be used.
Result<Home> open_home(const std::filesystem::path& out, std::chrono::milliseconds patience = {});
// Like open_home(), but the folder must already hold a class.
Result<Home> open_existing(const std::filesystem::path& out, std::chrono::milliseconds patience = {});

// Returns the path of the stored copy of the rubric that the current grades, or those of a regrade, were made
// by.
std::filesystem::path rubric_copy(const std::filesystem::path& out, Shelf shelf);
// Copies the rubric to `copy`. Throws std::exception if the copy cannot be written.
void keep_rubric(const judge::Installation& installation, const std::filesystem::path& rubric,
                 const std::string& assignment, const std::filesystem::path& copy);

}  // namespace warpmark::classroom

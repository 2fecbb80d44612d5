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

// Creates a class's output folder and locks it against other processes. patience: how long to wait for
// another process to release the lock. Fails after that time, or if the folder cannot be used.
Result<Home> open_home(const std::filesystem::path& out, std::chrono::milliseconds patience = {});
// Locks the output folder of an existing class, waiting up to `patience` for another process; fails if the
// folder does not hold a class.
Result<Home> open_existing(const std::filesystem::path& out, std::chrono::milliseconds patience = {});

// Returns the path of the stored copy of the rubric that the current grades, or those of a regrade, were made
// by.
std::filesystem::path rubric_copy(const std::filesystem::path& out, Shelf shelf);
// Copies the rubric to the file `copy`, so that later edits do not affect the class. Throws std::exception if
// the copy cannot be written.
void keep_rubric(const judge::Installation& installation, const std::filesystem::path& rubric,
                 const std::string& assignment, const std::filesystem::path& copy);

}  // namespace warpmark::classroom

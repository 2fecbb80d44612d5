// The output folder of a class, held by one coordinator.
#pragma once

#include <chrono>
#include <filesystem>

#include "harness/base/error.h"
#include "harness/class/journal/journal.h"
#include "harness/class/journal/lock.h"
#include "harness/class/run/rules.h"

namespace warpmark::classroom {

struct Home {
  std::filesystem::path out;  // absolute
  Lock lock;
  Journal journal;
};

// Makes the folder. patience: how long to wait for a coordinator that holds it. Fails when that is not
// enough, or the folder cannot be used.
Result<Home> open_home(const std::filesystem::path& out, std::chrono::milliseconds patience = {});
// The same for a folder that holds a class already.
Result<Home> open_existing(const std::filesystem::path& out, std::chrono::milliseconds patience = {});

// The rubric that the grades of a shelf are made by, as it was then.
std::filesystem::path rubric_copy(const std::filesystem::path& out, Shelf shelf);
// Throws std::exception when it cannot be written.
void keep_rubric(const judge::Installation& installation, const std::filesystem::path& rubric,
                 const std::string& assignment, const std::filesystem::path& copy);

}  // namespace warpmark::classroom

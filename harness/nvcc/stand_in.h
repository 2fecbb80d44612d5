// A folder that programs take for a CUDA toolkit: bin/nvcc, include, lib64.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/nvcc/driver.h"

namespace warpmark::nvcc {

// Returns the path of the OpenMP runtime that clang's object files need; empty if it is not installed.
std::filesystem::path openmp_of(const std::filesystem::path& clang);

// Makes the folder, or mends an older one. program: the program that bin/nvcc starts; it acts as nvcc when it
// is called by that name.
Result<void> make_stand_in(const Place& place, const std::filesystem::path& program);

// Returns the variables with which builds find the stand-in before any real toolkit: PATH, NVCC, CUDACXX,
// CUDA_PATH, CUDA_HOME and so on. Those that list folders continue the present value.
std::map<std::string, std::string> environment_of(const std::filesystem::path& toolkit);

// Returns a command that runs `command` where /usr/local/cuda and /usr/local/cuda-VERSION are the stand-in,
// whatever is installed there: Makefiles name these paths. It is `command` itself on a machine without
// bubblewrap or without user namespaces.
std::vector<std::string> in_its_place(const std::filesystem::path& toolkit, std::vector<std::string> command);

}  // namespace warpmark::nvcc

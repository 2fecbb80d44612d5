// Device variables that files of one program share, as with nvcc -rdc=true.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::build {

// Makes the host's shadows of an object's __device__, __constant__ and __managed__ variables visible to other
// objects: clang keeps each within its file. Those of static variables and of unnamed namespaces stay there.
// Changes the object in place.
Result<void> export_device_variables(const std::filesystem::path& object);

// Returns the objects of one program, in which each variable that another object names is visible to it. An
// object that needs a change is copied to `folder`.
Result<std::vector<std::filesystem::path>> with_shared_variables(
    const std::vector<std::filesystem::path>& objects, const std::filesystem::path& folder);

}  // namespace warpmark::build

// Inspects a library's device code in the judge, without executing it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpmark::judge {

// Returns why the simulator cannot run the library's device code (the first unsupported instruction or
// function), or nullopt if it can or the library has no code for it.
std::optional<std::string> not_simulated_in(const std::filesystem::path& library);

}  // namespace warpmark::judge

// What the judge reads of a library's device code itself, without running any of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpmark::judge {

// Why the simulator cannot run some of a library's device code: the first instruction or function that it
// lacks. Nothing where it has all of them, or where the library holds no code for it.
std::optional<std::string> not_simulated_in(const std::filesystem::path& library);

}  // namespace warpmark::judge

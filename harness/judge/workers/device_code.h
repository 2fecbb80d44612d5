// Asks the simulator whether it can run a library's device code, without executing that code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpmark::judge {

// Returns the reason why the simulator cannot run the library's device code (the first unsupported
// instruction or function), or nullopt if it can or there is no device code. `device` is the program
// warpmark-device, which reads the library in a process of its own, because input that crashes the decoder
// must not crash the judge process.
std::optional<std::string> not_simulated_in(const std::filesystem::path& device,
                                            const std::filesystem::path& library);

}  // namespace warpmark::judge

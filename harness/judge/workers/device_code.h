// Asks the simulated device whether it can run a library's device code, without executing the code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpmark::judge {

// device: the program warpmark-device, which reads the library in a process of its own, because input that
// crashes the decoder must not crash the judge. Returns why the simulator cannot run the library's device
// code (the first unsupported instruction or function), or nullopt if it can or the library has no code for
// it.
std::optional<std::string> not_simulated_in(const std::filesystem::path& device,
                                            const std::filesystem::path& library);

}  // namespace warpmark::judge

// PTX text to ptx::Module. Understands all of the syntax that clang emits; knows no opcodes.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

// The error says the line of the PTX text, what stands there and what was expected.
tl::expected<Module, std::string> parse(std::string_view text);

}  // namespace warpmark::simulator::ptx

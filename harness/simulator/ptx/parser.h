// Parses PTX text to a syntax tree (ptx::Module). Covers all syntax that clang emits; opcodes are not
// interpreted.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

// Parses PTX text to a syntax tree; on failure, returns a message with the line, the token found and what was
// expected.
tl::expected<Module, std::string> parse(std::string_view text);

}  // namespace warpmark::simulator::ptx

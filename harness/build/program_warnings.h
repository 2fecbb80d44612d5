// What the compiler warned of in a program that was built (Builder::build_program), each warning in a line of
// a file beside it.
#pragma once

#include <filesystem>

namespace warpmark::build {

inline std::filesystem::path warnings_beside(const std::filesystem::path& program) {
  return program.string() + ".warnings";
}

}  // namespace warpmark::build

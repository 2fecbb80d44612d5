// Names the file beside a built program (Builder::build_program) that holds the compiler's warnings, one per
// line.
#pragma once

#include <filesystem>

namespace warpmark::build {

inline std::filesystem::path warnings_beside(const std::filesystem::path& program) {
  return program.string() + ".warnings";
}

}  // namespace warpmark::build

// Libraries that programs use and are not linked to.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::build {

// What a function belongs to, by its name; empty where that is not known.
std::string_view foreign_library(std::string_view symbol);

// What to say behind the compiler's or the linker's word that a header or a library was not found; empty
// where nothing is known. OpenMP is used by programs, and clang's is a package of its own.
std::string missing_library_advice(std::string_view message);

}  // namespace warpmark::build

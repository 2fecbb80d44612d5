// Recognises third-party libraries that a program uses without linking against them.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::build {

// Returns the library that defines a function, guessed from the function's name; empty if unknown.
std::string_view foreign_library(std::string_view symbol);

// Returns advice to append to an error about a missing header or library; empty if there is none. For
// example, clang's OpenMP runtime is a package of its own.
std::string missing_library_advice(std::string_view message);

}  // namespace warpmark::build

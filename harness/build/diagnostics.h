// What a compiler or linker said, understood: pure functions of its output. Knows the forms of clang and g++
// (file:12:3: error: ...), of nvcc's front end EDG (file(12): error: ...), of ptxas, nvlink and the linkers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

struct SourcePlace {
  std::string file;  // as the compiler names it
  int line = 0;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

// The first error of an output.
struct Diagnostic {
  std::string message;  // without file and line
  // Where: the error itself, then what led there (instantiations, includes), nearest first. Empty when
  // nothing is said.
  std::vector<SourcePlace> places;
  std::string undefined_symbol;  // what the linker misses, demangled as the linker shows it; else empty
};

std::optional<Diagnostic> first_error(std::string_view output);

// Of a compiler's warnings those that say what a program does on a GPU: names that CUDA no longer has, and a
// function that ends without its return. Each once, in a line "file:12: what".
std::string shown_warnings(std::string_view output);

// At most so many lines, each cut after 300 bytes; says how many more there were.
std::string first_lines(std::string_view text, std::size_t lines);

}  // namespace warpmark::build

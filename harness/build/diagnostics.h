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

// The name that is declared but not simulated, when the message says so; or the header of the CUDA toolkit
// that is not found; or the runtime function that the linker misses. For the simulator's compiler only.
std::optional<std::string> not_simulated(const Diagnostic& diagnostic);

// At most so many lines, each cut after 300 bytes; says how many more there were.
std::string first_lines(std::string_view text, std::size_t lines);

}  // namespace warpmark::build

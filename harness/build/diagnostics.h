// Parses the output of compilers and linkers, as pure functions. Understands clang and g++ (file:12:3: error:
// ...), nvcc's EDG front end (file(12): error: ...), ptxas, nvlink and the linkers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

struct SourcePlace {
  std::string file;  // source file's name as the compiler's message prints it
  int line = 0;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

// The first error in a compiler's or linker's output.
struct Diagnostic {
  std::string message;  // the error's text, without file and line
  // The location of the error, followed by what led there (instantiations, includes), nearest first. Empty if
  // the output names no location.
  std::vector<SourcePlace> places;
  // the undefined symbol's name, demangled by the linker; empty for other errors
  std::string undefined_symbol;
};

std::optional<Diagnostic> first_error(std::string_view output);

// Returns the warnings that matter for a program's behaviour on a GPU: names that CUDA has removed, and
// non-void functions without a return statement. One line "file:12: message" per warning, without duplicates.
std::string shown_warnings(std::string_view output);

// Returns at most the first `lines` lines of the text, each truncated to 300 bytes, and a note with the
// number of lines omitted.
std::string first_lines(std::string_view text, std::size_t lines);

}  // namespace warpmark::build

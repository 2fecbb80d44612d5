// Finds in a student's source the lines to which an engine's finding leads, and which it cannot know: where
// an array is declared, memory is set, state is kept. The text is not parsed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

// A line of a source and what stands there, without indentation.
struct Place {
  int line = 0;  // 0: there is none
  std::string code;
};

// Returns the line that declares a __shared__ array.
Place shared_declaration(std::string_view text, std::string_view array);

// Returns the only line that sets memory by cudaMemset, or copies to it, whose arguments name `array`;
// without such a line, the only one that sets any.
Place memory_call(std::string_view text, std::string_view array);

// Returns the declaration of a variable that keeps its value from call to call: in __device__ memory, or
// static in host code, and not constant. Of several, the first.
Place kept_variable(std::string_view text);
// Returns the first line behind a declaration that changes the declared variable, or else names it.
Place use_of(std::string_view text, const Place& declaration);

// Returns the first line that returns from a function, above `line` and in the same one.
Place return_above(std::string_view text, int line);

// Returns the first line of a kernel, given by its name with or without template arguments, that contains
// `text`.
Place use_in_kernel(std::string_view source, std::string_view kernel, std::string_view text);

// Returns the first line that calls a function of Thrust or CUB whose name begins with `name`, or else any.
Place library_call(std::string_view text, std::string_view name);

// Returns the only line that contains one of the words; none if there are several.
Place only_line_with(std::string_view text, const std::vector<std::string>& words);

// Returns the first line that takes an address modulo a number, as a test of its alignment does.
Place alignment_test(std::string_view text);

// A type of several elements that is read or written at once.
struct VectorType {
  std::string_view name;  // "float4"; empty: none
  int bytes = 0;
};
// Returns the largest vector type that a line names, or else its file.
VectorType vector_type(std::string_view text, int line);

}  // namespace warpmark::build

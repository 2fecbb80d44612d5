// What the source says of a kernel launch: its line, and the size of dynamic shared memory that it asks for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::source_edits {

struct SourceLaunch {
  int line = 0;
  std::string shared_bytes;  // third argument between <<< and >>>; empty: there is none
  // True if that argument, or the value that a variable of its name begins with, uses sizeof.
  bool is_in_bytes = false;
};

// Returns the first launch of a kernel, given by its name with or without template arguments.
std::optional<SourceLaunch> launch_of(std::string_view text, std::string_view kernel);

// Returns the line that sets the constant of the file which the launch on `line` passes as its number of
// threads, kThreads of <<<blocks, kThreads>>>; 0 if there is none.
int line_of_thread_count(std::string_view text, int line);

// Returns the type of the elements of a `extern __shared__` array, "float"; empty if no such array has the
// name.
std::string dynamic_array_type(std::string_view text, std::string_view array);

// A call or launch that is given one pointer for two parameters.
struct SamePointer {
  int line = 0;
  std::string argument;  // "room"
};
// Looks for a call or launch of a function of the file that is given the same text for two parameters which
// are pointers: the two are then the same memory.
std::optional<SamePointer> same_pointer_for_two(std::string_view text);

}  // namespace warpmark::source_edits

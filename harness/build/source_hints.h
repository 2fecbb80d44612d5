// Reads single lines of a student's source for what an engine's finding cannot know: which variable a line
// changes, and what the test before an access is about. The text is not parsed: where a line is not of a
// known form, there is no hint.
#pragma once

#include <string>
#include <string_view>

namespace warpmark::build {

// Returns the variable that the line changes, such as "sum" for "for (...) sum += data[i];"; empty if it
// changes none, or several.
std::string changed_variable(std::string_view line);

// Compares the access to `array` at a line with the test on that line, or in an `if` on the line before.
// Returns the remedy, with both expressions, if the test is about another variable than the index, about a
// smaller index, or lets one index too many through; empty if there is no such test.
std::string about_bounds_test(const std::string& text, int line, std::string_view array);

// Returns why the for loop whose head is at a line never ends, as far as its step shows it: it leads away
// from the bound, or assigns the same value each time; else empty.
std::string about_endless_loop(const std::string& text, int line);

// Returns the last line before `line` that stores to elements of an array, or the first one behind it; 0 if
// there is none.
int line_that_sets(const std::string& text, std::string_view array, int line);

// Returns true if the function around a line, or a line of it before, uses a name such as blockIdx.
bool function_uses(const std::string& text, int line, std::string_view name);

// Returns the first line that launches a kernel, given by its name with or without template arguments; 0 if
// there is none.
int line_of_launch(const std::string& text, std::string_view kernel);

// Returns `message`, of an access out of bounds, with about_bounds_test()'s remedy in place of the general
// one at its end.
std::string with_bounds_test(std::string message, const std::string& text, int line);

}  // namespace warpmark::build

// Rewrites variable-length arrays with an initializer: g++, and so nvcc, accepts them in host code, clang
// does not. The rewritten code declares the array, then a pointer whose initializer fills it: float a[n] =
// {1} becomes float a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)(1).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warpmark::build {

// Maps a file name without folders to the lines at which clang rejected a variable-length array with an
// initializer.
using ArrayLines = std::map<std::string, std::set<int>>;

// Extracts from a compiler's output the files and lines at which a variable-length array with an initializer
// was rejected.
ArrayLines lines_of_variable_arrays(std::string_view output);

// Rewrites the variable-length arrays in the given lines; the number of lines does not change. A
// multidimensional array keeps its initializer if the initializer has nested braces and nonzero elements.
std::string spell_variable_arrays(std::string_view source, const std::set<int>& lines);

}  // namespace warpmark::build

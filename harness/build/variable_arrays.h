// Arrays whose size is known at run time, with an initializer: g++, and so nvcc, takes them in host code,
// clang does not. Clang is shown the array, then a pointer whose initializer fills it: float a[n] = {1}
// becomes float a[n], *warpmark_filled_a = warpmark_fill_array(&a[0], sizeof a)(1).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warpmark::build {

// By the name of a file, without folders, the lines at which clang refused such an array.
using ArrayLines = std::map<std::string, std::set<int>>;

// Of what a compiler said.
ArrayLines lines_of_variable_arrays(std::string_view output);

// With as many lines. An array that is a row of rows keeps its initializer where that has braces within and
// more than zeros.
std::string spell_variable_arrays(std::string_view source, const std::set<int>& lines);

}  // namespace warpmark::build

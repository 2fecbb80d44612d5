// Recognises file names that almost match the names that an assignment expects.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace warpmark::judge {

// Returns the name in `wanted` that a file's name was probably meant to be: it differs by case, by one edit
// (letter replaced, added, removed, or two swapped), or by a suffix of editors and browsers (".txt", " (1)",
// "-1", " copy"). Returns nullopt if the name is itself wanted, is no source file's, or matches several.
std::optional<std::string> near_name(const std::string& name, const std::set<std::string>& wanted);

}  // namespace warpmark::judge

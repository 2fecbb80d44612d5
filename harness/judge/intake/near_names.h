// Files whose names are almost those that an assignment asks for.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace warpmark::judge {

// The one of `wanted` that a file's name was meant to be: it differs in case, in one letter (another, one
// more, one less, two swapped), or in what editors and browsers add (".txt", " (1)", "-1", " copy"). Nothing
// when the name is one of them, is no source's, or is near several.
std::optional<std::string> near_name(const std::string& name, const std::set<std::string>& wanted);

}  // namespace warpmark::judge

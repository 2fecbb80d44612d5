// Recognises misspelt file names: names that almost match one that an assignment expects.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace warpmark::judge {

// Returns the name in `wanted` for which a file's name was probably meant: same up to case, one edit (letter
// replaced, added, removed, or two swapped), or a suffix that editors and browsers add (".txt", " (1)", "-1",
// " copy"). Returns nullopt if the name is itself wanted, is not a source file's, or matches several wanted
// names.
std::optional<std::string> near_name(const std::string& name, const std::set<std::string>& wanted);

}  // namespace warpmark::judge

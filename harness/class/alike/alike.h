// Submissions that share code, for the instructor to look at: never a verdict, never points.
//
// Winnowing (Schleimer, Wilkerson, Aiken: "Winnowing: local algorithms for document fingerprinting", SIGMOD
// 2003) over the tokens of a version without names, numbers and comments. What the template and the reference
// hold is taken out first.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/class_result.h"

namespace warpmark::classroom {

using Fingerprints = std::set<std::uint64_t>;

// Renaming, reordering of comments and layout leave them as they are.
Fingerprints fingerprints_of(std::string_view source);

struct Authored {
  std::string id;    // of the student
  std::string text;  // of one version
};

// Pairs of students whose texts of one version share at least kAlike of the smaller one's fingerprints beyond
// `known`, the most alike first. A text with fewer than kFewest of its own says nothing.
inline constexpr double kAlike = 0.6;
inline constexpr std::size_t kFewest = 8;
std::vector<Likeness> alike_in(const std::string& version, const std::vector<Authored>& texts,
                               const Fingerprints& known);

}  // namespace warpmark::classroom

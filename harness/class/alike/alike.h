// Finds submissions that share code, for the instructor to inspect; has no effect on verdicts or points.
//
// The method is winnowing (Schleimer, Wilkerson, Aiken: "Winnowing: local algorithms for document
// fingerprinting", SIGMOD 2003) over the tokens of each student's kernel file, without names, numbers and
// comments. Code of the course's template and model solution is subtracted first.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/class_result.h"

namespace warpmark::classroom {

using Fingerprints = std::set<std::uint64_t>;

// Computes fingerprints that do not change when identifiers are renamed or comments and layout are edited.
Fingerprints fingerprints_of(std::string_view source);

struct Authored {
  std::string id;
  std::string text;  // text of one of the student's kernel files
};

// Returns the pairs of students whose texts share at least the fraction kAlike of the smaller text's
// fingerprints, most similar first. Fingerprints in `known` (the course's own code) do not count. Texts with
// fewer than kFewest remaining fingerprints are too short to compare.
inline constexpr double kAlike = 0.6;
inline constexpr std::size_t kFewest = 8;
std::vector<Likeness> alike_in(const std::string& version, const std::vector<Authored>& texts,
                               const Fingerprints& known);

}  // namespace warpmark::classroom

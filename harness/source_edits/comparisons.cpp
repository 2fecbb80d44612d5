#include "harness/source_edits/comparisons.h"

#include <algorithm>

#include "harness/source_edits/source.h"

namespace warpmark::source_edits {
namespace {

// Returns the last name of the operand that ends at `token`, "least" of other.least and "keys" of keys[i];
// empty if it is no member and no element.
std::string_view name_before(const Source& source, std::size_t token) {
  if (source.at(token) == "]" && source.partner(token) != Source::kNone)
    return source.at(source.partner(token) - 1);
  const std::string_view before = source.at(token - 1);
  return source.is_name(token) && (before == "." || before == "->") ? source.at(token) : "";
}

// The same of the operand that begins at `token`.
std::string_view name_behind(const Source& source, std::size_t token) {
  if (!source.is_name(token)) return {};
  std::size_t last = token;
  while (source.at(last + 1) == "." || source.at(last + 1) == "->") last += 2;
  return source.at(last + 1) == "[" || last > token ? source.at(last) : "";
}

}  // namespace

std::vector<int> lines_that_compare_alike(std::string_view text) {
  const Source source(text);
  std::vector<int> lines;
  for (const Function& function : source.functions()) {
    for (std::size_t k = function.open + 1; k < function.close; ++k) {
      const std::string_view what = source.at(k);
      if ((what != "<" && what != "<=" && what != ">" && what != ">=") || !source.is_binary(k)) continue;
      const std::string_view name = name_before(source, k - 1);
      if (name.empty() || name != name_behind(source, k + 1)) continue;
      const int line = source.line(k);
      if (lines.empty() || lines.back() != line) lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace warpmark::source_edits

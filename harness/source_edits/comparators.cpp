#include "harness/source_edits/comparators.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace warpmark::source_edits {
namespace {

// Algorithms of the standard library and Thrust whose last argument tells whether an element comes before
// another one.
constexpr std::array<std::string_view, 13> kOrdering{
    "sort",        "stable_sort", "sort_by_key",   "stable_sort_by_key", "partial_sort",
    "nth_element", "merge",       "inplace_merge", "merge_by_key",       "min_element",
    "max_element", "make_heap",   "sort_heap"};

// A function of two elements: its parameters, and its body from { to }.
struct Comparator {
  std::array<std::string_view, 2> parameters;
  std::size_t open = 0;
  std::size_t close = 0;
};

// Returns the function whose parameters stand between the brackets that open at `list`.
std::optional<Comparator> comparator_at(const Source& source, std::size_t list) {
  const std::size_t end = source.partner(list);
  if (source.at(list) != "(" || end == Source::kNone) return std::nullopt;
  Comparator found;
  std::size_t count = 0;
  for (std::size_t k = list + 1; k <= end; ++k) {
    if (source.at(k) != "," && k != end) continue;
    if (count == 2 || !source.is_name(k - 1)) return std::nullopt;
    found.parameters[count++] = source.at(k - 1);
  }
  std::size_t open = end + 1;
  while (open < source.count() && source.at(open) != "{" && source.at(open) != ";") ++open;
  if (count != 2 || source.at(open) != "{" || source.partner(open) == Source::kNone) return std::nullopt;
  found.open = open;
  found.close = source.partner(open);
  return found;
}

// Returns the comparator that an argument is: a lambda, or the name of a function or of a struct.
std::optional<Comparator> comparator_of(const Source& source, std::size_t argument) {
  if (source.at(argument) == "[" && source.partner(argument) != Source::kNone)
    return comparator_at(source, source.partner(argument) + 1);
  if (!source.is_name(argument)) return std::nullopt;
  for (std::size_t k = 1; k + 3 < source.count(); ++k) {
    if (source.at(k) != source.at(argument) || k == argument) continue;
    if (source.at(k - 1) == "bool" && source.at(k + 1) == "(") return comparator_at(source, k + 1);
    if (source.at(k - 1) != "struct" || source.at(k + 1) != "{" || source.partner(k + 1) == Source::kNone)
      continue;
    for (std::size_t member = k + 2; member < source.partner(k + 1); ++member) {
      if (source.at(member) == "operator" && source.at(member + 1) == "(")
        return comparator_at(source, member + 3);
    }
  }
  return std::nullopt;
}

// Returns the text of tokens with the first parameter in place of the second.
std::string as_of_one(const Source& source, std::size_t first, std::size_t last,
                      const Comparator& comparator) {
  const auto& [a, b] = comparator.parameters;
  std::string text;
  for (std::size_t k = first; k <= last; ++k)
    text += fmt::format("{} ", source.at(k) == b ? a : source.at(k));
  return text;
}

// Looks for `x(a) <= x(b)`: true for equal elements.
std::optional<BadComparator> or_equal(const Source& source, const Comparator& comparator) {
  for (std::size_t k = comparator.open + 1; k < comparator.close; ++k) {
    if (source.at(k) != "<=" && source.at(k) != ">=") continue;
    const std::size_t begin = source.operand_begin(k);
    const std::size_t end = source.operand_end(k);
    const bool same =
        as_of_one(source, begin, k - 1, comparator) == as_of_one(source, k + 1, end, comparator);
    if (same && source.text(begin, k - 1) != source.text(k + 1, end))
      return BadComparator{
          k, fmt::format("the comparator returns true for equal elements, `{}`", source.text(begin, end))};
  }
  return std::nullopt;
}

}  // namespace

std::optional<BadComparator> find_bad_comparator(const Source& source) {
  for (std::size_t call = 0; call + 1 < source.count(); ++call) {
    if (std::ranges::find(kOrdering, source.at(call)) == kOrdering.end() || source.at(call + 1) != "(" ||
        source.partner(call + 1) == Source::kNone)
      continue;
    const std::size_t end = source.partner(call + 1);
    for (std::size_t k = call + 2; k < end; ++k) {
      const std::string_view what = source.at(k);
      if (what == "less_equal" || what == "greater_equal")
        return BadComparator{k, fmt::format("`{}` is true for equal elements", what)};
      if (source.at(k - 1) != ",") continue;
      if (const auto comparator = comparator_of(source, k)) {
        if (auto found = or_equal(source, *comparator)) return found;
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpmark::source_edits

#include "harness/source_edits/harmless.h"

#include <algorithm>

namespace warpmark::source_edits {
namespace {

// A range of tokens, both ends included; empty if last < first.
struct Range {
  std::size_t first = 1;
  std::size_t last = 0;
};

bool same(const Source& source, const Range& one, const Range& other) {
  if (one.last < one.first || one.last - one.first != other.last - other.first) return false;
  for (std::size_t k = 0; k <= one.last - one.first; ++k) {
    if (source.at(one.first + k) != source.at(other.first + k)) return false;
  }
  return true;
}

// Returns true if {a, b} and {c, d} are the same texts, in either order.
bool same_pair(const Source& source, const Range& a, const Range& b, const Range& c, const Range& d) {
  return (same(source, a, c) && same(source, b, d)) || (same(source, a, d) && same(source, b, c));
}

}  // namespace

bool is_of_rounding_up(const Source& source, std::size_t token) {
  const std::size_t minus = source.at(token) == "-" ? token : token - 1;
  if (token == 0 || source.at(minus) != "-" || source.at(minus + 1) != "1" || source.at(minus + 2) != ")" ||
      source.at(minus + 3) != "/")
    return false;
  const std::size_t open = source.partner(minus + 2);
  if (open == Source::kNone) return false;
  std::size_t plus = minus;
  while (plus > open && source.at(plus) != "+") --plus;
  const Range summand{plus + 1, minus - 1};
  return plus > open && same(source, summand, {minus + 4, minus + 4 + (summand.last - summand.first)});
}

bool is_overwritten_by_cuda(const Source& source, const Function& function, std::size_t token) {
  if (token < 2 || source.at(token - 1) != "=" || source.at(token + 1) != ";" || !source.is_name(token - 2))
    return false;
  const std::string_view name = source.at(token - 2);
  for (std::size_t k = token + 1; k < function.close; ++k) {
    if (source.at(k) != name) continue;
    if (source.at(k - 1) != "&" || source.is_binary(k - 1)) return false;
    std::size_t open = k;
    while (open > token && source.at(open) != "(") --open;
    return open > token && source.at(open - 1).starts_with("cuda");
  }
  return false;
}

bool chooses_operand(const Source& source, std::size_t token) {
  const std::string_view what = source.at(token);
  if (what != "<" && what != "<=" && what != ">" && what != ">=") return false;
  const Range left{source.operand_begin(token), token - 1};
  const std::size_t end = source.operand_end(token);
  const Range right{token + 1, end};
  if (source.at(end + 1) == "?") {
    const std::size_t colon = source.operand_end(end + 1) + 1;
    if (source.at(colon) != ":") return false;
    return same_pair(source, left, right, {end + 2, colon - 1}, {colon + 1, source.operand_end(colon)});
  }
  const bool of_if = left.first >= 2 && source.at(left.first - 1) == "(" && source.at(left.first - 2) == "if";
  if (!of_if || source.at(end + 1) != ")") return false;
  std::size_t target = end + 2;
  if (source.at(target) == "{") ++target;
  std::size_t equals = target;
  while (equals < source.count() && source.at(equals) != "=" && source.at(equals) != ";") ++equals;
  if (source.at(equals) != "=") return false;
  return same_pair(source, left, right, {target, equals - 1}, {equals + 1, source.operand_end(equals)});
}

bool asks_for_device(const Source& source, const Statement& statement) {
  return source.at(statement.begin) == "cudaGetDevice";
}

}  // namespace warpmark::source_edits

// The sign of places that atomics hand out.
#include <set>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/signs.h"
#include "harness/source_edits/source.h"

namespace warpmark::source_edits {
namespace {

// Returns true if the statement at a token is executed by one thread alone, `if (tid == 0) ...`.
bool is_of_one_thread(const Source& source, std::size_t token, std::size_t open) {
  for (std::size_t k = open; k < token; ++k) {
    if (source.at(k) != "if" || source.partner(k + 1) == Source::kNone || source.partner(k + 1) > token)
      continue;
    const std::size_t close = source.partner(k + 1);
    const std::size_t end = source.statement_end(close + 1);
    const bool one = source.at(close - 1) == "0" && source.at(close - 2) == "==";
    if (one && end != Source::kNone && end >= token) return true;
  }
  return false;
}

bool hands_out(std::string_view name) {
  return name == "atomicAdd" || name == "atomicInc" || name == "atomicSub";
}

// Returns the variable that gets the result of the call at `token`, and those that are computed from it.
std::set<std::string_view> names_of_result(const Source& source, std::size_t token, std::size_t close) {
  std::set<std::string_view> names;
  if (source.at(token - 1) == "=" && source.is_name(token - 2)) names.insert(source.at(token - 2));
  for (std::size_t at = token; at < close && !names.empty(); ++at) {
    if (!names.contains(source.at(at)) || is_member(source, at)) continue;
    for (std::size_t to = source.statement_begin(at); to + 1 < at; ++to) {
      if (source.at(to + 1) == "=" && source.is_name(to)) names.insert(source.at(to));
    }
  }
  return names;
}

// Returns true if a subscript of what is stored to holds the call or one of the names, `to[place] = number`.
bool is_place(const Source& source, const Function& function, std::size_t call,
              const std::set<std::string_view>& names) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "[" || source.partner(k) == Source::kNone) continue;
    const std::size_t close = source.partner(k);
    if (source.at(close + 1) != "=") continue;
    for (std::size_t at = k + 1; at < close; ++at) {
      if (at == call || (names.contains(source.at(at)) && source.at(at + 1) != "(")) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<Sign> place_by_atomic(std::string_view text) {
  const Source source(text);
  for (const Function& function : source.functions()) {
    for (std::size_t k = function.open + 1; function.on_device && k < function.close; ++k) {
      if (!hands_out(source.at(k)) || is_of_one_thread(source, k, function.open) ||
          !is_place(source, function, k, names_of_result(source, k, function.close)))
        continue;
      return Sign{
          source.line(k),
          fmt::format(
              "the result of {} at line {} is the place at which its thread stores: threads get places "
              "in the order in which they come there, so that equal numbers, such as those of equal "
              "digits, change their order. Let the place follow from the position: count how many of "
              "the same kind stand before it",
              source.at(k), source.line(k)),
          true};
    }
  }
  return std::nullopt;
}

}  // namespace warpmark::source_edits

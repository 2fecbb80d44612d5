#include "harness/source_edits/displacements.h"

#include <algorithm>
#include <array>

#include "harness/source_edits/edits.h"

namespace warpmark::source_edits {
namespace {

// A function of MPI and the index of its parameter for displacements (MPI 4.1, chapter 6).
struct Collective {
  std::string_view name;
  std::size_t displacements;
};
constexpr std::array kCollectives{Collective{"MPI_Scatterv", 2}, Collective{"MPI_Gatherv", 5},
                                  Collective{"MPI_Allgatherv", 5}};

// Returns the array that a call passes as displacements, of `first.data()` and `&first[0]` its name; empty if
// the token is no call of the function.
std::string_view array_passed(const Source& source, std::size_t token, const Collective& function) {
  if (source.at(token) != function.name || source.at(token + 1) != "(" ||
      source.partner(token + 1) == Source::kNone)
    return {};
  const auto arguments = arguments_of(source, token + 1);
  if (arguments.size() <= function.displacements) return {};
  for (std::size_t k = arguments[function.displacements].begin; k <= arguments[function.displacements].end;
       ++k)
    if (source.is_name(k)) return source.at(k);
  return {};
}

// Returns true if the name at `token` is an array whose elements are set there: `a[i] = x`, `a.push_back(x)`,
// or the range that an algorithm writes to, `f(..., a.begin(), 0)`.
bool is_filled(const Source& source, std::size_t token) {
  if (source.at(token + 1) == "[") {
    const std::size_t close = source.partner(token + 1);
    return close != Source::kNone && source.is_assignment(close + 1);
  }
  const std::string_view member = source.at(token + 1) == "." ? source.at(token + 2) : "";
  return member == "push_back" || member == "emplace_back" ||
         (member == "begin" && source.at(token - 1) == ",");
}

}  // namespace

FilledArray filled_displacements(std::string_view text, std::string_view function) {
  const auto collective = std::ranges::find(kCollectives, function, &Collective::name);
  if (collective == kCollectives.end()) return {};
  const Source source(text);
  std::size_t call = 0;
  std::string_view array;
  for (; call < source.count() && array.empty(); ++call) array = array_passed(source, call, *collective);
  if (array.empty()) return {};
  --call;
  FilledArray filled;
  for (std::size_t k = 1; k < source.count(); ++k) {
    for (const Collective& other : kCollectives)
      if (k != call && array_passed(source, k, other) == array) return {};
    if (k < call && source.at(k) == array && is_filled(source, k))
      filled = {source.line(k), std::string(array)};
  }
  return filled;
}

}  // namespace warpmark::source_edits

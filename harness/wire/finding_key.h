// Decides whether two findings (reported errors) are the same: one rule for the simulator, the judge process
// and `simulate`.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/cause_kind.h"

namespace warpmark::wire {

// Identifies a finding by its kind and an unordered pair of source lines. A finding without a line is
// identified by its message, with numbers removed (addresses and estimates differ from run to run), and by
// its call stack in host code, if known.
struct FindingKey {
  CauseKind kind = CauseKind::unsupported;
  std::string file;
  int low = 0;
  int high = 0;  // larger of a reported error's two source lines; 0: the error has only one line
  std::string words;
  std::vector<std::uint64_t> frames;
  auto operator<=>(const FindingKey&) const = default;
};

FindingKey key_of(CauseKind kind, std::string_view file, int line, int other_line, std::string_view message);

// Returns the key under which equal findings are merged. Found is Finding, or any type with the same
// members.
template <class Found>
FindingKey key_of(const Found& found) {
  FindingKey key = key_of(found.kind, found.file, found.line, found.other_line, found.message);
  if constexpr (requires { found.frames; }) {
    if (found.line == 0) key.frames = found.frames;
  }
  return key;
}

// Returns the part of a race's message that says what would order the accesses, so that races with the same
// remedy can be told.
std::string_view remedy_in(std::string_view message);

// Parts of the message of a race that stands for others: "line 12" or "lines 12 and 14", and the sentence
// that lists them; empty if there are none.
std::string pair_text(int line, int other_line);
std::string also_at(const std::vector<std::string>& pairs);

// Merges races that have a line of the same file and the remedy in common into the first of them: they come
// of one missing barrier, lock or reduction. Its message then says how many pairs of lines it stands for.
template <class Found>
void fold_races(std::vector<Found>& all) {
  struct Folded {
    std::set<int> lines;
    std::vector<std::string> pairs;
  };
  std::map<std::size_t, Folded> folded;  // by the first race's position in `kept`
  std::vector<Found> kept;
  for (Found& each : all) {
    const bool foldable = each.kind == CauseKind::race && each.line > 0 && each.other_line > 0;
    const auto first = std::ranges::find_if(folded, [&](const auto& entry) {
      const Found& race = kept[entry.first];
      const std::set<int>& lines = entry.second.lines;
      return foldable && race.file == each.file && remedy_in(race.message) == remedy_in(each.message) &&
             (lines.contains(each.line) || lines.contains(each.other_line));
    });
    if (first != folded.end()) {
      first->second.lines.insert({each.line, each.other_line});
      first->second.pairs.push_back(pair_text(each.line, each.other_line));
      continue;
    }
    if (foldable) folded[kept.size()].lines = {each.line, each.other_line};
    kept.push_back(std::move(each));
  }
  for (const auto& [position, races] : folded) kept[position].message += also_at(races.pairs);
  all = std::move(kept);
}

}  // namespace warpmark::wire

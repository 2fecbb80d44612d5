// Decides whether two findings (reported errors) are the same: one rule for the simulator, the judge process
// and `simulate`.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
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

}  // namespace warpmark::wire

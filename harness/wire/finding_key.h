// When two findings are the same one: the one rule for the simulator, the judge and `simulate`.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/cause_kind.h"

namespace warpmark::wire {

// A kind at an unordered pair of lines of a file. Without a line the words decide, without their numbers
// (addresses and estimates differ from run to run), and the call in host code, where it is known.
struct FindingKey {
  CauseKind kind = CauseKind::unsupported;
  std::string file;
  int low = 0;
  int high = 0;  // 0: one line
  std::string words;
  std::vector<std::uint64_t> frames;
  auto operator<=>(const FindingKey&) const = default;
};

FindingKey key_of(CauseKind kind, std::string_view file, int line, int other_line, std::string_view message);

// Of a finding, or what has its members.
template <class Found>
FindingKey key_of(const Found& found) {
  FindingKey key = key_of(found.kind, found.file, found.line, found.other_line, found.message);
  if constexpr (requires { found.frames; }) {
    if (found.line == 0) key.frames = found.frames;
  }
  return key;
}

}  // namespace warpmark::wire

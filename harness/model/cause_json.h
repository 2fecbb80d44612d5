// JSON form of a kind of cause: its name.
#pragma once

#include <array>

#include "harness/base/cause_kind.h"
#include "harness/model/json.h"

namespace warpmark {

template <>
struct model::Choices<CauseKind> {
  static constexpr auto all = [] {
    std::array<CauseKind, kCauseRules.size()> kinds{};
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = kCauseRules[i].kind;
    return kinds;
  }();
  static constexpr std::string_view expected = "a kind of cause that this tool knows";
};

}  // namespace warpmark

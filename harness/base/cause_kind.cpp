#include "harness/base/cause_kind.h"

#include <algorithm>

namespace warpmark {

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 5> names{"passed", "failed", "not_run", "inconclusive", "broken"};
  return names[static_cast<std::size_t>(verdict)];
}

std::optional<CauseKind> cause_kind_from(std::string_view name) {
  const auto* rule = std::ranges::find(kCauseRules, name, &CauseRule::name);
  return rule == kCauseRules.end() ? std::nullopt : std::optional(rule->kind);
}

}  // namespace warpmark

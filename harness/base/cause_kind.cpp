#include "harness/base/cause_kind.h"

#include <algorithm>

namespace warpmark {

std::optional<CauseKind> cause_kind_from(std::string_view name) {
  const auto* rule = std::ranges::find(kCauseRules, name, &CauseRule::name);
  return rule == kCauseRules.end() ? std::nullopt : std::optional(rule->kind);
}

}  // namespace warpmark

// The names that grade.json and every report use for verdicts and causes.
#include "reports/grade.h"

#include <array>

namespace warpmark {
namespace {

constexpr std::array kCauseNames = {
#define WARPMARK_X(name) std::string_view(#name),
    WARPMARK_CAUSE_KINDS(WARPMARK_X)
#undef WARPMARK_X
};

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::not_run:
      return "not_run";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::broken:
      return "broken";
  }
  return "broken";
}

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::load:
      return "load";
    case Phase::call:
      return "call";
    case Phase::between:
      return "between";
  }
  return "call";
}

std::string_view name_of(CauseKind kind) {
  return kCauseNames.at(static_cast<std::size_t>(kind));
}

std::optional<CauseKind> cause_kind_from(std::string_view name) {
  for (std::size_t i = 0; i < kCauseNames.size(); ++i) {
    if (kCauseNames[i] == name) return static_cast<CauseKind>(i);
  }
  return std::nullopt;
}

}  // namespace warpmark

#include "harness/judge/workers/source_remedies.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "harness/source_edits/races.h"

namespace warpmark::judge {

bool put_remedy_of_source(Cause& cause, const Blame& blame) {
  constexpr std::string_view kOrders = "nothing orders the two: ";
  constexpr std::string_view kUndefined = ", which is uninitialised";
  constexpr std::string_view kReads = " reads ";
  const bool race = cause.kind == CauseKind::race || cause.kind == CauseKind::warp_synchronous;
  if (blame.submission == nullptr || cause.line <= 0 ||
      (!race && cause.kind != CauseKind::uninitialised_read))
    return false;
  const std::string_view before = race ? kOrders : kUndefined;
  const std::size_t found = cause.message.find(before);
  const auto text = submitted_text(*blame.submission, cause.file);
  if (!text || found == std::string::npos) return false;
  const std::size_t begin = found + before.size();
  std::string element;
  int line = cause.line;
  if (const std::size_t reads = cause.message.find(kReads); !race && reads < found)
    element = cause.message.substr(reads + kReads.size(), found - reads - kReads.size());
  const auto reading = std::ranges::find(cause.accesses, false, &RacingAccess::writes);
  if (race && reading != cause.accesses.end()) {
    element = reading->element;
    line = reading->line;
  }
  const auto writing = std::ranges::find(cause.accesses, true, &RacingAccess::writes);
  std::string remedy;
  if (race && writing != cause.accesses.end())
    remedy = source_edits::about_same_memory(*text, writing->line, writing->element);
  if (remedy.empty()) remedy = source_edits::about_passed_end(*text, line, element);
  if (remedy.empty() && race) remedy = source_edits::about_next_round(*text, cause.line, cause.other_line);
  if (remedy.empty()) return false;
  const std::size_t end = std::min(cause.message.find("; the same at line", begin), cause.message.size());
  cause.message.replace(begin, end - begin, race ? remedy : ": " + remedy);
  return true;
}

}  // namespace warpmark::judge

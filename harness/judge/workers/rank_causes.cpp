#include "harness/judge/workers/rank_causes.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/ranks/board.h"

namespace warpmark::judge {
namespace {

CauseKind kind_of(wire::RanksEnd end) {
  switch (end) {
    case wire::RanksEnd::crashed:
      return CauseKind::crashed;
    case wire::RanksEnd::exited:
      return CauseKind::exited;
    case wire::RanksEnd::timed_out:
      return CauseKind::timed_out;
    case wire::RanksEnd::deadlock:
      return CauseKind::deadlock;
    case wire::RanksEnd::mpi_error:
      return CauseKind::mpi_error;
  }
  return CauseKind::internal;
}

// Returns a message on how each MPI rank failed. `where` returns a rank's source line, such as " at line 12",
// or "".
std::string told(const wire::RanksFailure& failure,
                 const std::function<std::string(const wire::RankPlace&)>& where) {
  std::vector<std::string> places;
  for (const wire::RankPlace& place : failure.places)
    places.push_back(fmt::format("rank {} {}{}", place.rank, place.what, where(place)));
  const char* head = "";
  if (failure.end == wire::RanksEnd::deadlock) head = "no rank can go on: ";
  if (failure.end == wire::RanksEnd::timed_out) head = "shortly before the time limit: ";
  std::string advice = failure.advice;
  if (!advice.empty()) advice[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(advice[0])));
  return fmt::format("with {} rank{}, {}{}. {}", failure.ranks, failure.ranks == 1 ? "" : "s", head,
                     fmt::join(places, "; "), advice);
}

}  // namespace

Cause cause_of(const wire::RanksFailure& failure) {
  // No fault of the version: its points stay open.
  const bool no_windows = failure.end == wire::RanksEnd::mpi_error &&
                          std::ranges::any_of(failure.places, [](const wire::RankPlace& place) {
                            return place.what.ends_with(ranks::kNoWindows);
                          });
  return make_cause(no_windows ? CauseKind::unsupported : kind_of(failure.end),
                    told(failure, [](const auto&) { return std::string(); }));
}

void place_ranks(Cause& cause, const wire::RanksFailure& failure, const Blame& blame) {
  cause.message = told(failure, [&](const wire::RankPlace& place) {
    if (place.frame == 0) return std::string();
    Cause there = make_cause(cause.kind, "");
    point_to_host_code(there, {place.frame}, false, blame);
    if (there.line == 0) return std::string();
    if (cause.line == 0) {
      cause.file = there.file;
      cause.line = there.line;
      cause.excerpt = there.excerpt;
    } else if (cause.other_line == 0 && there.file == cause.file) {
      cause.other_line = there.line;
    }
    return fmt::format(" at line {}", there.line);
  });
  for (const wire::RankHistory& history : failure.histories) {
    RankCalls rank{history.rank, history.returned, history.earlier, {}};
    for (const wire::RankCall& call : history.calls) {
      Cause there;
      if (call.frame != 0) point_to_host_code(there, {call.frame}, false, blame);
      const bool here = there.file == cause.file;
      rank.calls.push_back({call.what, here ? there.line : 0, call.waits});
    }
    cause.rank_calls.push_back(std::move(rank));
  }
}

}  // namespace warpmark::judge

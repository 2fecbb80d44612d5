#include "harness/ranks/watch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sys/wait.h>

namespace warpmark::ranks {
namespace {

std::string name_of(Function function) {
  return kFunctionNames.at(static_cast<std::size_t>(function));
}

// Describes what an MPI rank is blocked in, such as "waits in MPI_Recv for rank 1".
std::string waiting(const Seen& rank) {
  std::string text = "waits in " + name_of(rank.function);
  if (rank.peer < 0) return text;
  return text + (is_collective(rank.function) ? " with root " : " for rank ") + std::to_string(rank.peer);
}

bool waits(const Seen& rank) {
  return rank.in_version && rank.function != Function::none;
}

std::string advice_for(const std::vector<Seen>& ranks) {
  std::vector<Function> collectives;
  bool returned = false;
  for (const Seen& rank : ranks) {
    if (!rank.in_version) returned = true;
    if (waits(rank) && is_collective(rank.function)) collectives.push_back(rank.function);
  }
  const bool differ = std::ranges::any_of(collectives, [&](Function each) { return each != collectives[0]; });
  if (!collectives.empty() && (differ || returned || collectives.size() < ranks.size())) {
    return "all ranks have to make the same collective calls, with the same root, in the same order: look "
           "for one that only some ranks reach: in a branch, a loop of another length, or after a return";
  }
  const auto all_in = [&](auto... functions) {
    return std::ranges::all_of(
        ranks, [&](const Seen& rank) { return !waits(rank) || ((rank.function == functions) || ...); });
  };
  if (all_in(Function::Send, Function::Ssend)) {
    return "a send of a large message waits until the other rank receives it, and each of these sends first: "
           "let "
           "one of two ranks receive first, or use MPI_Sendrecv, which does both";
  }
  if (all_in(Function::Recv) && returned) {
    return "the ranks that wait receive, and no message comes that fits: the others have made all their "
           "sends. "
           "Look for a tag or a rank that differs between MPI_Send and MPI_Recv, and for a send that only "
           "some "
           "ranks reach";
  }
  if (all_in(Function::Recv)) {
    return "each of these ranks receives before it sends: each message needs a matching send and receive; "
           "let "
           "one of two ranks send first, or use MPI_Sendrecv; look for a rank or tag that differs, too";
  }
  return "each message needs a matching send and receive: look for a rank, a tag or a number of messages "
         "that differs, for two ranks that both receive before they send, and for ranks without a share of "
         "the data";
}

}  // namespace

std::vector<Seen> look_at(const Board& board, int ranks) {
  std::vector<Seen> all;
  for (int i = 0; i < ranks; ++i) {
    const RankState& rank = board.ranks[static_cast<std::size_t>(i)];
    Seen seen;
    seen.calls = rank.calls;
    seen.in_version = rank.in_version != 0;
    const auto function = rank.function.load();
    // The function number is validated, because student code can write any value to the shared memory of its
    // MPI rank.
    if (static_cast<std::size_t>(function) < kFunctionNames.size()) seen.function = function;
    seen.peer = rank.peer;
    seen.frame = rank.frame;
    seen.entries = rank.entries;
    const std::size_t noted = std::min<std::uint64_t>(rank.collectives, kMostCollectives);
    for (std::size_t k = 0; k < noted; ++k) {
      const Collective& each = rank.noted[k];
      const Function its = each.function.load();
      if (static_cast<std::size_t>(its) >= kFunctionNames.size()) break;
      seen.collectives.push_back({its, each.root, each.frame});
    }
    const std::uint64_t made = rank.made;
    seen.earlier_calls = made - std::min<std::uint64_t>(made, kMostCalls);
    for (std::uint64_t k = seen.earlier_calls; k < made; ++k) {
      const NotedCall& each = rank.last_calls[k % kMostCalls];
      const Function its = each.function.load();
      if (static_cast<std::size_t>(its) >= kFunctionNames.size()) break;
      seen.last_calls.push_back({its, each.peer, each.frame});
    }
    all.push_back(seen);
  }
  return all;
}

std::optional<wire::RanksFailure> different_collectives(const std::vector<Seen>& ranks, wire::RanksEnd end) {
  const auto is_other = [](const Seen::Collective& a, const Seen::Collective& b) {
    return a.function != b.function || a.root != b.root;
  };
  const auto text = [](const Seen::Collective& call) {
    const std::string name = "calls " + name_of(call.function);
    return call.root < 0 ? name : name + " with root " + std::to_string(call.root);
  };
  if (std::ranges::any_of(ranks, [&](const Seen& rank) { return rank.calls != ranks[0].calls; }))
    return std::nullopt;
  for (std::size_t k = 0; k < kMostCollectives; ++k) {
    for (std::size_t i = 1; i < ranks.size(); ++i) {
      const bool first_has = k < ranks[0].collectives.size(), has = k < ranks[i].collectives.size();
      if (first_has && has && !is_other(ranks[0].collectives[k], ranks[i].collectives[k])) continue;
      const Seen& without = first_has ? ranks[i] : ranks[0];
      if (first_has != has && without.in_version) continue;  // it may make the call yet
      if (!first_has && !has) continue;
      wire::RanksFailure failure;
      failure.end = end;
      failure.ranks = static_cast<int>(ranks.size());
      for (const std::size_t rank : {std::size_t{0}, i}) {
        const auto& calls = ranks[rank].collectives;
        if (k < calls.size()) {
          failure.places.push_back({static_cast<int>(rank),
                                    text(calls[k]) + " as collective call " + std::to_string(k + 1),
                                    calls[k].frame});
        } else {
          failure.places.push_back({static_cast<int>(rank), "returns from the version instead", 0});
        }
      }
      std::ranges::stable_partition(failure.places,
                                    [](const wire::RankPlace& place) { return place.frame != 0; });
      failure.advice =
          "all ranks have to make the same collective calls, with the same root, in the same "
          "order: look for one that only some ranks reach, in a branch, a loop of another length, or "
          "after a return";
      return failure;
    }
  }
  return std::nullopt;
}

std::optional<wire::RanksFailure> DeadlockWatch::look(const std::vector<Seen>& ranks, Time now) {
  const bool somebody_waits = std::ranges::any_of(ranks, waits);
  const bool all_in_this_call =
      std::ranges::all_of(ranks, [&](const Seen& rank) { return rank.calls == ranks[0].calls; });
  const bool somebody_runs =
      std::ranges::any_of(ranks, [](const Seen& rank) { return rank.in_version && !waits(rank); });
  if (ranks != last_ || !somebody_waits || somebody_runs || !all_in_this_call) {
    last_ = ranks;
    since_ = now;
    return std::nullopt;
  }
  if (now - since_ < kDeadlockPatience) return std::nullopt;
  if (auto differ = different_collectives(ranks, wire::RanksEnd::deadlock)) return differ;
  wire::RanksFailure failure;
  failure.end = wire::RanksEnd::deadlock;
  failure.ranks = static_cast<int>(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (waits(ranks[i])) {
      failure.places.push_back({static_cast<int>(i), waiting(ranks[i]), ranks[i].frame});
    } else {
      failure.places.push_back({static_cast<int>(i), "has returned from the version", 0});
    }
  }
  std::ranges::stable_partition(failure.places,
                                [](const wire::RankPlace& place) { return place.frame != 0; });
  failure.advice = advice_for(ranks);
  return failure;
}

std::vector<wire::RankHistory> histories_of(const std::vector<Seen>& ranks, wire::RanksEnd end) {
  using wire::RanksEnd;
  if (ranks.size() < 2 || end == RanksEnd::crashed || end == RanksEnd::exited) return {};
  std::vector<wire::RankHistory> all;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Seen& rank = ranks[i];
    wire::RankHistory history{.rank = static_cast<int>(i),
                              .returned = !rank.in_version,
                              .earlier = rank.earlier_calls,
                              .calls = {}};
    for (const Seen::Call& call : rank.last_calls) {
      std::string what = name_of(call.function);
      if (call.peer >= 0)
        what += (is_collective(call.function) ? " (root " : " (rank ") + std::to_string(call.peer) + ")";
      history.calls.push_back({.what = std::move(what), .frame = call.frame});
    }
    if (waits(rank) && !history.calls.empty()) history.calls.back().waits = true;
    all.push_back(std::move(history));
  }
  return all;
}

wire::RanksFailure time_is_up(const std::vector<Seen>& ranks, const std::vector<std::uint64_t>& frames) {
  wire::RanksFailure failure;
  failure.end = wire::RanksEnd::timed_out;
  failure.ranks = static_cast<int>(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto rank = static_cast<int>(i);
    if (waits(ranks[i])) {
      failure.places.push_back({rank, waiting(ranks[i]), ranks[i].frame});
    } else if (ranks[i].in_version) {
      failure.places.push_back({rank, "computes", frames[i]});
    } else {
      failure.places.push_back({rank, "has returned from the version", 0});
    }
  }
  std::ranges::stable_partition(failure.places,
                                [](const wire::RankPlace& place) { return place.what == "computes"; });
  failure.advice = "look for a loop that never ends, or for a rank that gets most of the work";
  return failure;
}

wire::RanksFailure ended(int rank, int ranks, int status, const std::string& crash, std::uint64_t frame) {
  wire::RanksFailure failure;
  failure.ranks = ranks;
  if (WIFSIGNALED(status)) {
    failure.end = wire::RanksEnd::crashed;
    std::string how = "crashed with signal " + std::to_string(WTERMSIG(status)) + " (" +
                      ::strsignal(WTERMSIG(status)) + ")";
    if (!crash.empty()) how += ": " + crash;
    failure.places = {{rank, std::move(how), frame}};
    failure.advice =
        "the data is at rank 0 alone, the pointers of other ranks are null and their sizes 0: send every "
        "rank its "
        "size first, and give it memory of its own";
    if (rank == 0) failure.advice = "look for a null or dangling pointer, and for an index that is too large";
    return failure;
  }
  failure.end = wire::RanksEnd::exited;
  failure.places = {{rank, "ended itself with exit status " + std::to_string(WEXITSTATUS(status)), frame}};
  failure.advice = "return from the version on every rank; do not call exit or abort in it";
  return failure;
}

wire::RanksFailure refused(int rank, int ranks, Refusal refusal, const std::string& text,
                           std::uint64_t frame) {
  wire::RanksFailure failure;
  failure.ranks = ranks;
  failure.places = {{rank, text, frame}};
  failure.end = refusal == Refusal::aborted ? wire::RanksEnd::exited : wire::RanksEnd::mpi_error;
  failure.advice = refusal == Refusal::aborted
                       ? "return from the version on every rank"
                       : "compare the number of values, their type, root, rank and tag on both sides";
  if (refusal == Refusal::mpi_error && text.starts_with("called MPI_"))
    failure.advice = text.ends_with(kNoWindows)
                         ? "its points stay open; send messages instead"
                         : "MPI is started before a version is called, and ended after it";
  return failure;
}

}  // namespace warpmark::ranks

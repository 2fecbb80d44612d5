// Part of class Grading: resources for code on several MPI ranks or GPUs.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/grading.h"

namespace warpmark::judge {

int Grading::fewest_that_share(const VersionRule& version) {
  if (version.ranks.empty()) return 0;
  int fewest = std::ranges::max(version.ranks);
  for (const int ranks : version.ranks) {
    if (ranks > 1) fewest = std::min(fewest, ranks);
  }
  return fewest;
}

std::vector<Cause> Grading::obstacles_to_ranks(const Libraries& libraries, const VersionRule& version) const {
  if (version.ranks.empty()) return {};
  if (!engines_.mpi) return {engines_.no_mpi};
  if (!engines_.has(Engine::host)) return {engines_.missing.at(Engine::host)};
  std::vector<Cause> causes = libraries.mpi_side().causes;
  for (Cause& cause : causes) {
    cause.message = fmt::format("the library that starts {} does not build: {}", engines_.mpi->description,
                                cause.message);
    cause.kind = CauseKind::internal;
  }
  return causes;
}

GradingContext Grading::bench_for(const Libraries& libraries, const VersionRule& version, int ranks) const {
  GradingContext bench = bench_;
  bench.shape.devices = version.ranks.empty() ? version.gpus : 1;
  bench.libraries = &libraries;
  if (ranks == 0) return bench;
  bench.shape.ranks =
      std::make_shared<const RankStart>(RankStart{ranks, libraries.mpi_side().library, *engines_.mpi});
  return bench;
}

CheckOutcome Grading::with_each_number_of_ranks(const Libraries& libraries, const VersionRule& version,
                                                const AskWith& ask) const {
  if (version.ranks.empty()) return ask(bench_for(libraries, version, 0));
  CheckOutcome all;
  for (const int ranks : version.ranks) {
    CheckOutcome found = ask(bench_for(libraries, version, ranks));
    found.seconds += all.seconds;
    all = std::move(found);
    const std::string with = fmt::format("with {} rank{}", ranks, ranks == 1 ? "" : "s");
    for (Cause& cause : all.causes) {
      if (cause.message.find(with) == std::string::npos) cause.message = with + ": " + cause.message;
    }
    if (!all.causes.empty()) break;
  }
  return all;
}

}  // namespace warpmark::judge

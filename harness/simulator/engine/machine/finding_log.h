// Collects the non-fatal findings of a launch from all host threads. Findings of the same kind, array and
// pair of source lines are stored once.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/simulator/engine/machine/conflict.h"
#include "harness/simulator/engine/machine/finding.h"
#include "harness/wire/finding_key.h"

namespace warpmark::simulator {

class FindingLog {
 public:
  // Adds a finding. Of identical findings, keeps that of the block earliest in execution order (`rank`). For
  // a race, `conflict` describes the two accesses, from which the message's remedy is chosen later.
  void add(Finding finding, std::uint64_t rank, std::optional<Conflict> conflict = std::nullopt);

  // Returns one finding per cause, sorted by severity and source line, so that the order in which findings
  // were added does not matter. Drops findings that are mere consequences of another one.
  [[nodiscard]] std::vector<Finding> take();

 private:
  // Findings with an equal key are reported once. The key includes the array and which access reads, so
  // that `*p += x` yields both its read-write and its write-write race.
  using Key = std::tuple<wire::FindingKey, std::string, bool, bool, Conflict::Within>;
  struct Entry {
    std::uint64_t rank;
    Finding finding;
    std::optional<Conflict> conflict;
  };
  std::mutex mutex_;
  std::map<Key, Entry> entries_;
};

}  // namespace warpmark::simulator

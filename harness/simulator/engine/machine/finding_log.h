// Collects the non-fatal findings of a launch from all host threads, each kind once per pair of lines and
// array.
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
  // rank: of equal reports the one with the lowest rank is kept. If a conflict is given, take() appends the
  // remedy to the message.
  void add(Finding finding, std::uint64_t rank, std::optional<Conflict> conflict = std::nullopt);

  // Returns one finding per cause, sorted by severity and line so that the order of discovery does not
  // matter. Findings that only follow from another are dropped (Causes).
  [[nodiscard]] std::vector<Finding> take();

 private:
  // Includes the array and which side reads, so that both conflicts of `*p += x` are kept.
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

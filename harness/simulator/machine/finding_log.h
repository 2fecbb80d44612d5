// The findings of a launch that goes on, from all host threads: each kind once a pair of lines and array.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "harness/simulator/machine/conflict.h"
#include "harness/simulator/machine/finding.h"
#include "harness/wire/finding_key.h"

namespace warpmark::simulator {

class FindingLog {
 public:
  // rank: of several reports of the same the one of the lowest rank is kept. With a conflict the message has
  // no remedy yet: take() knows which one fits.
  void add(Finding finding, std::uint64_t rank, std::optional<Conflict> conflict = std::nullopt);

  // One for each cause, by severity and line, so that the order of discovery does not matter; without those
  // that only follow from another.
  [[nodiscard]] std::vector<Finding> take();

 private:
  // With array and what reads, so that both of `*p += x` are kept.
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

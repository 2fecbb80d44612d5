// The findings of a launch that goes on: each kind once a pair of lines, from all host threads.
#pragma once

#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "harness/simulator/machine/finding.h"

namespace warpmark::simulator {

class FindingLog {
 public:
  // rank: of several reports of the same the one of the lowest rank is kept.
  void add(Finding finding, std::uint64_t rank);

  // All of them, by kind and line, so that the order of discovery does not matter; without those that only
  // follow from another.
  [[nodiscard]] std::vector<Finding> take();

 private:
  [[nodiscard]] bool follows_from_a_race(const Finding& finding) const;

  using Key = std::tuple<Finding::Kind, std::string, int, int>;
  struct Entry {
    std::uint64_t rank;
    Finding finding;
  };
  std::mutex mutex_;
  std::map<Key, Entry> entries_;
};

}  // namespace warpmark::simulator

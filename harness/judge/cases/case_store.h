// Cache of the generated cases of one grading, shared by all versions.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// Thread-safe.
class CaseStore {
 public:
  // most_bytes: capacity of the cache. The course's rubric needs half of the default.
  explicit CaseStore(std::size_t most_bytes = std::size_t{1} << 30) : most_bytes_(most_bytes) {}

  // Returns the case's data; the first caller generates it while others wait. Data that exceeds the capacity
  // is not kept but regenerated for each caller.
  std::shared_ptr<const CaseData> get(const Assignment& assignment, const Case& which, Engine engine);
  // Likewise for CaseData::with_other_values().
  std::shared_ptr<const CaseData> with_other_values(const Assignment& assignment, const Case& which,
                                                    Engine engine);
  // Empties the cache.
  void clear();

 private:
  struct Slot {
    std::mutex mutex;  // held while the data is generated
    std::shared_ptr<const CaseData> data;
  };
  struct Order {
    bool operator()(const Case& a, const Case& b) const;
  };

  using Slots = std::map<Engine, std::map<Case, std::shared_ptr<Slot>, Order>>;
  // make: () -> CaseData
  template <class Make>
  std::shared_ptr<const CaseData> take(Slots& slots, const Case& which, Engine engine, Make make);

  std::size_t most_bytes_;
  std::mutex mutex_;
  Slots slots_;
  Slots with_other_values_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace warpmark::judge

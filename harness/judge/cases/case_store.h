// Cache of a grading's generated test inputs, shared by all kernel files of the submission.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// Thread-safe cache of test cases with their generated inputs and expected outputs, per engine.
class CaseStore {
 public:
  // Stores inputs of up to most_bytes bytes.
  explicit CaseStore(std::size_t most_bytes) : most_bytes_(most_bytes) {}
  // Stores up to 1 GiB, or an eighth of the machine's memory if that is more.
  CaseStore();

  // Returns the generated test case. The first caller generates its data while later callers wait; data that
  // exceeds the free capacity is not stored but generated again for every caller.
  std::shared_ptr<const CaseData> get(const Assignment& assignment, const Case& which, Engine engine);
  // Returns the test case with the other input data that CaseData::with_other_values() generates; cached, as
  // by get().
  std::shared_ptr<const CaseData> with_other_values(const Assignment& assignment, const Case& which,
                                                    Engine engine);
  // Drops all stored test cases.
  void clear();

 private:
  struct Slot {
    std::mutex mutex;  // mutex held by the thread that generates a cached test case's data
    std::shared_ptr<const CaseData> data;
  };
  struct Order {
    bool operator()(const Case& a, const Case& b) const;
  };

  using Slots = std::map<Engine, std::map<Case, std::shared_ptr<Slot>, Order>>;
  // Returns the cached test case, or stores the result of make(), which returns a CaseData.
  template <class Make>
  std::shared_ptr<const CaseData> take(Slots& slots, const Case& which, Engine engine, Make make);

  std::size_t most_bytes_;
  std::mutex mutex_;
  Slots slots_;
  Slots with_other_values_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace warpmark::judge

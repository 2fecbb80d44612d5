// The data of the cases of one grading: made once, however many versions are asked about them.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// Safe to call from several threads.
class CaseStore {
 public:
  // most_bytes: of what is kept; the cases of the course's rubric come to a quarter of the default.
  explicit CaseStore(std::size_t most_bytes = std::size_t{1} << 30) : most_bytes_(most_bytes) {}

  // Made by the first who asks. What does not fit beside the others is not kept, and made again for the next.
  std::shared_ptr<const CaseData> get(const Assignment& assignment, const Case& which, Engine engine);
  // Gives back what is kept.
  void clear();

 private:
  struct Slot {
    std::mutex mutex;  // held while it is made, so that the others wait
    std::shared_ptr<const CaseData> data;
  };
  struct Order {
    bool operator()(const Case& a, const Case& b) const;
  };

  std::size_t most_bytes_;
  std::mutex mutex_;
  std::map<Engine, std::map<Case, std::shared_ptr<Slot>, Order>> slots_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace warpmark::judge

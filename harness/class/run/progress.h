// How far a class is, for the instructor who waits.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "harness/class/journal/taken.h"

namespace warpmark::classroom {

struct ProgressFigures {
  std::size_t done = 0;
  std::size_t total = 0;
  std::size_t without_grade = 0;
  double seconds = 0;  // since the first was begun
};

// "3.4 a minute, 12 min left, 1 without a grade".
std::string pace_text(const ProgressFigures& figures);
// "[#####---------------]", 20 cells.
std::string bar_text(const ProgressFigures& figures);

// What is known before anything is graded: how many students there are, and who will have no grade.
std::vector<std::string> intake_lines(const TakenClass& taken);

// Shows them on stderr: one line that changes on a terminal, a line a student elsewhere. Safe to call from
// several threads.
class Progress {
 public:
  Progress(std::size_t total, bool terminal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // what: "74 of 100 points", or why there is no grade.
  void finished(const std::string& id, const std::string& what, bool graded);
  [[nodiscard]] ProgressFigures figures() const;

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  ProgressFigures figures_;
};

}  // namespace warpmark::classroom

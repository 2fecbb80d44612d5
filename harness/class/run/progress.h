// Reports a class's progress to the waiting instructor.
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
  double seconds = 0;  // seconds since the first submission was started
};

// Returns a text such as "3.4 a minute, 12 min left, 1 without a grade".
std::string pace_text(const ProgressFigures& figures);
// Returns a progress bar such as "[#####---------------]".
std::string bar_text(const ProgressFigures& figures);

// Returns lines to show before grading: the number of students, and who will have no grade.
std::vector<std::string> intake_lines(const TakenClass& taken);

// Prints progress to stderr: a line that is rewritten in place on a terminal, otherwise one line per student.
// Thread-safe.
class Progress {
 public:
  Progress(std::size_t total, bool terminal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Prints that a student is done. what: a summary such as "74 of 100 points", or why there is no grade.
  void finished(const std::string& id, const std::string& what, bool graded);
  [[nodiscard]] ProgressFigures figures() const;

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  ProgressFigures figures_;
};

}  // namespace warpmark::classroom

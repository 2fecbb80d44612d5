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
  double seconds = 0;            // seconds since the first submission was started
  double first_seconds = 0;      // until the first submission was done
  double gpu_seconds = 0;        // sum over the submissions: one had its GPU for itself
  double processor_seconds = 0;  // processor time of the gradings and all that they ran
};

// Returns a text such as "3.4 a minute, 12 min left, 1 without a grade".
std::string pace_text(const ProgressFigures& figures);
// Returns what limits a class on a machine with `gpus` GPUs and `cores` cores, the shortest possible time of
// each and how many times the longer one the run took; such as "at least 31.0 s to measure on the GPU, 40.1 s
// on 16 cores (642 s of processor time): took 1.10 times as long". Empty if nothing was graded.
std::string limits_text(const ProgressFigures& figures, std::size_t gpus, unsigned cores);
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
  // gpu_seconds: for which the grading had a GPU for itself.
  void finished(const std::string& id, const std::string& what, bool graded, double gpu_seconds);
  [[nodiscard]] ProgressFigures figures() const;

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;
  ProgressFigures figures_;
};

}  // namespace warpmark::classroom

// Selects the students of a class who must be graded, and grades them with a queue on this machine.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/class/run/devices.h"
#include "harness/class/run/gpu_watch.h"
#include "harness/class/run/home.h"
#include "harness/class/run/options.h"
#include "harness/class/run/progress.h"
#include "harness/class/run/rules.h"

namespace warpmark::classroom {

class Coordinator {
 public:
  // `home` (the locked output folder) and `taken` (the submissions) must outlive the Coordinator. `watch`
  // detects GPUs that disappear; it is never called if the grading rules use no GPU.
  Coordinator(const judge::Installation& installation, ClassOptions options, Home& home,
              const TakenClass& taken, Rules rules, Shelf shelf, GpuWatch watch);

  // Returns the students whose submission has no grade under the current grading rules. Fails if grading them
  // would replace current grades outside of a regrade.
  Result<std::vector<const Taken*>> plan();

  // Grades the given submissions. Returns true if all of them were completed. Throws std::exception if the
  // disk or the journal cannot be written.
  bool grade(std::vector<const Taken*> tasks, const std::stop_token& stop, ProgressFigures& figures);

  // Returns why grading stopped early without a stop request from the user; empty if it did not.
  [[nodiscard]] std::string trouble() const;
  [[nodiscard]] const Rules& rules() const { return rules_; }

 private:
  [[nodiscard]] bool is_settled(const Taken& student, const std::map<std::string, Outcome>& outcomes) const;
  void run_all(const std::vector<const Taken*>& tasks, unsigned at_a_time, const std::stop_token& stop,
               Progress* progress);
  void show_one(const Taken& taken, const Outcome& outcome);

  const judge::Installation& installation_;
  ClassOptions options_;
  Home& home_;
  const TakenClass& taken_;
  Rules rules_;
  Shelf shelf_;
  unsigned cores_;
  DevicePool devices_;
  GpuWatch watch_;
  mutable std::mutex trouble_mutex_;
  std::string trouble_;
  std::atomic<bool> second_try_ = false;
};

// Returns how many submissions of `files` files each are graded at a time. Where a GPU measures them one
// after the other, no more than keep the cores busy: the first ones are done early then, and each has several
// cores.
unsigned gradings_at_a_time(unsigned cores, std::size_t gpus, double files);

// Returns a summary such as "74 of 100 points, 20 open", or why there is no grade.
std::string what_it_came_to(const Outcome& outcome);

}  // namespace warpmark::classroom

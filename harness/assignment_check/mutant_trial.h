// Runs the checks of one compiled mutant, those first that cost least, until one fails.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/checks/version_worker.h"

namespace warpmark::assignment_check {

// The check that a mutant failed, with the first cause of failure.
struct Failure {
  std::string check;
  Cause cause;
};

// The checks of one compiled mutant, or of the solution. Keeps its arguments by reference. A failure is also
// what prevents a check from being run; the verdict of the cause's kind tells which.
class Trial {
 public:
  Trial(const judge::GradingContext& bench, const std::string& version, const judge::BuiltTypes& built)
      : bench_(bench), version_(version), built_(built) {}

  // Calls the mutant with a few small inputs, first without and then with access checking, in one worker
  // process.
  std::optional<Failure> quick();
  // Calls the mutant with a few small inputs with access checking; wrong answers are no failures.
  std::optional<Failure> quick_clean();
  // Runs the complete checks `work`, `correct` and `clean`.
  std::optional<Failure> complete();
  // Runs the complete check `clean`.
  std::optional<Failure> clean();

  // Returns the seconds of the slowest call of the quick checks so far.
  [[nodiscard]] double slowest_call() const { return slowest_; }

 private:
  judge::CallResult timed(judge::VersionWorker& worker, const Case& which, const wire::RunMode& mode);
  std::optional<Failure> quick_clean(judge::VersionWorker& worker);
  std::optional<Failure> clean(const judge::CheckOutcome& correct);
  std::optional<Failure> work();

  const judge::GradingContext& bench_;
  const std::string& version_;
  const judge::BuiltTypes& built_;
  double slowest_ = 0;
};

}  // namespace warpmark::assignment_check

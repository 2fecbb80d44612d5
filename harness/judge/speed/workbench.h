// Owns what timed calls need in advance: the input data, a measurement of the naive kernel without student
// code, and prepared worker processes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "harness/judge/speed/trial.h"

namespace warpmark::judge {

class Workbench {
 public:
  // Generates the input data and starts the reference worker process, which times the naive kernel without
  // student code. The Workbench keeps references to `bench` and `course`, which must outlive it.
  static tl::expected<Workbench, Cause> make(const GradingContext& bench, const Case& which,
                                             const CourseKernels& course);

  // Returns the number of worker processes for which the GPU had free memory when the input data was
  // generated.
  [[nodiscard]] std::size_t fitting();
  // Returns the number of worker processes that may be prepared concurrently; at least 1.
  [[nodiscard]] std::size_t side_by_side();
  // Prepares `count` worker processes for timing, concurrently: each has the input data and the naive kernel;
  // only the student's library remains to be loaded.
  std::vector<tl::expected<PairTimer, Cause>> prepare(std::size_t count);
  // Measures the noise of the naive kernel's times, once the first worker processes are prepared and the
  // machine is quiet. If that fails, replaces all `watches` (prepared timers) by the error, now and in later
  // calls.
  void control(std::vector<tl::expected<PairTimer, Cause>>& watches);

  [[nodiscard]] const CaseData& data() const { return *data_; }
  [[nodiscard]] Reference& reference() { return *reference_; }
  // Returns a lower bound in milliseconds for one call of a kernel on the timed input, from the GPU's L2
  // bandwidth.
  [[nodiscard]] double least_ms();

 private:
  Workbench(const GradingContext& bench, const CourseKernels& course) : bench_(&bench), course_(&course) {}
  const GradingContext* bench_;
  const CourseKernels* course_;
  std::unique_ptr<CaseData> data_;  // input and expected output of all timed calls
  std::unique_ptr<Reference> reference_;
  std::optional<tl::expected<void, Cause>> controlled_;  // nullopt: not measured
};

}  // namespace warpmark::judge

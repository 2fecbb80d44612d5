// Everything that timed calls need in advance: the data, the reference, and prepared workers.
#pragma once

#include <memory>
#include <vector>

#include "harness/judge/speed/trial.h"

namespace warpmark::judge {

class Workbench {
 public:
  // Generates the data and measures the reference. `bench` and `course` must outlive this object.
  static tl::expected<Workbench, Cause> make(const GradingContext& bench, const Case& which,
                                             const CourseKernels& course);

  // Returns how many workers fitted into the GPU's free memory when the data was made.
  [[nodiscard]] std::size_t fitting();
  // Returns how many of them may be prepared concurrently; at least 1.
  [[nodiscard]] std::size_t side_by_side();
  // Prepares workers concurrently, complete except for the submission.
  std::vector<tl::expected<PairTimer, Cause>> prepare(std::size_t count);
  // Measures the reference again on the now quiet machine. If that fails, all `watches` become errors.
  void control(std::vector<tl::expected<PairTimer, Cause>>& watches);

  [[nodiscard]] const CaseData& data() const { return *data_; }
  [[nodiscard]] Reference& reference() { return *reference_; }
  // Returns a lower bound of the time of a call on the data, in milliseconds.
  [[nodiscard]] double least_ms();

 private:
  Workbench(const GradingContext& bench, const CourseKernels& course) : bench_(&bench), course_(&course) {}
  const GradingContext* bench_;
  const CourseKernels* course_;
  std::unique_ptr<CaseData> data_;  // shared by all timed calls
  std::unique_ptr<Reference> reference_;
};

}  // namespace warpmark::judge

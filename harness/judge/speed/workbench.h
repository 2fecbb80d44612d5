// All that stands ready before the first timed call: the data, the reference, and workers made side by side.
#pragma once

#include <memory>
#include <vector>

#include "harness/judge/speed/trial.h"

namespace warpmark::judge {

class Workbench {
 public:
  // Makes the data and measures the reference. `bench` and `course` are used as long as this lives.
  static tl::expected<Workbench, Cause> make(const GradingContext& bench, const Case& which,
                                             const CourseKernels& course);

  // How many workers the GPU's memory had room for when the data was made.
  [[nodiscard]] std::size_t fitting();
  // How many of them may stand ready at a time; at least 1.
  [[nodiscard]] std::size_t side_by_side();
  // Workers with all but the submission, made side by side.
  std::vector<tl::expected<PairTimer, Cause>> prepare(std::size_t count);
  // Measures the reference anew, now that the machine is quiet. Where that fails no worker is of use.
  void control(std::vector<tl::expected<PairTimer, Cause>>& watches);

  [[nodiscard]] const CaseData& data() const { return *data_; }
  [[nodiscard]] Reference& reference() { return *reference_; }
  // No call on the data can take less.
  [[nodiscard]] double least_ms();

 private:
  Workbench(const GradingContext& bench, const CourseKernels& course) : bench_(&bench), course_(&course) {}
  const GradingContext* bench_;
  const CourseKernels* course_;
  std::unique_ptr<CaseData> data_;  // of all timed calls
  std::unique_ptr<Reference> reference_;
};

}  // namespace warpmark::judge

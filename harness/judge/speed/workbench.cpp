#include "harness/judge/speed/workbench.h"

#include <algorithm>

#include "harness/base/parallel.h"
#include "harness/judge/speed/fitting.h"

namespace warpmark::judge {
namespace {

constexpr std::size_t kMostSideBySide = 32;

}  // namespace

tl::expected<Workbench, Cause> Workbench::make(const GradingContext& bench, const Case& which,
                                               const CourseKernels& course) {
  Workbench workbench(bench, course);
  workbench.data_ = std::make_unique<CaseData>(bench.assignment, which, course.naive.engine);
  auto reference = Reference::make(bench, *workbench.data_, course);
  if (!reference) return tl::unexpected(reference.error());
  workbench.reference_ = std::make_unique<Reference>(std::move(*reference));
  return workbench;
}

std::size_t Workbench::fitting() {
  const auto free_bytes = reference_->worker().hello().free_bytes;
  return free_bytes /
         (timed_bytes(data_->problem->buffers()) + std::max<std::uint64_t>(context_bytes(free_bytes), 1));
}

std::size_t Workbench::side_by_side() {
  return std::clamp<std::size_t>(fitting(), 1, kMostSideBySide);
}

std::vector<tl::expected<PairTimer, Cause>> Workbench::prepare(std::size_t count) {
  std::vector<tl::expected<PairTimer, Cause>> watches;
  for (std::size_t i = 0; i < count; ++i) {
    watches.emplace_back(tl::unexpected(make_cause(CauseKind::internal, "no worker was made")));
  }
  in_parallel(count, static_cast<unsigned>(count),
              [&](std::size_t i) { watches[i] = PairTimer::make(*bench_, *data_, *course_); });
  return watches;
}

void Workbench::control(std::vector<tl::expected<PairTimer, Cause>>& watches) {
  if (!controlled_) controlled_ = reference_->control();
  if (*controlled_) return;
  for (auto& watch : watches) watch = tl::unexpected(controlled_->error());
}

double Workbench::least_ms() {
  const auto& hello = reference_->worker().hello();
  return measure::least_ms(data_->which.n * bench_->assignment.value_bytes(data_->which.type),
                           static_cast<int>(hello.multiprocessors), hello.clock_hz);
}

}  // namespace warpmark::judge

#include "harness/judge/checks/size_groups.h"

#include <tuple>

namespace warpmark::judge {

std::size_t group_of(const std::vector<SizeGroup>& groups, const Size& size,
                     const std::function<std::uint64_t(const Size&)>& values_at) {
  const std::uint64_t values = values_at(size);
  std::size_t best = 0;
  std::tuple<int, std::uint64_t> best_rank{3, 0};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const Size& named : groups[i].sizes) {
      const std::uint64_t other = values_at(named);
      // Ranks a group's input size by its distance to the tested size, lower is nearer: the size itself, then
      // larger sizes in ascending order, then smaller sizes in descending order.
      const std::tuple<int, std::uint64_t> rank = named == size     ? std::tuple{0, std::uint64_t{0}}
                                                  : other >= values ? std::tuple{1, other - values}
                                                                    : std::tuple{2, values - other};
      if (rank >= best_rank) continue;
      best = i;
      best_rank = rank;
    }
  }
  return best;
}

SizeGroups::SizeGroups(const GradingContext& bench, const std::string& version) : bench_(&bench) {
  if (const VersionRule* rule = bench.course.rubric.find(version))
    parts_ = bench.course.parts_of(*rule, Check::correct);
  right_.resize(parts_.size());
  spoilt_.resize(parts_.size());
}

std::size_t SizeGroups::position_of(const Case& which) const {
  return group_of(bench_->course.rubric.correct.groups, which.sizes(),
                  [&](const Size& size) { return bench_->assignment.values_at(size); });
}

void SizeGroups::note(const Case& which, bool right) {
  if (parts_.empty()) return;
  const std::size_t at = position_of(which);
  if (right) ++right_[at];
  if (!right) spoilt_[at] = true;
}

std::vector<PointPart> SizeGroups::parts(const std::vector<Case>& planned, bool passed) const {
  std::vector<PointPart> parts = parts_;
  if (parts.empty()) return parts;
  std::vector<std::size_t> asked(parts.size());
  for (const Case& which : planned) ++asked[position_of(which)];
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i].reached = passed || (!spoilt_[i] && asked[i] > 0 && right_[i] == asked[i]);
  return parts;
}

}  // namespace warpmark::judge

#include "harness/judge/checks/call_causes.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/workers/engines.h"

namespace warpmark::judge {

Cause about(const Case& which, const Blame& blame, CauseKind kind, std::string message) {
  Cause cause = make_cause(kind, std::move(message), blame.file->name);
  name_input(cause, which);
  return cause;
}

Cause out_of_time(const GradingContext& bench, const std::string& version, std::size_t asked,
                  std::size_t of) {
  return make_cause(
      CauseKind::timed_out,
      fmt::format("the time limit was reached after {} of {} test cases: the checks of a submission may take "
                  "{:g} s, and this version's share was {:.0f} s. Make its calls shorter",
                  asked, of, std::chrono::duration<double>(bench.course.rubric.limits.submission).count(),
                  bench.time->share(version)),
      bench.submission.files.at(version).name);
}

std::chrono::milliseconds start_limit(const GradingContext& bench) {
  return std::max<std::chrono::milliseconds>(bench.course.rubric.limits.call, kEngineLimit);
}

bool is_over(const GradingContext& bench, const std::string& version) {
  return bench.time != nullptr && bench.time->is_over(version);
}

bool leaves_to_gpu(const Cause& on_simulator) {
  using enum CauseKind;
  if (on_simulator.kind == depends) return false;
  return rule_of(on_simulator.kind).verdict != Verdict::failed || on_simulator.kind == cuda_error ||
         on_simulator.kind == deadlock;
}

bool may_be_cured_by_change(CauseKind kind) {
  using enum CauseKind;
  static constexpr std::array kKinds{
      out_of_bounds,  out_of_bounds_write, misaligned,   cuda_error,   crashed,
      deadlock,       divergent_barrier,   endless_loop, launch_limit, timed_out,
      use_after_free, uninitialised_read,  bad_copy};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

std::optional<Cause> root_among(const std::vector<Cause>& remarks) {
  for (const CauseKind kind : {CauseKind::race, CauseKind::warp_synchronous, CauseKind::uninitialised_read}) {
    const auto found =
        std::ranges::find_if(remarks, [&](const Cause& each) { return each.kind == kind && each.line != 0; });
    if (found != remarks.end()) return *found;
  }
  return std::nullopt;
}

Cause follows_from(const Cause& root, Cause wrong) {
  wrong.message += fmt::format("; it follows from what was found in the same call at {}:{}, {}: {}",
                               root.file, root.line, rule_of(root.kind).title, root.message);
  wrong.file = root.file;
  wrong.line = root.line;
  wrong.other_line = root.other_line;
  wrong.excerpt = root.excerpt;
  return wrong;
}

bool is_wrong_answer(const GradingContext& bench, const Cause& cause) {
  return name_of(cause.kind) == bench.assignment.wrong_answer();
}

void point_to(Cause& cause, const AuditedTransfer& transfer, const Blame& blame) {
  if (transfer.line == 0) return;
  cause.file = transfer.file;
  cause.line = transfer.line;
  cause.excerpt = excerpt_in(blame, cause.file, cause.line);
}

}  // namespace warpmark::judge

#include "harness/judge/consequences.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/score.h"

namespace warpmark::judge {

std::vector<Cause> after(const std::vector<Cause>& earlier, Check check) {
  if (earlier.empty()) return {};
  CheckResult settled;
  settled.causes = earlier;
  settle(settled, {1, 0});
  if (settled.verdict == Verdict::failed) {
    return {make_cause(CauseKind::depends, fmt::format("not run, because `{}` failed", name_of(check)))};
  }
  return {settled.causes.front()};
}

CheckOutcome guarded(const std::function<CheckOutcome()>& work) {
  try {
    return work();
  } catch (const AssignmentFault&) {
    throw;
  } catch (const std::exception& error) {
    return {{make_cause(
                CauseKind::internal,
                fmt::format(
                    "the machine ran out of resources: {}; is there enough memory for an input of this size?",
                    error.what()))},
            0};
  }
}

bool can_be_audited(const Cause& cause) {
  using enum CauseKind;
  static constexpr std::array never{timed_out, endless_loop, deadlock};
  return rule_of(cause.kind).verdict == Verdict::failed &&
         std::find(never.begin(), never.end(), cause.kind) == never.end();
}

std::vector<Cause> failures_beside_gpu(std::vector<Cause> on_simulator) {
  std::erase_if(on_simulator,
                [](const Cause& cause) { return leaves_to_gpu(cause) || cause.kind == CauseKind::depends; });
  for (Cause& cause : on_simulator) {
    cause.message = fmt::format("the GPU's answers are right; seen on the simulator, in the same calls: {}",
                                cause.message);
    if (cause.kind == CauseKind::timed_out) cause.kind = CauseKind::unsupported;
  }
  return on_simulator;
}

std::vector<Cause> unsupported_by(std::vector<Cause> causes, std::string_view why) {
  for (Cause& cause : causes) {
    if (cause.kind != CauseKind::compile_error) continue;
    cause.message = fmt::format("{}: {}", why, cause.message);
    cause.kind = CauseKind::unsupported;
  }
  return causes;
}

Cause same_code_note(const std::string& file, const std::string& other, double keeps_percent) {
  return make_cause(
      CauseKind::same_code,
      fmt::format(
          "{} is the same code as {}, whatever its names: the two versions are meant to use different "
          "techniques{}",
          file, other,
          keeps_percent < 100
              ? fmt::format("; it keeps {:g} % of its points. Write the technique that it is named after",
                            keeps_percent)
              : ""),
      file);
}

}  // namespace warpmark::judge

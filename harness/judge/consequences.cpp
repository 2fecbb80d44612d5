#include "harness/judge/consequences.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/second_look.h"
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
    cause.message = fmt::format(
        "the GPU's answers are right; seen on the simulator, with the same inputs: {}", cause.message);
    if (cause.kind == CauseKind::timed_out) cause.kind = CauseKind::unsupported;
  }
  return on_simulator;
}

namespace {

bool has_kind(const std::vector<Cause>& causes, CauseKind kind) {
  return std::ranges::find(causes, kind, &Cause::kind) != causes.end();
}

// Returns the kind that stands for all kinds by which a wrong or missing answer shows.
CauseKind shown_kind(CauseKind kind) {
  using enum CauseKind;
  const bool of_answer =
      kind == wrong_sum || kind == wrong_output || kind == not_written || kind == wrong_when_called_again;
  return of_answer ? wrong_output : kind;
}

}  // namespace

std::vector<Cause> failures_in(std::vector<Cause> causes) {
  std::erase_if(causes, [](const Cause& cause) { return rule_of(cause.kind).verdict != Verdict::failed; });
  return causes;
}

std::vector<Cause> reasons_on_simulator(const std::vector<Cause>& on_gpu, const CheckOutcome& correct,
                                        const CheckOutcome* clean,
                                        const std::function<bool(CauseKind)>& fails) {
  const bool gpu_ended = !failures_in(on_gpu).empty() && !has_kind(on_gpu, CauseKind::timed_out);
  const auto failures_of = [&](const std::vector<Cause>& causes) {
    auto failures = failures_in(causes);
    std::erase_if(failures, [&](const Cause& cause) {
      return cause.kind == CauseKind::depends || (cause.kind == CauseKind::timed_out && gpu_ended);
    });
    return failures;
  };
  auto reasons = failures_of(correct.causes);
  if (!reasons.empty()) return reasons;
  if (clean != nullptr) return failures_of(clean->causes);
  reasons = failures_of(correct.remarks.value_or(std::vector<Cause>()));
  std::erase_if(reasons, [&](const Cause& cause) { return !fails(cause.kind); });
  return reasons;
}

std::vector<Cause> explained_first(std::vector<Cause> on_simulator, std::vector<Cause> on_gpu) {
  if (on_simulator.empty()) return on_gpu;
  for (Cause& cause : on_simulator) {
    if (!has_kind(on_gpu, cause.kind)) cause.message = "seen on the simulator: " + cause.message;
  }
  std::erase_if(on_gpu, [&](const Cause& cause) {
    return std::ranges::any_of(
        on_simulator, [&](const Cause& reason) { return shown_kind(reason.kind) == shown_kind(cause.kind); });
  });
  for (Cause& cause : on_gpu) place_like(cause, on_simulator);
  std::ranges::move(on_gpu, std::back_inserter(on_simulator));
  return on_simulator;
}

std::vector<Cause> judged_on_both(std::vector<Cause> on_gpu, const CheckOutcome& correct,
                                  const CheckOutcome* clean, const std::function<bool(CauseKind)>& fails) {
  if (on_gpu.empty()) return failures_beside_gpu(correct.causes);
  auto reasons = reasons_on_simulator(on_gpu, correct, clean, fails);
  return explained_first(std::move(reasons), std::move(on_gpu));
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

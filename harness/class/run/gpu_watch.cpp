#include "harness/class/run/gpu_watch.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "harness/judge/workers/engines.h"
#include "harness/model/grade.h"

namespace warpmark::classroom {
namespace {

bool used_no_gpu(const Outcome& outcome) {
  const auto grade = grade_from_json(outcome.grade);
  return grade && std::ranges::none_of(grade->engines,
                                       [](const EngineUsed& used) { return used.engine == Engine::gpu; });
}

bool may_have_lost_its_gpu(const Outcome& outcome) {
  if (outcome.state != StudentState::graded || used_no_gpu(outcome)) return true;
  static constexpr std::array kSigns{CauseKind::cuda_error, CauseKind::crashed, CauseKind::timed_out,
                                     CauseKind::internal, CauseKind::no_gpu};
  const auto grade = grade_from_json(outcome.grade);
  return grade && std::ranges::any_of(grade->checks, [](const CheckResult& check) {
           return std::ranges::any_of(check.causes, [](const Cause& cause) {
             return std::ranges::find(kSigns, cause.kind) != kSigns.end();
           });
         });
}

void make_broken(Outcome& outcome, std::string why) {
  outcome.state = StudentState::broken;
  outcome.cause = StudentCause{"internal", std::move(why)};
  outcome.grade.clear();
  outcome.score = {};
  outcome.doubt.clear();
  outcome.again = true;
}

}  // namespace

GpuWatch watch_gpus(const judge::Installation& installation, std::size_t count) {
  return [installation, count]() -> std::string {
    const judge::Engines engines = judge::find_engines(installation, judge::kEngineLimit);
    if (!engines.has(Engine::gpu)) return engines.missing.at(Engine::gpu).message;
    const std::size_t left = engines.devices.at(Engine::gpu).count;
    return left < count ? fmt::format("CUDA reports {} of {} GPUs", left, count) : "";
  };
}

std::string hold_against_gpus(const GpuWatch& watch, Outcome& outcome) {
  if (!may_have_lost_its_gpu(outcome)) return "";
  std::string lost = watch();
  if (!lost.empty()) {
    make_broken(outcome, fmt::format("a GPU was lost while this was graded: {}", lost));
  } else if (outcome.state == StudentState::graded && used_no_gpu(outcome)) {
    make_broken(outcome, "the GPU that the class is graded on did not answer while this was graded");
  }
  return lost;
}

}  // namespace warpmark::classroom

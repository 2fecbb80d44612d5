#include "harness/judge/joined.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/call_causes.h"
#include "harness/judge/consequences.h"
#include "harness/judge/outcomes.h"
#include "harness/judge/programs/program_build.h"
#include "harness/judge/score.h"
#include "harness/judge/selection.h"

namespace warpmark::judge {
namespace {

bool lacks_gpu(const CheckResult& check) {
  return !check.causes.empty() && check.causes.front().kind == CauseKind::no_gpu;
}

CheckKey key_of(const CheckResult& check) {
  if (check.version.empty()) return upload_key();
  return {check.version, version_check_from(check.check).value_or(Check::builds)};
}

// Settles verdict and points of all checks again, from their causes.
void settle_again(Grade& grade, const Rubric& rubric) {
  for (CheckResult& check : grade.checks) {
    // These notes come from the rules that settle_together() applies again.
    std::erase_if(check.notes, [](const Cause& note) { return note.kind == CauseKind::depends; });
    settle(check, {check.possible, check.bonus_possible});
  }
  settle_together(grade, rubric);
}

class Joining {
 public:
  Joining(const Grade& here, const GpuPart& part, const GradeOptions& options)
      : here_(here), there_(part.grade), where_(part.where), options_(options), grade_(here) {}

  Grade run() {
    // `builds` and `correct` first: the other checks of a version depend on them.
    for (const Check pass : {Check::builds, Check::correct, Check::clean, Check::work, Check::fast}) {
      for (CheckResult& check : grade_.checks) {
        if (!check.version.empty() && key_of(check).check == pass) join(check, pass);
      }
    }
    for (CheckResult& check : grade_.checks) {
      if (check.version.empty()) join_upload(check);
    }
    join_evidence();
    return std::move(grade_);
  }

 private:
  static const CheckResult* find(const Grade& grade, const std::string& version, std::string_view check) {
    const auto found = std::ranges::find_if(grade.checks, [&](const CheckResult& each) {
      return each.version == version && each.check == check;
    });
    return found == grade.checks.end() ? nullptr : &*found;
  }

  // Replaces a result by the other machine's. Returns false if that machine did not decide the check.
  bool take(CheckResult& check) const {
    const CheckResult* other = find(there_, check.version, check.check);
    if (other == nullptr) return false;
    if (lacks_gpu(*other)) {
      if (!lacks_gpu(check)) return false;
      check.causes = other->causes;
      for (Cause& cause : check.causes) cause.message = fmt::format("{}: {}", where_, cause.message);
      return false;
    }
    check.engine = other->engine;
    check.where = where_;
    check.causes = other->causes;
    check.parts = other->parts;
    check.seconds = other->seconds;
    std::ranges::copy(other->notes, std::back_inserter(check.notes));
    for (Cause& cause : check.causes) {
      if (!cause.again.empty())
        cause.again = command_again(options_, grade_.assignment, key_of(check), cause);
    }
    return true;
  }

  // Returns why a check does not run after the version's earlier check; empty if that passed.
  [[nodiscard]] std::vector<Cause> after_earlier(const CheckResult& check, Check earlier) const {
    const CheckResult* found = find(grade_, check.version, name_of(earlier));
    return found == nullptr ? std::vector<Cause>() : after(found->causes, earlier);
  }

  [[nodiscard]] const std::vector<Cause>& causes_here(const CheckResult& check, Check which) const {
    static const std::vector<Cause> kNone;
    const CheckResult* found = find(here_, check.version, name_of(which));
    return found == nullptr ? kNone : found->causes;
  }

  // Returns true if the other machine decided whether the version builds or is correct.
  [[nodiscard]] bool is_decided_there(const CheckResult& check) const {
    return std::ranges::any_of(grade_.checks, [&](const CheckResult& each) {
      return each.version == check.version && !each.where.empty();
    });
  }

  void join(CheckResult& check, Check which) {
    switch (which) {
      case Check::builds: {
        auto seen = failures_in(check.causes);
        if (take(check) && !check.causes.empty())
          check.causes = explained_first(std::move(seen), std::move(check.causes));
        return;
      }
      case Check::correct:
        join_correct(check);
        return;
      case Check::fast:
        if (!take(check)) return;
        for (const Check earlier : {Check::correct, Check::builds}) {
          if (auto blocked = after_earlier(check, earlier); !blocked.empty()) check.causes = blocked;
        }
        return;
      default:
        if (is_decided_there(check)) join_simulated(check, which);
    }
  }

  void join_correct(CheckResult& check) {
    const std::vector<Cause> seen = check.causes;
    if (!take(check)) return;
    const CheckOutcome clean{causes_here(check, Check::clean), 0};
    check.causes = judged_on_both(std::move(check.causes), {seen, 0}, &clean, {});
    const auto open = std::ranges::find_if(seen, leaves_to_gpu);
    if (check.engine == Engine::gpu && open != seen.end())
      grade_.unwatched.push_back({check.version, open->message});
  }

  // `clean` and `work` ran on the simulator here, after `builds` and `correct` here. They now follow what the
  // GPU decided.
  void join_simulated(CheckResult& check, Check which) const {
    auto blocked = after_earlier(check, Check::builds);
    if (blocked.empty() && which == Check::work) blocked = after_earlier(check, Check::correct);
    if (!blocked.empty()) {
      check.causes = blocked;
      return;
    }
    if (check.causes.empty() || check.causes.front().kind != CauseKind::depends) return;
    const bool builds_here = causes_here(check, Check::builds).empty();
    check.causes = unsupported_by(causes_here(check, builds_here ? Check::correct : Check::builds),
                                  "the simulator's compiler rejects code that nvcc accepts");
    for (Cause& cause : check.causes) cause.kind = CauseKind::unsupported;
  }

  void join_upload(CheckResult& check) const {
    static constexpr std::array kNotSeen{CauseKind::timed_out, CauseKind::compile_error, CauseKind::depends};
    auto seen = failures_in(check.causes);
    if (!take(check)) return;
    std::erase_if(
        seen, [](const Cause& cause) { return std::ranges::find(kNotSeen, cause.kind) != kNotSeen.end(); });
    check.causes = explained_first(std::move(seen), std::move(check.causes));
  }

  void join_evidence() {
    std::vector<EngineUsed> engines = there_.engines;
    for (EngineUsed& used : engines) used.where = where_;
    grade_.engines.insert(grade_.engines.begin(), engines.begin(), engines.end());
    std::vector<Measurement> measured;
    std::ranges::copy_if(there_.measurements, std::back_inserter(measured), [&](const Measurement& each) {
      const CheckResult* fast = find(grade_, each.version, name_of(Check::fast));
      return fast != nullptr && (fast->causes.empty() || fast->causes.front().kind != CauseKind::depends);
    });
    grade_.measurements.insert(grade_.measurements.begin(), measured.begin(), measured.end());
    if (there_.timing) grade_.timing = there_.timing;
    if (there_.transfers.empty() && there_.launches.empty()) return;
    grade_.transfers = there_.transfers;
    grade_.launches = there_.launches;
  }

  const Grade& here_;
  const Grade& there_;
  std::string where_;
  const GradeOptions& options_;
  Grade grade_;
};

}  // namespace

Rubric gpu_part_of(Rubric rubric) {
  std::erase_if(rubric.versions, [&](const VersionRule& version) {
    return version.host || (rubric.program && !needs_gpu(version, *rubric.program));
  });
  for (VersionRule& version : rubric.versions) {
    std::erase_if(version.checks,
                  [](const Check check) { return check == Check::clean || check == Check::work; });
  }
  return rubric;
}

bool has_gpu_part(const Rubric& rubric, const GradeOptions& options) {
  const Course course = resolve(gpu_part_of(rubric), std::nullopt, {options.focus, options.only});
  const Selection selection(course);
  return selection.wants_upload() ||
         std::ranges::any_of(course.rubric.versions, [&](const VersionRule& version) {
           return std::ranges::any_of(version.checks,
                                      [&](Check check) { return selection.wants(version, check); });
         });
}

Result<Grade> joined(Grade here, const GpuPart& part, const Rubric& rubric, const GradeOptions& options) {
  const Grade& there = part.grade;
  if (there.submission_hash != here.submission_hash)
    return fail(
        fmt::format("{} graded other files than this machine: the folder changed meanwhile; grade "
                    "again",
                    part.where));
  if (there.tool_version != here.tool_version)
    return fail(fmt::format("{} has Warpmark {}, and this machine {}: install the same version on both",
                            part.where, there.tool_version, here.tool_version));
  Grade grade = Joining(here, part, options).run();
  settle_again(grade, rubric);
  return grade;
}

Grade without_gpu_part(Grade here, const Cause& why, const Rubric& rubric) {
  for (CheckResult& check : here.checks) {
    if (lacks_gpu(check)) check.causes = {why};
  }
  settle_again(here, rubric);
  here.remarks.push_back(why.message);
  // Where no check needs a GPU, too: the simulator decided what a GPU was asked to.
  here.exit_status = std::max(here.exit_status, exit_status_for(why.kind));
  return here;
}

}  // namespace warpmark::judge

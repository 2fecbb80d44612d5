#include "harness/judge/outcomes.h"

#include <algorithm>
#include <utility>

#include "harness/judge/score.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {

void Outcomes::record(const CheckKey& key, Engine engine, CheckOutcome found) {
  for (Cause& cause : found.causes) {
    if (rule_of(cause.kind).verdict == Verdict::failed) cause.again = again_(key, cause);
  }
  const std::scoped_lock lock(mutex_);
  recorded_.insert_or_assign(key, Recorded{std::move(found), engine});
}

void Outcomes::add_note(const CheckKey& key, Cause note) {
  if (const auto found = recorded_.find(key); found != recorded_.end())
    found->second.found.notes.push_back(std::move(note));
}

const Counted* Outcomes::counted(const std::string& version) const {
  for (const Check check : {Check::work, Check::clean}) {
    const auto found = recorded_.find({version, check});
    if (found != recorded_.end() && found->second.found.counted) return &*found->second.found.counted;
  }
  return nullptr;
}

void Outcomes::add(Measurement measurement, double peak_gb_per_s, double peak_gflops) {
  if (!measurements_.empty() && !measurement.over_reference && !measurements_.back().over_reference)
    measurement.over_previous = measurement.speedup / measurements_.back().speedup;
  if (peak_gb_per_s > 0) measurement.percent_of_peak = 100 * measurement.gb_per_s / peak_gb_per_s;
  if (measurement.gflops > 0 && peak_gflops > 0) {
    peak_gflops_ = peak_gflops;
    measurement.percent_of_peak =
        std::max(measurement.percent_of_peak, 100 * measurement.gflops / peak_gflops);
  }
  measurements_.push_back(std::move(measurement));
}

void Outcomes::set_traffic(std::vector<AuditedTransfer> transfers, std::vector<AuditedLaunch> launches) {
  transfers_ = std::move(transfers);
  launches_ = std::move(launches);
}

const std::vector<Cause>* Outcomes::causes_of(const CheckKey& key) const {
  const auto found = recorded_.find(key);
  return found == recorded_.end() ? nullptr : &found->second.found.causes;
}

void Outcomes::add_result(Grade& grade, const CheckKey& key, const Worth& worth,
                          std::vector<PointPart> parts) const {
  CheckResult result;
  result.id = id_of(grade.assignment, key);
  result.version = key.version;
  result.check = name_of(key.check);
  result.parts = std::move(parts);
  const auto recorded = recorded_.find(key);
  if (recorded == recorded_.end()) {
    result.causes = {make_cause(CauseKind::internal, "the check was planned but never carried out")};
  } else {
    const CheckOutcome& found = recorded->second.found;
    result.engine = recorded->second.engine;
    result.causes = found.causes;
    result.notes = found.notes;
    result.seconds = found.seconds;
    if (!found.parts.empty()) result.parts = found.parts;
    if (found.counted) {
      // The check `work` runs after `clean` and counts at a larger input size: its performance counters
      // replace those of `clean`.
      std::erase_if(grade.counters, [&](const Counted& small) { return small.version == key.version; });
      grade.counters.push_back(*found.counted);
    }
  }
  settle(result, worth);
  grade.checks.push_back(std::move(result));
}

void Outcomes::add_unwatched(Unwatched version) {
  const std::scoped_lock lock(mutex_);
  unwatched_.push_back(std::move(version));
}

Grade Outcomes::assemble(const Course& course, const Submission& submission, const Engines& engines,
                         Engine main) {
  Grade grade;
  grade.assignment = course.rubric.assignment;
  grade.submission_name = submission.name;
  grade.submission_hash = submission.hash;
  grade.remarks = submission.remarks;
  grade.tool_version = WARPMARK_VERSION;
  for (const auto& [engine, toolchain] : engines.toolchains) {
    if (engine == Engine::gpu && main != Engine::gpu) continue;
    if (is_sanitizer(engine) || (!is_host(engine) && !course.rubric.has_device_versions())) continue;
    const Device& device = engines.devices.at(engine);
    grade.engines.push_back({engine, device.name, toolchain.description, device.peak_gb_per_s,
                             engine == Engine::gpu ? peak_gflops_ : 0});
  }
  const Selection selection(course);
  for (const VersionRule& version : course.rubric.versions) {
    for (const Check check : version.checks) {
      if (selection.wants(version, check)) {
        add_result(grade, {version.name, check}, version.worth(check), course.parts_of(version, check));
      }
    }
  }
  if (selection.wants_upload()) add_result(grade, upload_key(), {course.rubric.upload_once.points, 0}, {});
  grade.measurements = std::move(measurements_);
  grade.timing = std::move(timing_);
  grade.transfers = std::move(transfers_);
  grade.launches = std::move(launches_);
  std::ranges::sort(unwatched_, {}, &Unwatched::version);
  grade.unwatched = std::move(unwatched_);
  settle_together(grade, course.rubric);
  return grade;
}

void settle_together(Grade& grade, const Rubric& rubric) {
  Needs needs;
  for (const VersionRule& version : rubric.versions) {
    if (!version.needs.empty()) needs[version.name] = version.needs;
  }
  needs = with_indirect(std::move(needs));
  earn_together(grade.checks, needs);
  keep_for_same_code(grade.checks, rubric.same_code_keeps_percent);
  grade.score = score_of(grade.checks, needs);
  grade.exit_status = exit_status_of(grade.checks);
}

}  // namespace warpmark::judge

#include "harness/judge/checks/upload_check.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/assignments/random.h"
#include "harness/base/trace.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/upload_audit.h"
#include "harness/judge/checks/upload_rule.h"

namespace warpmark::judge {

// What one worker process of the audit came to.
struct UploadCheck::Part {
  TimeLine line;
  std::vector<Cause> causes;
  std::vector<Cause> notes;
  bool on = false;  // true: recording was on from its first to its last canary
  bool is_correct = true;
  double seconds = 0;
};

UploadCheck::UploadCheck(const GradingContext& bench, BuiltTypes upload)
    : bench_(bench),
      upload_(std::move(upload)),
      data_(std::make_unique<const AuditedData>(bench, bench.course.rubric.types.front(),
                                                random_bits(bench.seed, 1))) {}

UploadCheck::~UploadCheck() = default;

// Makes a part: ask(audit) uploads or calls.
template <class Ask>
UploadCheck::Part UploadCheck::made(std::uint64_t number, std::vector<std::string> libraries,
                                    const Ask& ask) const {
  const auto start = std::chrono::steady_clock::now();
  Part part;
  auto worker = WorkerClient::start(bench_.installation, upload_.engine, true, start_limit(bench_),
                                    {.libraries = std::move(libraries)});
  if (!worker) {
    part.causes.push_back(worker.error());
    return part;
  }
  if (const std::string why = worker->hello().observer; !why.empty()) {
    part.causes.push_back(make_cause(CauseKind::no_profiler, why));
    return part;
  }
  UploadAudit audited(bench_, std::move(*worker), *data_, part.line);
  const auto canary_bytes = [&](std::uint64_t draw) {
    return 4096 + random_below(bench_.seed, 2 * number + draw, 60'000);
  };
  part.on = audited.canary(canary_bytes(2), CauseKind::no_profiler,
                           "a copy that the harness made was not recorded, so nothing can be said about "
                           "the upload; is CUPTI of the CUDA toolkit installed?") &&
            ask(audited) && audited.worker_lives() &&
            audited.canary(canary_bytes(3), CauseKind::tampering,
                           "copies were recorded before the submission ran, but not afterwards: a "
                           "submission must not interfere with the recording");
  part.causes = std::move(audited.causes);
  part.notes = std::move(audited.notes);
  part.seconds = seconds_since(start);
  return part;
}

void UploadCheck::audit_upload() {
  const TraceSpan span("upload_once", name_of(upload_.engine));
  auto part =
      std::make_unique<Part>(made(0, {}, [&](UploadAudit& audited) { return audited.upload(upload_); }));
  const std::scoped_lock lock(mutex_);
  whole_ = std::move(part);
}

void UploadCheck::audit_version(const std::string& name, const BuiltTypes& built, bool is_correct) {
  const TraceSpan span("upload_once", name);
  const auto& versions = bench_.course.rubric.versions;
  const auto place = std::ranges::find(versions, name, &VersionRule::name) - versions.begin();
  const VersionRule* rule = bench_.course.rubric.find(name);
  Part part = made(static_cast<std::uint64_t>(place) + 1,
                   rule == nullptr ? std::vector<std::string>{} : rule->libraries, [&](UploadAudit& audited) {
                     audited.call(name, built, is_correct);
                     return true;
                   });
  part.is_correct = is_correct;
  const std::scoped_lock lock(mutex_);
  parts_.insert_or_assign(name, std::move(part));
}

bool UploadCheck::has_audited(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  return parts_.contains(name);
}

UploadOutcome UploadCheck::outcome(const std::map<std::string, Cause>& sent) const {
  const std::scoped_lock lock(mutex_);
  if (!whole_) return {};
  TimeLine line = whole_->line;
  std::vector<Cause> causes = whole_->causes;
  std::vector<Cause> notes;
  double seconds = whole_->seconds;
  add_once(notes, whole_->notes);
  if (whole_->on) {
    for (const auto& [name, part] : parts_) {
      line.append(part.line, name);
      add_once(notes, part.notes);
      // Drop the defects of a failed kernel file: its own checks report its failure.
      if (part.is_correct) add_once(causes, part.causes);
      seconds += part.seconds;
    }
    const bool other_memory = std::ranges::any_of(causes, [](const Cause& cause) {
      // Pages of managed memory migrate on demand, so the limit on the bytes that a kernel file may copy does
      // not apply.
      return cause.kind == CauseKind::managed_memory;
    });
    if (!other_memory) {
      auto broken = broken_upload_rule(bench_, data_->contents.size(), line.transfers);
      causes.insert(causes.end(), std::make_move_iterator(broken.begin()),
                    std::make_move_iterator(broken.end()));
    }
  }
  for (Cause& cause : causes) {
    cause.type = bench_.course.rubric.types.front();
    cause.n = data_->which.n;
  }
  if (causes.empty()) {
    for (const auto& [version, cause] : sent) {
      if (causes.size() < kMostOffenders) causes.push_back(cause);
    }
  }
  return {{.causes = std::move(causes), .seconds = seconds, .notes = std::move(notes)},
          std::move(line.transfers),
          std::move(line.launches)};
}

}  // namespace warpmark::judge

// The check `upload_once`. A worker process with recording (CUPTI or the simulator) of every transfer of
// every thread uploads one input with the student's upload function. Each version is called with the same
// input in a worker process of its own, where the harness has put it on the device: what the upload leaves in
// its process (environment, files, memory, handlers) no version meets, and no version what another leaves.
// All bytes that the submission copies to the device must be that input, once. Two copies of random size by
// the harness (canaries), before and after, prove in each process that recording was on.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "harness/assignments/random.h"
#include "harness/base/parallel.h"
#include "harness/judge/checks/upload_audit.h"
#include "harness/judge/checks/upload_rule.h"
#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {
namespace {

// What one worker process of the audit came to.
struct Part {
  TimeLine line;
  std::vector<Cause> causes;
  std::vector<Cause> notes;
  bool on = false;  // true: recording was on from its first to its last canary
};

}  // namespace

UploadOutcome check_upload(const GradingContext& bench, const BuiltTypes& upload,
                           const std::map<std::string, BuiltTypes>& correct,
                           const std::map<std::string, BuiltTypes>& others,
                           const std::map<std::string, Cause>& sent, unsigned jobs) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Cause> notes;
  const AuditedData data(bench, bench.course.rubric.types.front(), random_bits(bench.seed, 1));

  // Audits the upload function or a version in a worker process of its own.
  const auto audit = [&](std::uint64_t number, const auto& ask) {
    Part part;
    auto worker =
        WorkerClient::start(bench.installation, upload.engine, true, bench.course.rubric.limits.call);
    if (!worker) {
      part.causes.push_back(worker.error());
      return part;
    }
    if (const std::string why = worker->hello().observer; !why.empty()) {
      part.causes.push_back(make_cause(CauseKind::no_profiler, why));
      return part;
    }
    UploadAudit audited(bench, std::move(*worker), data, part.line);
    const auto canary_bytes = [&](std::uint64_t draw) {
      return 4096 + random_below(bench.seed, 2 * number + draw, 60'000);
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
    return part;
  };

  Part whole = audit(0, [&](UploadAudit& audited) { return audited.upload(upload); });
  TimeLine line = std::move(whole.line);
  std::vector<Cause> causes = std::move(whole.causes);
  add_once(notes, std::move(whole.notes));
  if (whole.on) {
    std::map<std::string, BuiltTypes> versions = correct;
    versions.insert(others.begin(), others.end());
    std::vector<std::string> names;
    for (const auto& [version, built] : versions) names.push_back(version);
    std::vector<Part> parts(names.size());
    in_parallel(names.size(), jobs, [&](std::size_t i) {
      parts[i] = audit(i + 1, [&](UploadAudit& audited) {
        audited.call(names[i], versions.at(names[i]), correct.contains(names[i]));
        return true;
      });
    });
    for (std::size_t i = 0; i < names.size(); ++i) {
      line.append(parts[i].line, names[i]);
      add_once(notes, std::move(parts[i].notes));
      // Drop the defects of a failed kernel file: its own checks report its failure.
      if (correct.contains(names[i])) add_once(causes, std::move(parts[i].causes));
    }
    const bool other_memory = std::any_of(causes.begin(), causes.end(), [](const Cause& cause) {
      // Pages of managed memory migrate on demand, so the limit on the bytes that a kernel file may copy does
      // not apply.
      return cause.kind == CauseKind::managed_memory;
    });
    if (!other_memory) {
      auto broken = broken_upload_rule(bench, data.contents.size(), line.transfers);
      causes.insert(causes.end(), std::make_move_iterator(broken.begin()),
                    std::make_move_iterator(broken.end()));
    }
  }
  for (Cause& cause : causes) {
    cause.type = bench.course.rubric.types.front();
    cause.n = data.which.n;
  }
  if (causes.empty()) {
    for (const auto& [version, cause] : sent) {
      if (causes.size() < kMostOffenders) causes.push_back(cause);
    }
  }
  return {{.causes = std::move(causes), .seconds = seconds_since(start), .notes = std::move(notes)},
          std::move(line.transfers),
          std::move(line.launches)};
}

}  // namespace warpmark::judge

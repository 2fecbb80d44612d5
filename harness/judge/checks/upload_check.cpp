// The check `upload_once`. A worker process with recording (CUPTI or the simulator) of every transfer of
// every thread uploads one input with the student's upload function and passes it to every kernel file. All
// bytes copied to the device must be that input, once. Two copies of random size by the harness (canaries),
// before and after, prove that recording was on. The harness copies nothing else to the device, so all other
// transfers are the student's.
//
// Kernel files that passed `correct` share a worker process. Each of the others gets its own, so that a crash
// cannot end the audit of the rest.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "harness/assignments/random.h"
#include "harness/judge/checks/upload_audit.h"
#include "harness/judge/checks/upload_rule.h"
#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

UploadOutcome check_upload(const GradingContext& bench, const BuiltTypes& upload,
                           const std::map<std::string, BuiltTypes>& correct,
                           const std::map<std::string, BuiltTypes>& others,
                           const std::map<std::string, Cause>& sent) {
  const auto start = std::chrono::steady_clock::now();
  TimeLine line;
  std::vector<Cause> causes;
  std::vector<Cause> notes;
  std::uint64_t data_bytes = 0;
  std::uint64_t size = 0;
  std::uint64_t draws = 1;
  const auto canary_bytes = [&] { return 4096 + random_below(bench.seed, ++draws, 60'000); };

  // Audits some of the kernel files in one worker process. Returns true if recording was on throughout: from
  // the first to the last of the copies that the harness makes for this test.
  const auto audit = [&](const std::map<std::string, BuiltTypes>& versions, TimeLine& into,
                         std::vector<Cause>& found) {
    auto worker =
        WorkerClient::start(bench.installation, upload.engine, true, bench.course.rubric.limits.call);
    if (!worker) {
      found.push_back(worker.error());
      return false;
    }
    if (const std::string why = worker->hello().observer; !why.empty()) {
      found.push_back(make_cause(CauseKind::no_profiler, why));
      return false;
    }
    UploadAudit audited(bench, std::move(*worker), bench.course.rubric.types.front(), into);
    data_bytes = audited.make_data(random_bits(bench.seed, 1));
    size = audited.size();
    bool on =
        audited.canary(canary_bytes(), CauseKind::no_profiler,
                       "a copy that the harness made was not recorded, so nothing can be said about the "
                       "upload; is CUPTI of the CUDA toolkit installed?") &&
        audited.upload(upload);
    for (const auto& [version, built] : versions) {
      if (on) audited.call(version, built, correct.contains(version));
      // A dead worker process ends the audit; its defects already name the kernel file that killed it.
      on = on && audited.worker_lives();
    }
    on = on && audited.canary(canary_bytes(), CauseKind::tampering,
                              "copies were recorded before the submission ran, but not afterwards: a "
                              "submission must not interfere with the recording");
    found = std::move(audited.causes);
    add_once(notes, std::move(audited.notes));
    return on;
  };

  if (audit(correct, line, causes)) {
    for (const auto& [version, built] : others) {
      // Drop the defects that an audit of one failed kernel file finds: the file's own checks report its
      // failure, and the upload function was graded in the audit of the correct files.
      TimeLine alone;
      std::vector<Cause> told_elsewhere;
      audit({{version, built}}, alone, told_elsewhere);
      line.append(alone, version);
    }
    const bool other_memory = std::any_of(causes.begin(), causes.end(), [](const Cause& cause) {
      // Pages of managed memory migrate on demand, so the limit on the bytes that a kernel file may copy does
      // not apply.
      return cause.kind == CauseKind::managed_memory;
    });
    if (!other_memory) {
      auto broken = broken_upload_rule(bench, data_bytes, line.transfers);
      causes.insert(causes.end(), std::make_move_iterator(broken.begin()),
                    std::make_move_iterator(broken.end()));
    }
  }
  for (Cause& cause : causes) {
    cause.type = bench.course.rubric.types.front();
    cause.n = size;
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

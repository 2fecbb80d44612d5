// The check `upload_once`: all bytes that a submission copies to the device are its input, once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

struct AuditedData;

// Result of the check, which records all host-to-device copies of the upload function and of all student
// kernel files that run.
struct UploadOutcome {
  CheckOutcome outcome;
  std::vector<AuditedTransfer> transfers;
  std::vector<AuditedLaunch> launches;
};

// The check in parts, each in a worker process of its own with recording (CUPTI or the simulator) of every
// transfer of every thread. The upload function uploads one input; each version is called with the same
// input, which the harness has put on the device: what the upload leaves in its process (environment, files,
// memory, handlers) no version meets, and no version what another leaves. Two copies of random size by the
// harness (canaries), before and after, prove in each process that recording was on.
class UploadCheck {
 public:
  // Keeps the reference to `bench`, which must outlive the object. `upload`: libraries of the upload
  // function, which have to be built.
  UploadCheck(const GradingContext& bench, BuiltTypes upload);
  ~UploadCheck();
  UploadCheck(const UploadCheck&) = delete;
  UploadCheck& operator=(const UploadCheck&) = delete;

  // Audit the upload function, and a version. The parts may be made in any order and at the same time, each
  // once. `is_correct`: the version passed the check `correct`; the defects of others are not reported.
  void audit_upload();
  void audit_version(const std::string& name, const BuiltTypes& built, bool is_correct);
  [[nodiscard]] bool has_audited(const std::string& name) const;

  // Returns the check's outcome when all parts are made. `sent`: excess copies per file seen in other checks,
  // so that code that detects the audit does not evade the rule.
  [[nodiscard]] UploadOutcome outcome(const std::map<std::string, Cause>& sent) const;

 private:
  struct Part;
  template <class Ask>
  Part made(std::uint64_t number, std::vector<std::string> libraries, const Ask& ask) const;

  const GradingContext& bench_;
  BuiltTypes upload_;
  std::unique_ptr<const AuditedData> data_;
  mutable std::mutex mutex_;
  std::unique_ptr<Part> whole_;  // of the upload function; null: not made
  std::map<std::string, Part> parts_;
};

}  // namespace warpmark::judge

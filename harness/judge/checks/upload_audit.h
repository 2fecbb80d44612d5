// A worker process with recording (CUPTI or the simulator) for one file of a submission: it uploads an input
// with the student's upload function, or calls a version with that input.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/judge/cases/case_runner.h"
#include "harness/judge/checks/time_line.h"
#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// The input of an audit, the same in each of its worker processes: of the rubric's size plus a random number
// of elements that the student cannot predict.
struct AuditedData {
  AuditedData(const GradingContext& bench, const std::string& type, std::uint64_t seed);

  Case which;
  std::unique_ptr<Problem> problem;
  BufferSpec uploaded;    // the buffer that the submission uploads
  SharedMemory contents;  // of that buffer
};

class UploadAudit {
 public:
  // Appends all transfers and launches of the worker process to `line`. Recording must have been on since the
  // start of the process.
  UploadAudit(const GradingContext& bench, WorkerClient worker, const AuditedData& data, TimeLine& line);
  UploadAudit(const UploadAudit&) = delete;
  UploadAudit& operator=(const UploadAudit&) = delete;
  ~UploadAudit() = default;

  std::vector<Cause> causes;
  std::vector<Cause> notes;

  [[nodiscard]] bool worker_lives() const { return worker_.alive(); }

  // Makes the harness copy `bytes` bytes to the device and searches for that copy in the recorded transfers,
  // to prove that recording works. If it is missing, reports a failure of kind `otherwise` and returns false.
  bool canary(std::uint64_t bytes, CauseKind otherwise, const char* message);

  // Calls the student's upload function and compares the device memory that it returns with the input.
  // Returns false if the audit cannot continue.
  bool upload(const BuiltTypes& built);

  // Puts the input on the device as the harness does, and zeros in all other buffers, calls the student's
  // function, and checks the result if the function is known to be correct.
  void call(const std::string& version, const BuiltTypes& built, bool is_correct);

 private:
  [[nodiscard]] std::chrono::milliseconds limit() const;
  bool add(Cause cause);
  bool add_death(Cause cause);
  // Loads the library of a kernel file or of the upload function. On failure records the reason and returns
  // nullopt.
  std::optional<Loaded> load_one(const std::string& function, const BuiltTypes& built);
  bool report(const wire::Observation& observed, const wire::Failure& failure);
  void locate(AuditedTransfer& transfer, const std::vector<std::uint64_t>& frames);
  void take(const wire::Request& request, const wire::Seen& seen);
  [[nodiscard]] bool answer_follows_from_data() const;
  void look_at_answer(const std::string& file);
  bool holds_the_data(const std::vector<std::uint64_t>& allocated);
  [[nodiscard]] Cause other_data(std::span<const std::byte> back,
                                 const std::vector<std::uint64_t>& allocated) const;

  const GradingContext& bench_;
  WorkerClient worker_;
  const AuditedData& data_;
  TimeLine& line_;
  Blame blame_;  // student source file and library loaded last, to which faults are attributed
  // Cache of source positions: maps a call stack to file and line.
  std::map<std::vector<std::uint64_t>, std::pair<std::string, int>> places_;
  std::string asked_;   // name of the kernel file or upload function that is loaded or was loaded last
  std::string source_;  // name of the student's kernel file or upload function loaded last
  std::optional<OwnCopy> own_;  // copy that the harness, not student code, makes in the next request
  bool saw_own_ = false;        // true: the last reply lists the copy that the harness itself made
};

}  // namespace warpmark::judge

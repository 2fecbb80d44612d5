// An observed worker that uploads one data set and passes it to versions.
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

class UploadAudit {
 public:
  // The worker must have been observed from its start. Its events are added to `line`.
  UploadAudit(const GradingContext& bench, WorkerClient worker, std::string type, TimeLine& line);
  UploadAudit(const UploadAudit&) = delete;
  UploadAudit& operator=(const UploadAudit&) = delete;
  ~UploadAudit() = default;

  std::vector<Cause> causes;
  std::vector<Cause> notes;

  [[nodiscard]] bool worker_lives() const { return worker_.alive(); }
  [[nodiscard]] std::uint64_t size() const { return case_.n; }

  // Generates the data: the rubric's size plus a secret number of values. Returns its size in bytes.
  std::uint64_t make_data(std::uint64_t seed);

  // Makes a copy of `bytes` bytes and searches for it in the record. If it is missing, adds a cause of kind
  // `otherwise` and returns false.
  bool canary(std::uint64_t bytes, CauseKind otherwise, const char* message);

  // Calls upload and compares the returned memory with the data. Returns false if the audit cannot continue.
  bool upload(const BuiltTypes& built);

  // Creates the other buffers on the device, so that none of their bytes cross, calls the version with the
  // uploaded data, and checks its answer.
  void call(const std::string& version, const BuiltTypes& built, bool is_correct);

 private:
  bool add(Cause cause);
  bool add_death(Cause cause);
  // Loads a version or the upload. On failure adds the cause and returns nullopt.
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
  std::string type_;
  std::chrono::milliseconds limit_;
  Case case_;
  std::unique_ptr<Problem> problem_;
  BufferSpec uploaded_;
  std::optional<SharedMemory> data_;  // its contents
  TimeLine& line_;
  Blame blame_;                                                               // of the library loaded last
  std::map<std::vector<std::uint64_t>, std::pair<std::string, int>> places_;  // call stack to file and line
  std::string source_;          // name of the version loaded last, or of the upload
  std::optional<OwnCopy> own_;  // copy that the next request makes for the harness
  bool saw_own_ = false;        // the record contains it
};

}  // namespace warpmark::judge

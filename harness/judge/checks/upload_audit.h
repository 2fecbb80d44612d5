// One worker that is watched while it uploads one data set and gives it to versions.
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
  // The worker has been observed from its start. What it tells goes to `line`.
  UploadAudit(const GradingContext& bench, WorkerClient worker, std::string type, TimeLine& line);
  UploadAudit(const UploadAudit&) = delete;
  UploadAudit& operator=(const UploadAudit&) = delete;
  ~UploadAudit() = default;

  std::vector<Cause> causes;
  std::vector<Cause> notes;

  [[nodiscard]] bool worker_lives() const { return worker_.alive(); }
  [[nodiscard]] std::uint64_t size() const { return case_.n; }

  // Returns its size in bytes. The rubric's size, and a secret number of values more.
  std::uint64_t make_data(std::uint64_t seed);

  // Makes a copy of `bytes` bytes and looks for it in the record; false, with a cause of kind `otherwise`,
  // when it is not there.
  bool canary(std::uint64_t bytes, CauseKind otherwise, const char* message);

  // Calls upload and holds what it returned against the data. False when there is nothing to go on with.
  bool upload(const BuiltTypes& built);

  // Makes the other buffers on the device, so that no byte of them crosses, calls one version with the
  // uploaded data, and looks at its answer.
  void call(const std::string& version, const BuiltTypes& built, bool is_correct);

 private:
  bool add(Cause cause);
  bool add_death(Cause cause);
  // Loads a version or the upload; empty, with the cause, where that fails.
  std::optional<Loaded> load_one(const std::string& function, const BuiltTypes& built);
  bool report(const wire::Observation& observed, const wire::Failure& failure);
  void place(Transfer& transfer, const std::vector<std::uint64_t>& frames);
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
  Blame blame_;                                                               // for what was loaded last
  std::map<std::vector<std::uint64_t>, std::pair<std::string, int>> places_;  // of its frames
  std::string source_;          // the version whose library was loaded last, or the upload
  std::optional<OwnCopy> own_;  // what the next request copies for the harness
  bool saw_own_ = false;        // it was in the record
};

}  // namespace warpmark::judge

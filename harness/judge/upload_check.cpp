// upload_once: one worker that records every transfer uploads one data set and gives it to every correct
// version. What crosses to the device in all of that must be the data set, once. Two copies of secret sizes,
// one before and one after, prove that recording was on.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/case_runner.h"
#include "harness/judge/version_checks.h"

namespace warpmark::judge {
namespace {

using nlohmann::json;

// The transfers that a reply tells of; anything that does not look like one is left out.
std::vector<Transfer> transfers_of(const json& reply, const std::string& during) {
  std::vector<Transfer> transfers;
  const json none = json::array();
  const json& listed = reply.contains("observed") && reply["observed"].contains("transfers")
                           ? reply["observed"]["transfers"]
                           : none;
  for (const json& entry : listed) {
    if (!entry.is_object() || !entry.contains("bytes") || !entry["bytes"].is_number_unsigned()) continue;
    Transfer transfer;
    transfer.during = during;
    transfer.direction = text_of(entry, "direction");
    transfer.bytes = entry["bytes"].get<std::uint64_t>();
    transfers.push_back(transfer);
  }
  return transfers;
}

std::uint64_t bytes_to_device(const std::vector<Transfer>& transfers) {
  std::uint64_t bytes = 0;
  for (const Transfer& transfer : transfers) {
    if (transfer.direction == "host_to_device" && !transfer.canary) bytes += transfer.bytes;
  }
  return bytes;
}

class UploadAudit {
 public:
  UploadAudit(const Bench& bench, WorkerClient worker, std::string type)
      : bench_(bench), worker_(std::move(worker)), type_(std::move(type)), limit_(bench.rubric.limits.call) {}

  std::vector<Transfer> transfers;
  std::vector<Cause> causes;

  [[nodiscard]] bool worker_lives() const { return worker_.alive(); }

  // Makes a copy of `bytes` bytes and looks for it in the record; false, with a cause of kind `otherwise`,
  // when it is not there.
  bool canary(std::uint64_t bytes, CauseKind otherwise, const char* message) {
    auto reply = worker_.ask({{"do", "canary"}, {"bytes", bytes}}, {}, limit_);
    if (!reply) {
      causes.push_back(reply.error());
      return false;
    }
    auto seen = transfers_of(*reply, "canary");
    const bool there = std::any_of(seen.begin(), seen.end(), [&](const Transfer& t) {
      return t.direction == "host_to_device" && t.bytes == bytes;
    });
    for (Transfer& transfer : seen) {
      transfer.canary = true;
      transfers.push_back(transfer);
    }
    if (!there) {
      causes.push_back(make_cause(otherwise, message));
    }
    return there;
  }

  // Calls upload and holds what it returned against the data. False when there is nothing to go on with.
  bool upload(const BuiltTypes& built) {
    const std::string& function = bench_.rubric.upload;
    const SubmittedFile& file = bench_.submission.files.at(function);
    const build::Built& library = built.versions.at(type_);
    auto loaded = load(worker_, library.library, built.adapters.at(type_), "upload", function,
                       library.uses_thrust, limit_);
    if (!loaded) return add(loaded.error());
    auto reply = worker_.ask({{"do", "upload"},
                              {"library", loaded->library},
                              {"function", function},
                              {"adapter", loaded->adapter},
                              {"count", case_.n},
                              {"as", "values"},
                              {"host_readable", loaded->host_readable}},
                             {data_->fd()}, limit_);
    if (!reply) return add(with_file(reply.error(), file.name));
    record(*reply, function);
    auto reported = causes_of(*reply, {&file, &bench_.submission});
    if (!reported.empty()) {
      for (Cause& cause : reported) causes.push_back(with_file(cause, file.name));
      return false;
    }
    const std::string memory = text_of(*reply, "memory");
    if (memory == "host") {
      return add(make_cause(
          CauseKind::zero_copy,
          "upload returned pinned host memory: every kernel then reads over the bus. Return memory from "
          "cudaMalloc, filled with one cudaMemcpy",
          file.name));
    }
    if (memory == "managed") {
      causes.push_back(make_cause(
          CauseKind::managed_memory,
          "upload returned managed memory: pages move when they are touched, and back again. Return "
          "memory from cudaMalloc, filled with one cudaMemcpy",
          file.name));
      return true;
    }
    if (memory != "device") {
      return add(make_cause(CauseKind::not_uploaded,
                            fmt::format("upload returned {}, which is not device memory",
                                        memory == "unregistered" ? "a host pointer" : "a null pointer"),
                            file.name));
    }
    return holds_the_data(file.name);
  }

  // Makes the other buffers and calls one version with the uploaded data.
  void call(const std::string& version, const BuiltTypes& built) {
    const SubmittedFile& file = bench_.submission.files.at(version);
    const build::Built& library = built.versions.at(type_);
    auto loaded = load(worker_, library.library, built.adapters.at(type_), version, version,
                       library.uses_thrust, limit_);
    if (!loaded) {
      add(loaded.error());
      return;
    }
    json views = json::array();
    for (const BufferSpec& spec : problem_->buffers()) {
      views.push_back({spec.name, 0, spec.bytes});
      if (spec.role == Role::input) continue;
      SharedMemory zeros(spec.bytes);
      zeros.seal_contents();
      auto filled = worker_.ask({{"do", "fill"}, {"buffer", spec.name}}, {zeros.fd()}, limit_);
      if (!filled) {
        add(filled.error());
        return;
      }
    }
    auto reply = worker_.ask({{"do", "call"},
                              {"library", loaded->library},
                              {"function", version},
                              {"adapter", loaded->adapter},
                              {"buffers", views},
                              {"scalars", problem_->scalars()},
                              {"checking", false},
                              {"schedule", 0},
                              {"host_readable", loaded->host_readable},
                              {"patches", json::array()},
                              {"sweep", false},
                              {"reads", json::array()}},
                             {}, limit_);
    if (!reply) {
      add(with_file(reply.error(), file.name));
      return;
    }
    auto reported = causes_of(*reply, {&file, &bench_.submission});
    for (Cause& cause : reported) causes.push_back(with_file(cause, file.name));
    record(*reply, version);
  }

  // The rule: bytes to the device = the data set, once, and the allowance.
  void judge() {
    const std::uint64_t data = data_->size();
    const std::uint64_t most = data + bench_.rubric.upload_once.allowance_bytes;
    const std::uint64_t crossed = bytes_to_device(transfers);
    if (crossed < data) {
      Cause cause =
          make_cause(CauseKind::not_uploaded, "fewer bytes crossed to the GPU than the data set has",
                     bench_.submission.files.at(bench_.rubric.upload).name);
      cause.expected = fmt::format("{} bytes", data);
      cause.actual = fmt::format("{} bytes", crossed);
      causes.push_back(cause);
    } else if (crossed > most) {
      // Whoever sent most beside the first upload of the data is named.
      std::map<std::string, std::uint64_t> beside;
      for (const Transfer& transfer : transfers) {
        if (transfer.direction == "host_to_device" && !transfer.canary)
          beside[transfer.during] += transfer.bytes;
      }
      beside[bench_.rubric.upload] -= std::min(beside[bench_.rubric.upload], data);
      const auto worst = std::max_element(beside.begin(), beside.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
      Cause cause = make_cause(
          CauseKind::uploaded_again,
          fmt::format("{} sent {} bytes to the GPU that had no business there; the data is on the GPU "
                      "already when a version is called",
                      worst->first, worst->second),
          bench_.submission.files.at(worst->first).name);
      cause.expected = fmt::format("at most {} bytes over the whole submission", most);
      cause.actual = fmt::format("{} bytes", crossed);
      causes.push_back(cause);
    }
    for (Cause& cause : causes) {
      cause.type = type_;
      cause.n = case_.n;
    }
  }

  void make_data(std::uint64_t seed) {
    const auto classes = bench_.assignment.data_classes(type_);
    case_ = {type_, classes.front(), bench_.focus.size.value_or(bench_.rubric.upload_once.size), 0, seed};
    problem_ = bench_.assignment.make(case_);
    data_.emplace(problem_->buffers().front().bytes);
    problem_->fill(0, data_->bytes());
    data_->seal_contents();
  }

 private:
  bool add(Cause cause) {
    causes.push_back(std::move(cause));
    return false;
  }
  static Cause with_file(Cause cause, const std::string& file) {
    if (cause.file.empty()) cause.file = file;
    return cause;
  }
  void record(const json& reply, const std::string& during) {
    const auto seen = transfers_of(reply, during);
    transfers.insert(transfers.end(), seen.begin(), seen.end());
  }

  bool holds_the_data(const std::string& file) {
    SharedMemory back(data_->size());
    back.seal_size();
    auto reply =
        worker_.ask({{"do", "read"}, {"reads", {{"values", 0, data_->size()}}}}, {back.fd()}, limit_);
    if (!reply) {
      return add(make_cause(
          CauseKind::not_uploaded,
          "the memory that upload returned could not be read back: is it as large as the data?", file));
    }
    if (std::memcmp(back.bytes().data(), data_->bytes().data(), data_->size()) == 0) return true;
    return add(
        make_cause(CauseKind::not_uploaded, "the memory that upload returned does not hold the data", file));
  }

  const Bench& bench_;
  WorkerClient worker_;
  std::string type_;
  std::chrono::milliseconds limit_;
  Case case_;
  std::unique_ptr<Problem> problem_;
  std::optional<SharedMemory> data_;
};

}  // namespace

UploadOutcome check_upload(const Bench& bench, const BuiltTypes& upload,
                           const std::map<std::string, BuiltTypes>& versions) {
  const auto start = std::chrono::steady_clock::now();
  UploadOutcome result;
  const std::string type = bench.rubric.types.front();
  const auto finish = [&](std::vector<Cause> causes) {
    result.outcome = {std::move(causes), seconds_since(start)};
    return std::move(result);
  };

  auto worker = WorkerClient::start(bench.installation, upload.engine, true, bench.rubric.limits.call);
  if (!worker) return finish({worker.error()});
  if (const std::string why = worker->hello().value("observer", ""); !why.empty()) {
    return finish({make_cause(CauseKind::no_profiler, why)});
  }
  UploadAudit audit(bench, std::move(*worker), type);
  audit.make_data(random_bits(bench.seed, 1));
  const auto canary_bytes = [&](std::uint64_t which) {
    return 4096 + random_below(bench.seed, which, 60'000);
  };
  bool on =
      audit.canary(canary_bytes(2), CauseKind::no_profiler,
                   "a copy that the harness made was not recorded, so nothing can be said about the upload; "
                   "is CUPTI of the CUDA toolkit installed?") &&
      audit.upload(upload);
  for (const auto& [version, built] : versions) {
    if (on) audit.call(version, built);
    on = on && audit.worker_lives();  // one that died has been named
  }
  on = on && audit.canary(
                 canary_bytes(3), CauseKind::tampering,
                 "copies were recorded before the submission ran and no longer afterwards: it must leave the "
                 "recording alone");
  if (on) audit.judge();
  result.transfers = audit.transfers;
  return finish(audit.causes);
}

}  // namespace warpmark::judge

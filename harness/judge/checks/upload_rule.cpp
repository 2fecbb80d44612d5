#include "harness/judge/checks/upload_rule.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/time_line.h"

namespace warpmark::judge {
namespace {

std::uint64_t bytes_to_device(const std::vector<Sent>& all) {
  std::uint64_t bytes = 0;
  for (const Sent& sent : all) bytes += sent.bytes;
  return bytes;
}

// Sums the bytes passed as kernel arguments. These do not count as upload, because the input must be copied
// to memory that outlives a launch.
std::uint64_t bytes_in_arguments(const std::vector<Sent>& all) {
  std::uint64_t bytes = 0;
  for (const Sent& sent : all) {
    for (const Sent::Part& part : sent.parts) {
      if (part.kind == wire::name_of(wire::TransferKind::argument)) bytes += part.bytes;
    }
  }
  return bytes;
}

// Returns the kind of upload violation, by the way in which most bytes reached the device: mapped memory,
// managed memory or copies.
CauseKind kind_of(const Sent& sent) {
  const auto most = std::max_element(sent.parts.begin(), sent.parts.end(),
                                     [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  if (most->kind == "mapped") return CauseKind::zero_copy;
  if (most->kind == "managed") return CauseKind::managed_memory;
  return CauseKind::uploaded_again;
}

class Rule {
 public:
  Rule(const GradingContext& bench, std::uint64_t data_bytes) : bench_(bench), data_bytes_(data_bytes) {}

  [[nodiscard]] std::vector<Cause> causes(const std::vector<AuditedTransfer>& transfers) const {
    std::vector<Sent> all = sent_to_device(transfers);
    const std::uint64_t most = data_bytes_ + bench_.course.rubric.upload_once.allowance_bytes;
    const std::uint64_t crossed = bytes_to_device(all);
    const std::uint64_t uploaded = crossed - bytes_in_arguments(all);
    if (uploaded < data_bytes_) return {too_few(uploaded)};
    if (crossed <= most) return {};
    // Subtract the input itself, once, from the bytes sent by the upload function.
    for (Sent& sent : all) {
      if (sent.during == bench_.course.rubric.upload) sent.bytes -= std::min(sent.bytes, data_bytes_);
    }
    std::sort(all.begin(), all.end(), [](const Sent& a, const Sent& b) { return a.bytes > b.bytes; });
    std::vector<Cause> found;
    for (const Sent& sent : all) {
      if (sent.bytes == 0 || found.size() == kMostOffenders) break;
      found.push_back(excess_of(sent));
      if (const AuditedTransfer* transfer = excess_in(transfers, sent.during))
        point_to(found.back(), *transfer, {nullptr, &bench_.submission});
      found.back().expected = fmt::format("at most {} bytes over the whole submission", most);
      found.back().actual = fmt::format("{} bytes", crossed);
    }
    return found;
  }

 private:
  [[nodiscard]] std::string file_of(const std::string& function) const {
    const auto file = bench_.submission.files.find(function);
    return file == bench_.submission.files.end() ? std::string() : file->second.name;
  }

  // Returns the transfer to blame. For the upload function: the first one after the input was complete. For a
  // kernel file: the largest.
  [[nodiscard]] const AuditedTransfer* excess_in(const std::vector<AuditedTransfer>& transfers,
                                                 const std::string& during) const {
    const AuditedTransfer* blamed = nullptr;
    std::uint64_t sent = 0;
    for (const AuditedTransfer& transfer : transfers) {
      if (!is_sent_by(transfer, during)) continue;
      sent += transfer.bytes;
      if (during == bench_.course.rubric.upload && sent > data_bytes_) return &transfer;
      if (blamed == nullptr || transfer.bytes > blamed->bytes) blamed = &transfer;
    }
    return blamed;
  }

  [[nodiscard]] Cause too_few(std::uint64_t crossed) const {
    Cause cause = make_cause(CauseKind::not_uploaded, "fewer bytes crossed to the GPU than the data set has",
                             file_of(bench_.course.rubric.upload));
    cause.expected = fmt::format("{} bytes", data_bytes_);
    cause.actual = fmt::format("{} bytes", crossed);
    return cause;
  }

  [[nodiscard]] Cause excess_of(const Sent& sent) const {
    const bool by_upload = sent.during == bench_.course.rubric.upload;
    std::string message = fmt::format("{} sent to the GPU: {}", sent.during, text_of(sent));
    message +=
        by_upload
            ? fmt::format("; that is {} bytes more than the data set has. Copy the values once", sent.bytes)
            : "; the data is on the GPU already when a version is called: use the pointer that it "
              "is given";
    return make_cause(kind_of(sent), std::move(message), file_of(sent.during));
  }

  const GradingContext& bench_;
  std::uint64_t data_bytes_;
};

}  // namespace

std::vector<Cause> broken_upload_rule(const GradingContext& bench, std::uint64_t data_bytes,
                                      const std::vector<AuditedTransfer>& transfers) {
  return Rule(bench, data_bytes).causes(transfers);
}

}  // namespace warpmark::judge

#include "harness/judge/cases/causes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/explain.h"

namespace warpmark::judge {
namespace {

using nlohmann::json;

constexpr std::size_t kMostFindings = 100;  // a forged list shall not keep the judge busy

// A finding as the worker sent it. Its kind must be one that the simulator reports: student code, which may
// have written the finding, cannot excuse itself with a missing GPU. The builder makes debug information name
// files relative to the submission.
Cause cause_of_finding(const json& finding, const Blame& blame) {
  const auto kind = cause_kind_from(text_of(finding, "kind"));
  if (!kind) {
    return make_cause(CauseKind::internal,
                      "the simulator reported a finding of an unknown kind: " + finding.dump());
  }
  if (rule_of(*kind).source != Source::engine) {
    return make_cause(
        CauseKind::tampering,
        fmt::format("the worker reported a finding of kind {}, which no engine reports", name_of(*kind)));
  }
  Cause cause = make_cause(*kind, text_of(finding, "message"), text_of(finding, "file"));
  const auto line_of = [&](const char* member) {
    const auto line = finding.find(member);
    if (line == finding.end() || !line->is_number_integer()) return 0;
    return static_cast<int>(std::clamp<std::int64_t>(line->get<std::int64_t>(), 0, 1'000'000'000));
  };
  cause.line = line_of("line");
  cause.other_line = line_of("other_line");
  if (blame.submission != nullptr && !cause.file.empty() && cause.line > 0) {
    const auto text = submitted_text(*blame.submission, cause.file);
    if (text) cause.excerpt = build::excerpt_of(*text, cause.line);
  }
  return cause;
}

}  // namespace

tl::expected<std::vector<double>, Cause> times_of(const json& reply, std::size_t calls) {
  const auto reported = reply.find("event_ms");
  std::vector<double> times;
  if (reported != reply.end() && reported->is_array()) {
    for (const json& time : *reported) {
      const double milliseconds = time.is_number() ? time.get<double>() : 0;
      if (std::isfinite(milliseconds) && milliseconds > 0) times.push_back(milliseconds);
    }
  }
  if (times.size() == calls) return times;
  return tl::unexpected(make_cause(CauseKind::tampering, "the time of a call is not a positive number"));
}

json launches_of(const json& reply) {
  const auto observed = reply.find("observed");
  if (observed == reply.end() || !observed->is_object()) return json::array();
  const auto launches = observed->find("launches");
  return launches != observed->end() && launches->is_array() ? *launches : json::array();
}

std::optional<std::string> submitted_text(const Submission& submission, const std::string& name) {
  std::error_code error;
  const auto path = std::filesystem::canonical(submission.folder / name, error);
  if (error || *path.lexically_relative(submission.folder).begin() == "..") return std::nullopt;
  auto text = read_file(path);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

std::string text_of(const json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<Cause> causes_of(const json& reply, const Blame& blame) {
  std::vector<Cause> causes;
  if (const auto observed = reply.find("observed"); observed != reply.end() && observed->is_object()) {
    if (const auto findings = observed->find("findings");
        findings != observed->end() && findings->is_array()) {
      for (const json& finding : *findings) {
        if (causes.size() == kMostFindings) break;
        causes.push_back(cause_of_finding(finding, blame));
      }
    }
  }
  if (causes.empty() && reply.contains("threw")) {
    causes.push_back(
        make_cause(CauseKind::crashed,
                   "the function ended with an exception instead of returning: " + text_of(reply, "threw")));
  }
  if (causes.empty() && reply.contains("cuda_error")) {
    const json& error = reply["cuda_error"];
    causes.push_back(make_cause(CauseKind::cuda_error,
                                fmt::format("CUDA reported {} during {}: {}", text_of(error, "error"),
                                            text_of(error, "when"), text_of(error, "message"))));
  }
  return causes;
}

void add_once(std::vector<Cause>& causes, std::vector<Cause> more) {
  for (Cause& cause : more) {
    const bool known = std::any_of(causes.begin(), causes.end(), [&](const Cause& c) {
      return c.kind == cause.kind && c.file == cause.file && c.line == cause.line &&
             c.other_line == cause.other_line;
    });
    if (!known) causes.push_back(std::move(cause));
  }
}

}  // namespace warpmark::judge

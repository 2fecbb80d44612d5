#include "harness/judge/causes.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/explain.h"

namespace warpmark::judge {
namespace {

using nlohmann::json;

// A finding as the worker sent it. Its kind must be one that we know; its file becomes the student's name for
// it.
Cause cause_of_finding(const json& finding, const Blame& blame) {
  const auto kind = cause_kind_from(text_of(finding, "kind"));
  if (!kind)
    return make_cause(CauseKind::internal,
                      "the simulator reported a finding of an unknown kind: " + finding.dump());
  Cause cause = make_cause(*kind, text_of(finding, "message"));
  if (finding.contains("line") && finding["line"].is_number_integer())
    cause.line = finding["line"].get<int>();
  // The builder makes debug information name files relative to the submission.
  cause.file = text_of(finding, "file");
  if (blame.submission == nullptr || cause.file.empty()) return cause;
  const auto relative = std::filesystem::path(cause.file).lexically_normal();
  if (relative.is_absolute() || *relative.begin() == "..") return cause;
  if (const auto text = read_file(blame.submission->folder / relative))
    cause.excerpt = build::excerpt_of(*text, cause.line);
  return cause;
}

}  // namespace

std::string text_of(const json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<Cause> causes_of(const json& reply, const Blame& blame) {
  std::vector<Cause> causes;
  if (const auto observed = reply.find("observed"); observed != reply.end() && observed->is_object()) {
    if (const auto findings = observed->find("findings");
        findings != observed->end() && findings->is_array()) {
      for (const json& finding : *findings) causes.push_back(cause_of_finding(finding, blame));
    }
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
      return c.kind == cause.kind && c.file == cause.file && c.line == cause.line;
    });
    if (!known) causes.push_back(std::move(cause));
  }
}

}  // namespace warpmark::judge

#include "reports/formats/ci.h"

#include <cctype>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/model/overview.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

// Maximum number of annotations per kind and step; GitHub drops further ones.
constexpr std::size_t kMostAnnotations = 10;
// Limit on an annotation's text in bytes; GitHub truncates it at 4096 after escaping.
constexpr std::size_t kLongestAnnotation = 3000;
// Limit on the step summary in bytes; GitHub rejects more than 1 MiB.
constexpr std::size_t kLongestStepSummary = 900'000;
// Limit on a message that Warpmark prints about itself (such as an error) on a CI server, in bytes.
constexpr std::size_t kLongestCiMessage = 2000;

// Escapes text for the data of a GitHub workflow command ("::error::data").
std::string command_data(std::string_view text) {
  return replaced(text, {{'%', "%25"}, {'\n', "%0A"}, {'\r', "%0D"}});
}

// Escapes text for a property of a GitHub workflow command, where commas and colons are separators.
std::string command_property(std::string_view text) {
  return replaced(command_data(text), {{':', "%3A"}, {',', "%2C"}});
}

// Replaces all punctuation by character references, so that the text contains neither Markdown nor HTML.
std::string inert(std::string_view text) {
  std::string safe;
  for (const char c : visible_line(text)) {
    if (std::ispunct(static_cast<unsigned char>(c)) != 0) {
      safe += fmt::format("&#{};", static_cast<int>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

// Returns the source file to annotate for a failed check: the one that its cause names, else the kernel file
// that the check is about.
std::string file_of(const CheckResult& check, const fs::path& folder) {
  std::string file = check.causes.empty() ? std::string() : check.causes.front().file;
  if (file.empty() && !check.version.empty()) file = check.version + (is_host(check.engine) ? ".cpp" : ".cu");
  return file.empty() ? file : (folder / file).lexically_normal().generic_string();
}

std::string cause_message(const Cause& cause) {
  std::string text = shortened(visible(cause.message), kLongestCiMessage);
  if (!cause.expected.empty()) text += "\nexpected: " + visible_line(cause.expected);
  if (!cause.actual.empty()) text += "\nactual: " + visible_line(cause.actual);
  if (!cause.again.empty()) text += "\nagain: " + visible_line(cause.again);
  return shortened(text, kLongestAnnotation);
}

std::string annotation(std::string_view command, const CheckResult& check, const fs::path& folder) {
  const Cause none = make_cause(CauseKind::internal, "The grade does not say why.");
  const Cause& cause = check.causes.empty() ? none : check.causes.front();
  std::string properties = "title=" + command_property(visible_line(check.id));
  if (const std::string file = file_of(check, folder); !file.empty()) {
    properties = fmt::format("file={},line={},{}", command_property(visible_line(file)),
                             std::max(cause.line, 1), properties);
  }
  return fmt::format("::{} {}::{}\n", command, properties, command_data(cause_message(cause)));
}

std::string annotations(std::string_view command, const std::vector<const CheckResult*>& checks,
                        const fs::path& folder) {
  std::string text;
  for (std::size_t i = 0; i < std::min(checks.size(), kMostAnnotations); ++i)
    text += annotation(command, *checks[i], folder);
  return text;
}

std::vector<const CheckResult*> undecided_of(const Grade& grade) {
  std::vector<const CheckResult*> checks;
  for (const CheckResult& check : grade.checks) {
    if (check.verdict == Verdict::inconclusive || check.verdict == Verdict::broken) checks.push_back(&check);
  }
  return checks;
}

void add_failure(std::string& text, const CheckResult& check) {
  text += fmt::format("\n### {}\n\n", inert(check.id));
  if (check.causes.empty()) text += "The grade does not say why.\n";
  for (const Cause& cause : check.causes) {
    const std::string place = place_of(cause);
    text += fmt::format("- **{}{}{}**: {}\n", inert(rule_of(cause.kind).title), place.empty() ? "" : " at ",
                        inert(place), inert(shortened(cause.message, kLongestCiMessage)));
    const auto value = [&](std::string_view label, const std::string& of) {
      if (!of.empty()) text += fmt::format("  <br>{}: <code>{}</code>\n", label, inert(of));
    };
    value("expected", cause.expected);
    value("actual", cause.actual);
    value("again", cause.again);
  }
}

std::string_view severity_of(const CheckResult& check) {
  if (check.verdict != Verdict::failed) return "minor";
  return check.check == "builds" || check.check == "correct" ? "critical" : "major";
}

}  // namespace

std::string github_annotations(const Grade& grade, const fs::path& folder) {
  const Groups groups = groups_of(grade);
  const std::vector<const CheckResult*> undecided = undecided_of(grade);
  std::string text = annotations("error", groups.failed, folder) + annotations("warning", undecided, folder);
  const std::size_t most = std::max(groups.failed.size(), undecided.size());
  if (most > kMostAnnotations) {
    text += fmt::format("::notice title=Warpmark::{} more failures are in the summary of this job\n",
                        most - kMostAnnotations);
  }
  return text;
}

std::string github_error(std::string_view message) {
  return fmt::format("::error title=Warpmark::{}\n",
                     command_data(shortened(visible(message), kLongestAnnotation)));
}

std::string github_summary(const Grade& grade) {
  const Groups groups = groups_of(grade);
  std::string text = fmt::format("## {}: {}\n\n{}\n\n", inert(grade.assignment),
                                 inert(score_line(grade.score)), inert(counts_line(grade)));
  const Table table = table_of(grade);
  text += "| version |";
  for (const std::string& column : table.columns) text += fmt::format(" {} |", inert(column));
  text += " points |\n|---|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += "---|";
  text += "--:|\n";
  for (const TableRow& row : table.rows) {
    text += fmt::format("| {} |", inert(row.version));
    for (const CheckResult* check : row.cells)
      text += fmt::format(" {} |", check == nullptr ? "" : inert(status_of(*check).word));
    text += fmt::format(" {} |\n", points_text(row));
  }
  for (const CheckResult* check : table.whole_submission) {
    text += fmt::format("| {} |", inert(check->check));
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      text += i == 0 ? fmt::format(" {} |", inert(status_of(*check).word)) : " |";
    text += fmt::format(" {} |\n", points_text(*check));
  }
  for (const CheckResult* check : groups.failed) add_failure(text, *check);
  for (const CheckResult* check : undecided_of(grade)) add_failure(text, *check);
  return shortened(text, kLongestStepSummary);
}

std::string gitlab_code_quality(const Grade& grade, const fs::path& folder) {
  using Json = nlohmann::ordered_json;
  Json issues = Json::array();
  for (const CheckResult& check : grade.checks) {
    const bool tells = (check.verdict == Verdict::failed && !is_not_implemented(check)) ||
                       check.verdict == Verdict::inconclusive || check.verdict == Verdict::broken;
    const std::string file = file_of(check, folder);
    if (!tells || file.empty()) continue;
    const Cause none = make_cause(CauseKind::internal, "The grade does not say why.");
    const Cause& cause = check.causes.empty() ? none : check.causes.front();
    issues.push_back(
        {{"description", visible_line(shortened(check.id + ": " + cause.message, kLongestCiMessage))},
         {"check_name", std::string(name_of(cause.kind))},
         {"fingerprint", sha256(fmt::format("{} {} {} {}", check.id, name_of(cause.kind), file, cause.line))},
         {"severity", std::string(severity_of(check))},
         {"location", {{"path", visible_line(file)}, {"lines", {{"begin", std::max(cause.line, 1)}}}}}});
  }
  return issues.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string without_commands(std::string_view text, std::string_view token) {
  return fmt::format("::stop-commands::{}\n{}\n::{}::\n", token, text, token);
}

}  // namespace warpmark

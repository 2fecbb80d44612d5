#include "harness/assignment_check/record.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignment_check/counting.h"
#include "harness/assignments/stubs.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/passed.h"
#include "harness/judge/rules/plan.h"
#include "harness/model/passed.h"

namespace warpmark::assignment_check {
namespace {

using judge::VersionRule;

// Returns the text of the comment that a file begins with, its lines joined by spaces.
std::string opening_comment(std::string_view source) {
  std::string text;
  for (const std::string& each : lines_of(source)) {
    const std::string_view line = trimmed(each);
    if (!line.starts_with("//")) break;
    const std::string_view words = trimmed(line.substr(2));
    if (words.empty()) break;
    text += (text.empty() ? "" : " ") + std::string(words);
  }
  return text;
}

// Returns the least size for which a grading counts work: as far below that of the rubric as work_case()
// draws, if that is allowed.
Size least_size(const judge::Rubric& rubric) {
  Size size = rubric.work.size;
  size.parts.front() -= size.parts.front() / 16;
  return judge::is_work_size(rubric, size) ? size : rubric.work.size;
}

// Adds a counted call to the versions of a record.
Result<void> add_calls(const Setting& setting, const Size& size, ReferenceWork& record) {
  const auto solutions = count_solutions(setting, size);
  if (!solutions) return tl::unexpected(solutions.error());
  for (const CountedSolution& solution : *solutions) {
    const auto version = std::ranges::find(record.versions, solution.version, &RecordedVersion::version);
    if (version == record.versions.end() || solution.counted.kernels.empty()) continue;
    version->calls.push_back({solution.which.n, figures_of(solution.counted)});
  }
  return {};
}

}  // namespace

std::string first_sentence(std::string_view source) {
  static constexpr std::array<std::string_view, 2> kOpenings{"What changes: ", "What it does: "};
  std::string text = opening_comment(source);
  for (const std::string_view opening : kOpenings) {
    if (text.starts_with(opening)) text.erase(0, opening.size());
  }
  for (std::size_t end = text.find(". "); end != std::string::npos; end = text.find(". ", end + 1)) {
    // A dot before a small letter is part of an ellipsis or of an abbreviation.
    if (std::isupper(static_cast<unsigned char>(text[end + 2])) != 0) return text.substr(0, end + 1);
  }
  return text;
}

Result<ReferenceWork> record_work(const Setting& setting) {
  const judge::Rubric& rubric = setting.rubric;
  ReferenceWork record;
  record.assignment = rubric.assignment;
  record.command = fmt::format("warpmark assignment check {} --record", rubric.assignment);
  record.made_at = fmt::format("{:%F}", fmt::gmtime(std::time(nullptr)));
  record.tool_version = WARPMARK_VERSION;
  for (const VersionRule& version : rubric.versions) {
    if (version.reference_only) continue;
    const auto solution = read_file(rubric.home.reference / version.file());
    if (!solution) return tl::unexpected(solution.error());
    const auto stub = stub_of(rubric.home, version.file());
    if (!stub) return tl::unexpected(stub.error());
    record.versions.push_back(
        {version.name, first_sentence(*stub), sha256(*solution), version.work_data, {}});
  }
  const bool counts = !rubric.program && std::ranges::any_of(rubric.versions, [](const VersionRule& version) {
    return version.has(judge::Check::work);
  });
  if (!counts) return record;
  record.type = rubric.work.type;
  const Size least = least_size(rubric);
  if (auto added = add_calls(setting, least, record); !added) return tl::unexpected(added.error());
  if (least == rubric.work.size) return record;
  if (auto added = add_calls(setting, rubric.work.size, record); !added) return tl::unexpected(added.error());
  return record;
}

std::vector<AssignmentFinding> findings_of_record(const judge::Rubric& rubric) {
  const std::string file = (rubric.home.folder / kReferenceFile).string();
  const std::string remedy =
      fmt::format("record it with `warpmark assignment check {} --record`", rubric.assignment);
  const auto recorded = judge::recorded_work(rubric);
  if (!recorded) return {{Standing::open, recorded.error().message, "", 0, ""}};
  if (recorded->missing)
    return {{Standing::remark,
             "there is no record of the solutions' work, so that students who passed see their own alone; " +
                 remedy,
             file, 0, ""}};
  if (!recorded->stale.empty())
    return {
        {Standing::remark,
         fmt::format("the record of the solutions' work is not that of {}, whose figures are left out; {}",
                     fmt::join(recorded->stale, ", "), remedy),
         file, 0, ""}};
  return {{Standing::fine, fmt::format("{} holds the work of the solutions of today", kReferenceFile), "", 0,
           ""}};
}

}  // namespace warpmark::assignment_check

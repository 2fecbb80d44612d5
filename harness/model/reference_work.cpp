#include "harness/model/reference_work.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/model/json.h"
#include "harness/model/work_json.h"

namespace warpmark {
namespace {

// Members of WorkFigures that are sums, which are whole numbers at every input size.
constexpr std::array kSums{
    &WorkFigures::launches, &WorkFigures::instructions,    &WorkFigures::requests,
    &WorkFigures::sectors,  &WorkFigures::shared_requests, &WorkFigures::bank_conflicts,
    &WorkFigures::barriers, &WorkFigures::global_atomics,  &WorkFigures::shared_atomics};

WorkFigures between(const RecordedCall& least, const RecordedCall& most, std::uint64_t n) {
  const double share =
      least.n == most.n ? 0 : static_cast<double>(n - least.n) / static_cast<double>(most.n - least.n);
  WorkFigures figures;
  for (const auto member : kSums)
    figures.*member = std::round(std::lerp(least.work.*member, most.work.*member, share));
  figures.active_lanes = std::lerp(least.work.active_lanes, most.work.active_lanes, share);
  return figures;
}

}  // namespace

WARPMARK_DESCRIBE(RecordedCall, n, work)

void describe(auto& archive, Of<RecordedVersion> auto& value) {
  WARPMARK_MEMBERS(version);
  WARPMARK_OPTIONAL(teaches);
  WARPMARK_MEMBERS(solution);
  WARPMARK_OPTIONAL(data, calls);
}

void describe(auto&& archive, Of<ReferenceWork> auto& value) {
  archive.schema("warpmark.reference/1");
  WARPMARK_MEMBERS(assignment, command, made_at, tool_version);
  WARPMARK_OPTIONAL(type);
  WARPMARK_MEMBERS(versions);
}

const RecordedVersion* ReferenceWork::find(const std::string& version) const {
  const auto found = std::ranges::find(versions, version, &RecordedVersion::version);
  return found == versions.end() ? nullptr : &*found;
}

std::optional<WorkFigures> ReferenceWork::at(const std::string& version, const std::string& value_type,
                                             std::uint64_t n) const {
  const RecordedVersion* recorded = find(version);
  if (recorded == nullptr || value_type != type || recorded->calls.empty()) return std::nullopt;
  const RecordedCall& least = recorded->calls.front();
  const RecordedCall& most = recorded->calls.back();
  if (n < least.n || n > most.n) return std::nullopt;
  return between(least, most, n);
}

std::string to_json(const ReferenceWork& work) {
  return model::text_of(model::Writer::json_of(work));
}

Result<ReferenceWork> reference_work_from_json(const std::string& text) {
  return model::read_file_of<ReferenceWork>(
      text, "a record of the solutions' work",
      "Record it again with `warpmark assignment check NAME --record`.");
}

}  // namespace warpmark

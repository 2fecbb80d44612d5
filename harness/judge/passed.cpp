#include "harness/judge/passed.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/model/passed.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

bool is_stale(const RecordedVersion& recorded, const VersionRule& version, const Rubric& rubric) {
  if (recorded.data != version.work_data) return true;
  const auto solution = read_file(rubric.home.reference / version.file());
  return solution && sha256(*solution) != recorded.solution;
}

const Counted* counted_in(const Grade& grade, const std::string& version) {
  const auto found = std::ranges::find(grade.counters, version, &Counted::version);
  return found == grade.counters.end() ? nullptr : &*found;
}

// Returns the next version that students can write; nullptr if there is none.
const VersionRule* next_of(const Rubric& rubric, const VersionRule& version) {
  const auto last = rubric.versions.data() + rubric.versions.size();
  const auto* next =
      std::find_if(&version + 1, last, [](const VersionRule& each) { return !each.reference_only; });
  return next == last ? nullptr : next;
}

// Returns the work of the closest version before this one that was counted at the same input. The course's
// record stands in for a given version, which has no check `work`.
std::optional<WorkBefore> before_of(const Grade& grade, const Rubric& rubric, const ReferenceWork& recorded,
                                    const VersionRule& version, const Counted& counted) {
  for (const VersionRule* each = &version; each != rubric.versions.data();) {
    --each;
    const Counted* own = counted_in(grade, each->name);
    if (own != nullptr && own->n == counted.n && own->type == counted.type)
      return WorkBefore{each->name, false, figures_of(*own)};
    if (!each->given) continue;
    if (const auto work = recorded.at(each->name, counted.type, counted.n))
      return WorkBefore{each->name, true, *work};
  }
  return std::nullopt;
}

PassedVersion passed_version(const Grade& grade, const Rubric& rubric, const ReferenceWork& recorded,
                             const VersionRule& version) {
  PassedVersion passed{.version = version.name};
  const VersionRule* next = next_of(rubric, version);
  if (next != nullptr) passed.next = next->name;
  if (const RecordedVersion* described = recorded.find(passed.next)) passed.teaches = described->teaches;
  const Counted* counted = counted_in(grade, version.name);
  // Without the check `work` the counted call is a small one of `clean`.
  if (counted == nullptr || !version.has(Check::work)) return passed;
  passed.n = counted->n;
  passed.work = figures_of(*counted);
  passed.reference = recorded.at(version.name, counted->type, counted->n);
  passed.reference_of_next = recorded.at(passed.next, counted->type, counted->n);
  passed.before = before_of(grade, rubric, recorded, version, *counted);
  return passed;
}

}  // namespace

Result<RecordedWork> recorded_work(const Rubric& rubric) {
  RecordedWork result;
  const fs::path file = rubric.home.folder / kReferenceFile;
  std::error_code error;
  result.missing = !fs::exists(file, error);
  if (result.missing) return result;
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  auto work = reference_work_from_json(*text);
  if (!work) return fail(fmt::format("{}: {}", file.string(), work.error().message));
  if (work->assignment != rubric.assignment)
    return fail(fmt::format(
        "{}: it was recorded for {}. Record it again with `warpmark assignment check {} --record`",
        file.string(), work->assignment, rubric.assignment));
  for (const VersionRule& version : rubric.versions) {
    if (version.reference_only) continue;
    const RecordedVersion* recorded = work->find(version.name);
    if (recorded != nullptr && !is_stale(*recorded, version, rubric)) continue;
    result.stale.push_back(version.name);
    std::erase_if(work->versions, [&](const auto& each) { return each.version == version.name; });
  }
  result.work = std::move(*work);
  return result;
}

void add_passed(Grade& grade, const Rubric& rubric) {
  auto recorded = recorded_work(rubric);
  if (!recorded) {
    grade.remarks.push_back("the figures of the course's solutions are left out: " +
                            recorded.error().message);
    recorded = RecordedWork{};
  }
  for (const VersionRule& version : rubric.versions) {
    if (has_passed(grade, version.name))
      grade.passed.push_back(passed_version(grade, rubric, recorded->work, version));
  }
}

}  // namespace warpmark::judge

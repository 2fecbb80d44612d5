#include "harness/class/run/regrade.h"

#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/class/roster/csv.h"
#include "harness/model/grade.h"

namespace warpmark::classroom {
namespace {

std::string why_of(const CheckResult& check) {
  std::string why(name_of(check.verdict));
  if (!check.causes.empty())
    why += fmt::format(", {}: {}", name_of(check.causes.front().kind), check.causes.front().message);
  return why;
}

std::vector<ChangedCheck> changed_checks(const Grade& before, const Grade& after) {
  std::map<std::string, const CheckResult*> old;
  for (const CheckResult& check : before.checks) old[check.id] = &check;
  std::vector<ChangedCheck> changed;
  for (const CheckResult& check : after.checks) {
    const auto found = old.find(check.id);
    const double points = found == old.end() ? 0 : found->second->points + found->second->bonus;
    const bool same = found != old.end() && points == check.points + check.bonus &&
                      found->second->verdict == check.verdict && found->second->possible == check.possible;
    if (!same) changed.push_back({check.id, points, check.points + check.bonus, why_of(check)});
    if (found != old.end()) old.erase(found);
  }
  for (const CheckResult& check : before.checks) {
    if (old.contains(check.id))
      changed.push_back({check.id, check.points + check.bonus, 0, "is no longer in the rubric"});
  }
  return changed;
}

const std::vector<ContestShare>& won_by(const std::string& id, const Won& won) {
  static const std::vector<ContestShare> kNothing;
  const auto found = won.find(id);
  return found == won.end() ? kNothing : found->second;
}

// Adds to a student's regrade changes the contest points won under the current grades and under the new ones,
// and a line per contest in which they differ.
void add_contests(Change& change, const Won& before, const Won& after) {
  std::map<std::string, std::pair<double, double>> points;
  for (const ContestShare& share : won_by(change.student, before)) points[share.version].first = share.points;
  for (const ContestShare& share : won_by(change.student, after)) points[share.version].second = share.points;
  for (const auto& [version, both] : points) {
    change.before += both.first;
    change.after += both.second;
    if (both.first != both.second)
      change.checks.push_back(
          {"contest." + version, both.first, both.second, "decided among the new grades"});
  }
}

}  // namespace

std::vector<Change> changes_in(const Journal& journal, const TakenClass& taken, const Won& won_before,
                               const Won& won_after) {
  std::vector<Change> changes;
  for (const Taken& student : taken.students) {
    const auto before = journal.outcome(Shelf::current, student.id);
    const auto after = journal.outcome(Shelf::shadow, student.id);
    if (!after) continue;
    Change change{student.id, before ? before->score.earned() : 0, after->score.earned(), "", {}};
    const auto old_grade = before ? grade_from_json(before->grade) : fail("");
    const auto new_grade = grade_from_json(after->grade);
    if (old_grade && new_grade) {
      change.checks = changed_checks(*old_grade, *new_grade);
    } else if (old_grade || new_grade) {
      change.note = new_grade
                        ? "had no grade, and would have one"
                        : fmt::format("would have no grade: {}", after->cause ? after->cause->message : "");
    }
    add_contests(change, won_before, won_after);
    if (!change.checks.empty() || !change.note.empty() || change.before != change.after)
      changes.push_back(std::move(change));
  }
  return changes;
}

void write_changes(const std::filesystem::path& out, const std::vector<Change>& changes) {
  std::string text = "student,points_before,points_after,check,check_before,check_after,why\r\n";
  for (const Change& change : changes) {
    const std::string head = fmt::format("{},{},{}", csv_cell(change.student), csv_number(change.before),
                                         csv_number(change.after));
    if (change.checks.empty()) text += fmt::format("{},,,,{}\r\n", head, csv_cell(change.note));
    for (const ChangedCheck& check : change.checks) {
      text += fmt::format("{},{},{},{},{}\r\n", head, csv_cell(check.id), csv_number(check.before),
                          csv_number(check.after), csv_cell(check.why));
    }
  }
  std::filesystem::create_directories(out / "regrade");
  if (auto written = write_file(out / "regrade" / "regrade.csv", text); !written)
    throw std::runtime_error(written.error().message);
}

}  // namespace warpmark::classroom

#include "harness/class/run/results.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "harness/class/roster/csv.h"
#include "harness/class/run/contest.h"
#include "harness/class/run/rules.h"
#include "harness/model/grade.h"

namespace warpmark::classroom {
namespace {

// Tolerance when late days are rounded up: dates have a resolution of one second, so a day that began less
// than a second ago is not counted.
constexpr double kSecond = 1.0 / 86400;

void settle(StudentResult& student, const judge::Rubric::Late& policy) {
  double points = student.points + student.bonus;
  for (const ContestShare& share : student.contests) points += share.points;
  if (student.correction && !student.correction->relative) {
    student.final_points = rounded_points(std::max(0.0, student.correction->points));
    return;
  }
  if (student.correction) points += student.correction->points;
  points = std::max(0.0, points);
  if (student.lateness.days)
    student.lateness.deduction = rounded_points(late_deduction(policy, points, *student.lateness.days));
  student.final_points = rounded_points(points - student.lateness.deduction);
}

StudentResult result_of(const Taken& taken, const Outcome* outcome, double possible) {
  StudentResult student;
  student.id = taken.id;
  student.person = taken.person;
  student.possible = possible;
  student.submitted = taken.submitted;
  student.lateness = taken.lateness;
  student.source = taken.source;
  student.remarks = taken.remarks;
  if (taken.fault) {
    student.state = taken.fault->kind == "missing" ? StudentState::missing : StudentState::unusable;
    student.cause = taken.fault;
  } else if (outcome == nullptr || outcome->content != taken.content) {
    student.state = StudentState::waiting;
    student.cause = StudentCause{"interrupted", "was not graded yet; go on with --resume"};
  } else {
    student.state = outcome->state;
    student.cause = outcome->cause;
    student.points = outcome->score.points;
    student.open = outcome->score.open;
    student.needs_gpu = outcome->score.needs_gpu;
    student.bonus = outcome->score.bonus;
    if (student.state == StudentState::graded) {
      student.possible = outcome->score.possible;
      student.grade = fmt::format("students/{}/grade.json", student.id);
    }
  }
  return student;
}

int exit_status_of(const StudentResult& student, const Outcome* outcome) {
  switch (student.state) {
    case StudentState::graded:
      return outcome->exit_status;
    case StudentState::waiting:
    case StudentState::broken:
      return 3;
    case StudentState::missing:
    case StudentState::unusable:
      break;
  }
  return 1;
}

}  // namespace

double late_deduction(const judge::Rubric::Late& policy, double points, double days) {
  const double begun = std::ceil(std::max(0.0, days - policy.grace_days - kSecond));
  const double percent = std::min(policy.at_most_percent, begun * policy.percent_a_day);
  return points * percent / 100;
}

std::vector<std::string> adjustments_of(const StudentResult& student) {
  std::vector<std::string> lines;
  for (const ContestShare& share : student.contests) {
    lines.push_back(
        fmt::format("Contest of {}: {} bonus point{}, because the fastest right submission of the "
                    "class is at most {:g} times as fast.",
                    share.version, csv_number(share.points), share.points == 1 ? "" : "s", share.within));
  }
  if (const auto& correction = student.correction) {
    lines.push_back(fmt::format(
        "Corrected by {} on {}: {}{} points{}. {}", correction->by, correction->when.substr(0, 10),
        correction->relative && correction->points >= 0 ? "+" : "", csv_number(correction->points),
        correction->relative ? "" : " in all", correction->comment));
  }
  if (student.lateness.deduction > 0) {
    lines.push_back(fmt::format("Handed in {:.1f} days late: {} points deducted by the late policy.",
                                *student.lateness.days, csv_number(student.lateness.deduction)));
  } else if (student.lateness.late) {
    lines.emplace_back("Handed in late; no points were deducted.");
  }
  if (!lines.empty()) {
    lines.push_back(fmt::format("Final: {} of {} points.", csv_number(student.final_points),
                                csv_number(student.possible)));
  }
  return lines;
}

ClassResult compose(const TakenClass& taken, const std::map<std::string, Outcome>& outcomes,
                    const std::map<std::string, Correction>& corrections, const judge::Rubric& rubric,
                    const std::vector<ContestResult>& contests) {
  ClassResult result;
  result.assignment = taken.assignment;
  result.possible = possible_points(rubric);
  result.not_understood = taken.not_understood;
  result.contests = contests;
  result.staged = rubric.help.given;
  result.tool_version = WARPMARK_VERSION;
  std::size_t missing = 0;
  for (const Taken& each : taken.students) {
    const auto found = outcomes.find(each.id);
    const Outcome* outcome = found == outcomes.end() ? nullptr : &found->second;
    StudentResult student = result_of(each, outcome, result.possible);
    student.contests = shares_of(contests, student.id, rubric);
    if (const auto correction = corrections.find(each.id); correction != corrections.end())
      student.correction = correction->second;
    settle(student, rubric.late);
    const auto look_at = [&](std::string why) { result.look_at.push_back({student.id, std::move(why)}); };
    if (!each.doubt.empty()) look_at(each.doubt);
    if (student.state == StudentState::unusable || student.state == StudentState::broken)
      look_at(student.cause->message);
    if (student.state == StudentState::graded && !outcome->doubt.empty()) look_at(outcome->doubt);
    for (const std::string& remark : student.remarks) look_at(remark);
    if (student.lateness.late && !student.lateness.days && rubric.late.percent_a_day > 0) {
      look_at(
          "is marked late, but the export does not say by how much, so no points were deducted; enter the "
          "days in the roster's column late_days");
    }
    missing += student.state == StudentState::missing ? 1 : 0;
    result.exit_status = std::max(result.exit_status, exit_status_of(student, outcome));
    result.students.push_back(std::move(student));
  }
  if (missing > 0) {
    result.look_at.push_back(
        {"", fmt::format("{} handed in nothing",
                         missing == 1 ? "one student" : fmt::format("{} students", missing))});
  }
  return result;
}

}  // namespace warpmark::classroom

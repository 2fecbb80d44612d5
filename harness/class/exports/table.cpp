#include "harness/class/exports/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/class/roster/csv.h"
#include "reports/wording/text.h"

namespace warpmark::classroom {
namespace {

std::string shown(std::string_view text) {
  return csv_cell(visible_line(text));
}

}  // namespace

std::string to_csv(const ClassResult& result) {
  std::string text =
      "id,name,key,email,login,sid,state,points,possible,open,needs_gpu,late,late_days,late_deduction,"
      "correction,correction_added,correction_comment,correction_by,final_points,cause,remarks,bonus,"
      "contest\r\n";
  for (const StudentResult& student : result.students) {
    const auto& person = student.person;
    const bool graded = student.state == StudentState::graded;
    const auto number = [&](double value) { return graded ? csv_number(value) : std::string(); };
    const auto& correction = student.correction;
    std::vector<std::string> cells;
    for (const std::string& each :
         {student.id, person.name, person.key, person.email, person.login, person.sid})
      cells.push_back(shown(each));
    cells.emplace_back(name_of(student.state));
    cells.push_back(number(student.points));
    cells.push_back(csv_number(student.possible));
    cells.push_back(number(student.open));
    cells.push_back(number(student.needs_gpu));
    cells.emplace_back(student.lateness.late ? "yes" : "");
    cells.push_back(student.lateness.days ? csv_number(*student.lateness.days) : "");
    cells.push_back(csv_number(student.lateness.deduction));
    // Writes the manual correction of the points as a plain number: a spreadsheet would read "+2" as a
    // formula, and "'+2" as text.
    cells.push_back(correction ? csv_number(correction->points) : "");
    cells.emplace_back(correction && correction->relative ? "yes" : "");
    cells.push_back(correction ? shown(correction->comment) : "");
    cells.push_back(correction ? shown(correction->by) : "");
    cells.push_back(csv_number(student.final_points));
    cells.push_back(student.cause ? shown(student.cause->message) : "");
    cells.push_back(shown(fmt::format("{}", fmt::join(student.remarks, "; "))));
    double won = 0;
    for (const ContestShare& share : student.contests) won += share.points;
    cells.push_back(number(student.bonus));
    cells.push_back(number(won));
    text += fmt::format("{}\r\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace warpmark::classroom

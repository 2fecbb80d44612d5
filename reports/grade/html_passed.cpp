#include "reports/grade/html_passed.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/grade/html_values.h"
#include "reports/grade/passed.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

// A column of a version's table: whose work it is.
struct Column {
  std::string title;
  const WorkFigures* work;
};

std::vector<Column> columns_of(const PassedVersion& version) {
  std::vector<Column> columns{{"Yours", &*version.work}};
  if (version.reference) columns.push_back({"Reference", &*version.reference});
  if (version.before)
    columns.push_back(
        {fmt::format("{} {}", version.before->of_the_course ? "Given" : "Your",
                     name(version.before->version.substr(0, version.before->version.find('_')))),
         &version.before->work});
  if (version.last) {
    const std::string moment = moment_text(version.last->graded_at);
    const std::string size =
        version.last->n == version.n ? "" : fmt::format(" ({} values)", grouped(version.last->n));
    columns.push_back(
        {(moment.empty() ? "Your last grade" : "Your grade of " + moment) + size, &version.last->work});
  }
  return columns;
}

// Returns one row per figure that any column has.
mstch::array rows_of(const std::vector<Column>& columns) {
  mstch::array rows;
  for (const WorkFigure& figure : work_figures()) {
    mstch::array cells;
    bool has_any = false;
    for (const Column& column : columns) {
      const double value = figure.value(*column.work);
      has_any = has_any || value > 0;
      cells.push_back(mstch::map{{"figure_value", figure_text(value)}});
    }
    if (has_any)
      rows.push_back(mstch::map{{"figure_title", std::string(figure.title)},
                                {"figure_meaning", std::string(figure.meaning)},
                                {"figure_cells", cells}});
  }
  return rows;
}

}  // namespace

void add_passed(const Grade& grade, mstch::map& view) {
  const PassedVersion* first = furthest(grade);
  if (first == nullptr && !grade.passed.empty()) first = &grade.passed.back();
  mstch::array versions;
  for (const PassedVersion& version : grade.passed) {
    const std::string next = next_step(version);
    if (!version.work && next.empty()) continue;
    mstch::array titles;
    mstch::array rows;
    if (version.work) {
      const std::vector<Column> columns = columns_of(version);
      for (const Column& column : columns) titles.push_back(mstch::map{{"column_title", column.title}});
      rows = rows_of(columns);
    }
    versions.push_back(mstch::map{{"passed_version", name(version.version)},
                                  {"passed_open", &version == first},
                                  {"passed_n", version.work ? grouped(version.n) : std::string()},
                                  {"passed_gain", still_to_gain(version)},
                                  {"passed_next", next},
                                  {"passed_columns", titles},
                                  {"has_figures", !rows.empty()},
                                  {"passed_figures", rows}});
  }
  view["has_passed"] = !versions.empty();
  view["passed"] = versions;
}

}  // namespace warpmark

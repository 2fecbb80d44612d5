// Renders the HTML pages about a class of students with templates/class.mustache and
// templates/ungraded.mustache.
#include "reports/class/pages.h"

#include <algorithm>
#include <cmath>
#include <mstch/mstch.hpp>

#include <fmt/format.h>

#include "reports/class/tables.h"
#include "reports/class/values.h"
#include "reports/templates/page.h"
#include "reports/wording/text.h"

namespace warpmark {

using class_page::add_causes;
using class_page::add_checks;
using class_page::add_contests;
using class_page::add_distribution;
using class_page::add_fastest;
using class_page::link_path;
using class_page::message;
using class_page::name;

namespace {

// Maximum length of each source text that the class page shows for two similar submissions, in bytes.
constexpr std::size_t kLongestSource = 40000;
// Number of "needs attention" entries that the instructor's class page shows expanded; further ones are
// collapsed.
constexpr std::size_t kMostLookedAt = 12;

std::string css_class(StudentState state) {
  switch (state) {
    case StudentState::graded:
      return "";
    case StudentState::waiting:
    case StudentState::missing:
      return "quiet";
    case StudentState::unusable:
      return "bad";
    case StudentState::broken:
      break;
  }
  return "doubtful";
}

std::string late_text(const Lateness& lateness) {
  if (!lateness.late) return {};
  std::string text = lateness.days ? fmt::format("{} days", plain_number(*lateness.days)) : "late";
  if (lateness.deduction > 0) text += fmt::format(", \u2212{}", plain_number(lateness.deduction));
  return text;
}

std::string correction_text(const std::optional<Correction>& correction) {
  if (!correction) return {};
  return fmt::format("{}{} by {}: {}", correction->relative && correction->points >= 0 ? "+" : "",
                     plain_number(correction->points), name(correction->by), name(correction->comment));
}

// Returns a student's points on top of the maximum as text: "3", or "3 + 1 by contest" if a contest gave one
// more; empty if there are none.
std::string bonus_of(const StudentResult& student) {
  double won = 0;
  for (const ContestShare& share : student.contests) won += share.points;
  if (won == 0) return student.bonus > 0 ? plain_number(student.bonus) : std::string();
  return fmt::format("{}{} by contest", student.bonus > 0 ? plain_number(student.bonus) + " + " : "",
                     plain_number(won));
}

mstch::map row_of(const StudentResult& student) {
  const bool graded = student.state == StudentState::graded;
  const auto points = [&](double value) { return graded ? plain_number(value) : std::string(); };
  return mstch::map{{"id", name(student.id)},
                    {"link", link_path(student.id)},
                    {"name", name(student.person.name)},
                    {"state", std::string(name_of(student.state))},
                    {"tone", css_class(student.state)},
                    {"points", points(student.points)},
                    {"bonus", bonus_of(student)},
                    {"open", graded && student.open > 0 ? plain_number(student.open) : std::string()},
                    {"late", late_text(student.lateness)},
                    {"correction", correction_text(student.correction)},
                    {"final", plain_number(student.final_points)}};
}

std::string headline_of(const ClassResult& result) {
  const auto count = [&](StudentState state) {
    return static_cast<std::size_t>(std::ranges::count(result.students, state, &StudentResult::state));
  };
  std::string text = fmt::format("{} graded, each out of the same {} points", count(StudentState::graded),
                                 plain_number(result.possible));
  const auto add = [&](StudentState state, const char* what) {
    if (const std::size_t number = count(state); number > 0) text += fmt::format("; {} {}", number, what);
  };
  add(StudentState::missing, "handed in nothing");
  add(StudentState::unusable, "cannot be graded");
  add(StudentState::broken, "not graded because of a fault in Warpmark");
  add(StudentState::waiting, "not graded yet");
  return text + ".";
}

mstch::map look_view(const LookAt& entry) {
  return mstch::map{{"look_id", entry.id.empty() ? std::string("The class") : name(entry.id)},
                    {"why", message(entry.why)}};
}

void add_look_at(const ClassResult& result, mstch::map& view) {
  mstch::array first;
  mstch::array more;
  for (const LookAt& entry : result.look_at)
    (first.size() < kMostLookedAt ? first : more).push_back(look_view(entry));
  const std::string title = fmt::format("{} more", more.size());
  view["has_look_at"] = !first.empty();
  view["look_at"] = first;
  view["more_to_look_at"] =
      more.empty() ? mstch::array{} : mstch::array{mstch::map{{"more_title", title}, {"more", more}}};
}

mstch::array links_of(const mstch::map& view) {
  mstch::array links;
  const auto add = [&](const char* key, const char* to, const char* text) {
    const auto found = view.find(key);
    if (found == view.end() || !boost::get<bool>(found->second)) return;
    links.push_back(mstch::map{{"link_to", std::string(to)}, {"link_text", std::string(text)}});
  };
  add("has_outliers", "help", "Who needs help");
  add("has_bins", "distribution", "Points");
  add("has_checks", "checks", "Checks");
  add("has_causes", "causes", "Most common causes");
  add("has_contests", "contests", "Contests");
  add("has_fastest", "fastest", "Fastest");
  add("has_look_at", "look-at", "To look at");
  add("has_not_understood", "not-understood", "Not understood");
  links.push_back(mstch::map{{"link_to", std::string("students")}, {"link_text", std::string("Students")}});
  return links;
}

}  // namespace

std::string to_html(const ClassResult& result) {
  mstch::array rows;
  for (const StudentResult& student : result.students) rows.push_back(row_of(student));
  mstch::array not_understood;
  for (const NotUnderstood& entry : result.not_understood)
    not_understood.push_back(mstch::map{{"where", message(entry.where)}, {"why", message(entry.why)}});
  mstch::map view{{"assignment", name(result.assignment)},
                  {"possible", plain_number(result.possible)},
                  {"students", counted(static_cast<double>(result.students.size()), "student", "students")},
                  {"headline", headline_of(result)},
                  {"pages", std::string(result.staged ? "instructor" : "students")},
                  {"rows", rows},
                  {"has_not_understood", !not_understood.empty()},
                  {"not_understood", not_understood},
                  {"has_alike", !result.alike.empty()},
                  {"alike", counted(static_cast<double>(result.alike.size()), "pair", "pairs")},
                  {"tool_version", name(result.tool_version)}};
  mstch::array common;
  for (const CommonCause& cause : result.common_causes)
    common.push_back(mstch::map{{"common_count", fmt::format("{} of {}", cause.students.size(), cause.of)},
                                {"common_what", message(cause.what)}});
  view["common"] = common;
  add_distribution(result, view);
  add_checks(result, view);
  add_causes(result, view);
  add_contests(result, view);
  add_fastest(result, view);
  add_look_at(result, view);
  view["has_bonus"] = std::ranges::any_of(
      result.students, [](const StudentResult& student) { return !bonus_of(student).empty(); });
  view["links"] = links_of(view);
  return render_page("class", view, {"style", "class_style"}, "class_script");
}

std::string leaders_to_html(const ClassResult& result) {
  mstch::map view{{"assignment", name(result.assignment)},
                  {"leaders", counted(static_cast<double>(result.fastest.size()), "student", "students")}};
  add_fastest(result, view);
  return render_page("leaders", view, {"style"});
}

std::string to_html(const StudentResult& student, const std::string& assignment) {
  mstch::array remarks;
  for (const std::string& remark : student.remarks)
    remarks.push_back(mstch::map{{"remark", message(remark)}});
  mstch::map view{{"assignment", name(assignment)},
                  {"submission", name(student.person.name.empty() ? student.id : student.person.name)},
                  {"cause", student.cause ? message(student.cause->message) : std::string()},
                  {"remarks", remarks}};
  return render_page("ungraded", view, {"style"});
}

std::string alike_to_html(const std::vector<LikePair>& pairs, std::size_t count) {
  mstch::array shown;
  for (const LikePair& pair : pairs) {
    shown.push_back(mstch::map{{"version", name(pair.likeness.version)},
                               {"one", name(pair.likeness.one)},
                               {"other", name(pair.likeness.other)},
                               {"percent", plain_number(std::round(100 * pair.likeness.shared))},
                               {"one_text", shortened(visible(pair.one_text), kLongestSource)},
                               {"other_text", shortened(visible(pair.other_text), kLongestSource)}});
  }
  mstch::map view{{"pairs", shown},
                  {"count", counted(static_cast<double>(count), "pair", "pairs")},
                  {"has_more", pairs.size() < count},
                  {"shown", fmt::format("{}", pairs.size())}};
  return render_page("alike", view, {"style", "alike_style"});
}

}  // namespace warpmark

// The pages of a class: the values go into templates/class.mustache and templates/ungraded.mustache.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <mstch/mstch.hpp>

#include <fmt/format.h>

#include "reports/class_reports.h"
#include "reports/templates.h"
#include "reports/text.h"

namespace warpmark {
namespace {

constexpr std::size_t kLongestName = 80;       // columns
constexpr std::size_t kLongestMessage = 2000;  // bytes
constexpr std::size_t kLongestSource = 40000;  // bytes

std::string name(std::string_view text) {
  return cut_to(visible_line(text), kLongestName);
}
std::string message(std::string_view text) {
  return shortened(visible(text), kLongestMessage);
}

// As the path of a link: every byte that is no plain letter as %XX.
std::string link_path(std::string_view path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || std::string_view("-_./").find(c) != std::string_view::npos;
    text += plain && byte < 0x80 ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

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

mstch::map row_of(const StudentResult& student) {
  const bool graded = student.state == StudentState::graded;
  const auto points = [&](double value) { return graded ? plain_number(value) : std::string(); };
  return mstch::map{{"id", name(student.id)},
                    {"link", link_path(student.id)},
                    {"name", name(student.person.name)},
                    {"state", std::string(name_of(student.state))},
                    {"tone", css_class(student.state)},
                    {"points", points(student.points)},
                    {"open", graded && student.open > 0 ? plain_number(student.open) : std::string()},
                    {"late", late_text(student.lateness)},
                    {"correction", correction_text(student.correction)},
                    {"final", plain_number(student.final_points)}};
}

// How many students got how much, in tenths of what is possible.
mstch::array distribution(const ClassResult& result) {
  constexpr std::size_t kBins = 10;
  std::array<std::size_t, kBins> counts{};
  for (const StudentResult& student : result.students) {
    if (student.state != StudentState::graded || student.possible <= 0) continue;
    const double share = std::clamp(student.points / student.possible, 0.0, 1.0);
    ++counts[std::min<std::size_t>(kBins - 1, static_cast<std::size_t>(share * kBins))];
  }
  mstch::array bins;
  for (std::size_t i = 0; i < kBins; ++i) {
    bins.push_back(mstch::map{{"from", plain_number(result.possible * static_cast<double>(i) / kBins)},
                              {"to", plain_number(result.possible * static_cast<double>(i + 1) / kBins)},
                              {"count", fmt::format("{}", counts[i])}});
  }
  return bins;
}

}  // namespace

std::string to_html(const ClassResult& result) {
  mstch::array rows;
  std::size_t graded = 0;
  for (const StudentResult& student : result.students) {
    rows.push_back(row_of(student));
    graded += student.state == StudentState::graded ? 1 : 0;
  }
  mstch::array look_at;
  for (const LookAt& entry : result.look_at) {
    look_at.push_back(mstch::map{{"look_id", entry.id.empty() ? std::string("The class") : name(entry.id)},
                                 {"why", message(entry.why)}});
  }
  mstch::array not_understood;
  for (const NotUnderstood& entry : result.not_understood)
    not_understood.push_back(mstch::map{{"where", message(entry.where)}, {"why", message(entry.why)}});
  mstch::map view{{"assignment", name(result.assignment)},
                  {"possible", plain_number(result.possible)},
                  {"students", counted(static_cast<double>(result.students.size()), "student", "students")},
                  {"graded", fmt::format("{}", graded)},
                  {"rows", rows},
                  {"has_bins", graded > 0},
                  {"bins", distribution(result)},
                  {"has_look_at", !look_at.empty()},
                  {"look_at", look_at},
                  {"has_not_understood", !not_understood.empty()},
                  {"not_understood", not_understood},
                  {"has_alike", !result.alike.empty()},
                  {"alike", counted(static_cast<double>(result.alike.size()), "pair", "pairs")},
                  {"tool_version", name(result.tool_version)}};
  return mstch::render(templates().at("class"), view, templates());
}

std::string to_html(const StudentResult& student, const std::string& assignment) {
  mstch::array remarks;
  for (const std::string& remark : student.remarks)
    remarks.push_back(mstch::map{{"remark", message(remark)}});
  mstch::map view{{"assignment", name(assignment)},
                  {"submission", name(student.person.name.empty() ? student.id : student.person.name)},
                  {"cause", student.cause ? message(student.cause->message) : std::string()},
                  {"remarks", remarks}};
  return mstch::render(templates().at("ungraded"), view, templates());
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
  return mstch::render(templates().at("alike"), view, templates());
}

}  // namespace warpmark

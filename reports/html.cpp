// The page of one grade: text only, one file, no script. The values go into templates/*.mustache, whose {{ }}
// escapes them; what is not said in the templates is not on the page.
#include <algorithm>
#include <cmath>
#include <map>
#include <mstch/mstch.hpp>

#include <fmt/format.h>

#include "harness/model/overview.h"
#include "reports/html_evidence.h"
#include "reports/html_values.h"
#include "reports/html_work.h"
#include "reports/reports.h"
#include "reports/summary.h"
#include "reports/templates.h"
#include "reports/text.h"

namespace warpmark {
namespace {

class GradePage {
 public:
  explicit GradePage(const Grade& grade) : grade_(grade), groups_(groups_of(grade)) { give_targets(); }

  std::string text() {
    head();
    results();
    sections();
    to_do();
    not_decided();
    unearned();
    add_work(grade_.counters, view_);
    add_measurements(grade_, view_);
    add_transfers(grade_, view_);
    return mstch::render(templates().at("page"), view_, templates());
  }

 private:
  // Where a cell of the table leads. Numbers, because names come from files.
  void give_targets() {
    std::size_t number = 0;
    for (const auto* list : {&groups_.failed, &groups_.broken}) {
      for (const CheckResult* check : *list) targets_[check] = fmt::format("finding-{}", ++number);
    }
    number = 0;
    for (const NotDecided& group : groups_.not_decided) {
      ++number;
      for (const CheckResult* check : group.checks) targets_[check] = fmt::format("group-{}", number);
    }
  }

  void head() {
    const Score& score = grade_.score;
    const auto share = [](double points) {
      return fmt::format("{:.2f}", std::isfinite(points) ? std::clamp(points, 0.0, 1e6) : 0.0);
    };
    view_["assignment"] = name(grade_.assignment);
    view_["submission"] = name(grade_.submission_name);
    mstch::array remarks;
    for (const std::string& remark : grade_.remarks)
      remarks.push_back(mstch::map{{"remark", shortened(visible_line(remark), kLongestMessage)}});
    view_["remarks"] = remarks;
    view_["hash"] = name(grade_.submission_hash);
    view_["tool_version"] = name(grade_.tool_version);
    view_["exit_status"] = fmt::format("{}", grade_.exit_status);
    view_["seconds"] = plain_number(grade_.seconds);
    view_["score_points"] = plain_number(score.points);
    view_["score_possible"] = plain_number(score.possible);
    view_["score_unit"] = std::string(score.possible == 1 ? "point" : "points");
    view_["score_open"] = open_text(score);
    view_["bar_earned"] = share(score.points);
    view_["bar_lost"] = share(score.lost());
    view_["bar_open"] = share(score.open);
    view_["headline"] = headline(grade_, groups_);
    view_["counts"] = counts_line(grade_);
    mstch::array engines;
    for (const EngineUsed& used : grade_.engines) {
      engines.push_back(
          mstch::map{{"engine_label", std::string(used.engine == Engine::gpu ? "GPU" : "Simulator")},
                     {"device", name(used.device)},
                     {"compiler", name(used.compiler)}});
    }
    view_["engines"] = engines;
    view_["sandbox"] = name(grade_.sandbox);
  }

  mstch::map cell(const CheckResult* check, std::size_t span) const {
    mstch::map view{{"span", span > 1 ? fmt::format("{}", span) : ""},
                    {"tone", std::string("quiet")},
                    {"target", std::string()},
                    {"mark", std::string()},
                    {"label", std::string()},
                    {"dash", false},
                    {"hidden", std::string("not asked")}};
    if (check == nullptr) return view;
    const Status status = status_of(*check);
    const auto target = targets_.find(check);
    view["tone"] = css_class(status.tone);
    view["mark"] = mark_of(status.tone);
    view["label"] = std::string(status.label);
    view["hidden"] = std::string();
    if (target != targets_.end()) view["target"] = target->second;
    if (status.tone == Tone::to_do) view["target"] = std::string("to-do");
    if (status.label.empty()) {  // nothing to see, but something to hear
      view["mark"] = std::string();
      view["dash"] = true;
      view["hidden"] = std::string(status.meaning);
    }
    return view;
  }

  void results() {
    const Table table = table_of(grade_);
    const std::size_t width = std::max<std::size_t>(table.columns.size(), 1);
    mstch::array columns;
    for (const std::string& column : table.columns) columns.push_back(mstch::map{{"column", name(column)}});
    if (columns.empty()) columns.push_back(mstch::map{{"column", std::string("result")}});
    mstch::array rows;
    const auto add = [&rows](const std::string& row_name, bool whole, const mstch::array& cells,
                             double points, double possible) {
      rows.push_back(mstch::map{{"row_name", name_parts(row_name)},
                                {"whole", whole},
                                {"cells", cells},
                                {"row_points", points_text(points, possible)}});
    };
    for (const TableRow& row : table.rows) {
      mstch::array cells;
      for (const CheckResult* check : row.cells) cells.push_back(cell(check, 1));
      add(row.version, false, cells, row.points, row.possible);
    }
    for (const CheckResult* check : table.whole_submission) {
      add(check->check, true, {cell(check, width)}, check->points, check->possible);
    }
    view_["columns"] = columns;
    view_["has_rows"] = !rows.empty();
    view_["rows"] = rows;
  }

  static mstch::map view_of(const Cause& cause, Engine engine) {
    mstch::array values;
    const auto add = [&values](const char* value_name, const std::string& value) {
      if (value.empty()) return;
      values.push_back(mstch::map{{"value_name", std::string(value_name)},
                                  {"value", shortened(visible_line(value), kLongestMessage)}});
    };
    add("Expected", cause.expected);
    add("Actual", cause.actual);
    add("Input", input_line(cause));
    mstch::array excerpt;
    for (const SourceLine& line : cause.excerpt) {
      excerpt.push_back(mstch::map{{"number", fmt::format("{:>4}", line.number)},
                                   {"text", cut_to(source_line(line.text), kLongestLine)},
                                   {"marked", line.number == cause.line}});
    }
    return mstch::map{{"kind", std::string(rule_of(cause.kind).title)},
                      {"place", name(place_of(cause))},
                      {"engine", fmt::format("on the {}", engine == Engine::gpu ? "GPU" : "simulator")},
                      {"message", message_parts(cause.message)},
                      {"has_values", !values.empty()},
                      {"values", values},
                      {"has_excerpt", !excerpt.empty()},
                      {"excerpt", excerpt},
                      {"again", shortened(visible_line(cause.again), kLongestMessage)},
                      {"details_title",
                       std::string(cause.kind == CauseKind::compile_error ? "Compiler output" : "Details")},
                      {"details", shortened(visible(cause.details), kLongestDetails)},
                      {"printed", shortened(visible(cause.printed), kLongestDetails)}};
  }

  mstch::map finding(const CheckResult& check) const {
    const Status status = status_of(check);
    mstch::array causes;
    for (const Cause& cause : check.causes) causes.push_back(view_of(cause, check.engine));
    return mstch::map{{"finding_id", targets_.at(&check)},
                      {"finding_tone", css_class(status.tone)},
                      {"finding_mark", mark_of(status.tone)},
                      {"finding_name", name(check.version.empty() ? check.check : check.version)},
                      {"finding_check", check.version.empty() ? "" : name(check.check)},
                      {"finding_label", std::string(status.label)},
                      {"causes", causes}};
  }

  mstch::array notes() const {
    mstch::array all;
    for (const CheckResult* noted : groups_.noted) {
      const CheckResult& check = *noted;
      mstch::array causes;
      for (const Cause* note : notes_of(check)) causes.push_back(view_of(*note, check.engine));
      all.push_back(mstch::map{{"finding_tone", css_class(Tone::quiet)},
                               {"finding_mark", mark_of(Tone::quiet)},
                               {"finding_name", name(check.version.empty() ? check.check : check.version)},
                               {"finding_check", check.version.empty() ? "" : name(check.check)},
                               {"finding_label", std::string("note")},
                               {"causes", causes}});
    }
    return all;
  }

  void sections() {
    mstch::array sections;
    const auto add = [&](const char* id, const char* title, const char* note,
                         const std::vector<const CheckResult*>& checks) {
      if (checks.empty()) return;
      mstch::array findings;
      for (const CheckResult* check : checks) findings.push_back(finding(*check));
      sections.push_back(mstch::map{{"section_id", std::string(id)},
                                    {"section_title", std::string(title)},
                                    {"section_note", std::string(note)},
                                    {"findings", findings}});
    };
    add("failed", "What failed", "", groups_.failed);
    add("broken", "What the grader could not do",
        "The fault is Warpmark's, not the submission's: the points stay open.", groups_.broken);
    if (mstch::array noted = notes(); !noted.empty()) {
      sections.push_back(mstch::map{{"section_id", std::string("notes")},
                                    {"section_title", std::string("Notes")},
                                    {"section_note", std::string("Worth knowing; they cost nothing.")},
                                    {"findings", noted}});
    }
    view_["sections"] = sections;
  }

  void to_do() {
    mstch::array names;
    for (const std::string& version : groups_.not_implemented) {
      names.push_back(mstch::map{{"to_do_name", name(version)}});
    }
    view_["has_to_do"] = !names.empty();
    view_["to_do_count"] = counted(static_cast<double>(names.size()), "version is", "versions are");
    view_["to_do"] = names;
  }

  void not_decided() {
    mstch::array groups;
    for (const NotDecided& group : groups_.not_decided) {
      mstch::array versions;
      for (const CheckResult* check : group.checks) {
        if (!check->version.empty()) versions.push_back(mstch::map{{"group_version", name(check->version)}});
      }
      const Explained why = explained(group);
      groups.push_back(mstch::map{{"group_id", targets_.at(group.checks.front())},
                                  {"group_check", name(group.check)},
                                  {"group_reason", why.reason},
                                  {"group_advice", message_parts(why.advice)},
                                  {"has_versions", !versions.empty()},
                                  {"group_versions", versions}});
    }
    view_["has_not_decided"] = !groups.empty();
    view_["not_decided"] = groups;
  }

  void unearned() {
    mstch::array groups;
    for (const Unearned& group : by_reason(groups_.unearned)) {
      mstch::array checks;
      for (const std::string& check : group.checks)
        checks.push_back(mstch::map{{"unearned_check", name(check)}});
      groups.push_back(
          mstch::map{{"unearned_reason", message_parts(group.reason)}, {"unearned_checks", checks}});
    }
    view_["has_unearned"] = !groups.empty();
    view_["unearned"] = groups;
  }

  const Grade& grade_;
  Groups groups_;
  std::map<const CheckResult*, std::string> targets_;
  mstch::map view_;
};

}  // namespace

std::string to_html(const Grade& grade) {
  return GradePage(grade).text();
}

}  // namespace warpmark

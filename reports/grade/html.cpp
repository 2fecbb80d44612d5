// Renders the page of one grade: text and drawings in one file, without scripts. All values go through
// templates/*.mustache, whose {{ }} escapes them.
#include <algorithm>
#include <cmath>
#include <map>
#include <mstch/mstch.hpp>

#include <fmt/format.h>

#include "harness/model/overview.h"
#include "reports/drawing/pictures.h"
#include "reports/grade/cards.h"
#include "reports/grade/html_card.h"
#include "reports/grade/html_evidence.h"
#include "reports/grade/html_passed.h"
#include "reports/grade/html_values.h"
#include "reports/grade/html_work.h"
#include "reports/ladder_pages/ladder_page.h"
#include "reports/reports.h"
#include "reports/templates/page.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Returns "v07" for "v07_tree_sequential"; names without a number are returned whole.
std::string_view short_name(std::string_view version) {
  return version.substr(0, version.find('_'));
}

class GradePage {
 public:
  GradePage(const Grade& grade, const Ladder* ladder)
      : grade_(grade),
        ladder_(ladder),
        groups_(groups_of(grade)),
        table_(table_of(grade)),
        cards_(cards_of(grade)) {
    give_targets();
  }

  std::string text() {
    head();
    standing();
    made();
    chips();
    advice();
    cards();
    results();
    whole_submission();
    singles("broken", groups_.broken);
    to_do();
    not_decided();
    unearned();
    notes();
    add_passed(grade_, view_);
    add_work(grade_, view_);
    add_measurements(grade_, view_);
    add_transfers(grade_, view_);
    if (ladder_ == nullptr) return render_page("page", view_, {"style"});
    view_["sizes"] = ladder_sections(*ladder_, false);
    return render_page("page", view_, {"style", "plots"});
  }

 private:
  // Assigns the anchors that table cells link to. Anchors are numbered instead of named, because names are
  // untrusted.
  void give_targets() {
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      for (const CheckResult* check : cards_[i].checks) targets_[check] = fmt::format("card-{}", i + 1);
    }
    std::size_t number = 0;
    for (const CheckResult* check : groups_.broken) targets_[check] = fmt::format("broken-{}", ++number);
    number = 0;
    for (const NotDecided& group : groups_.not_decided) {
      ++number;
      for (const CheckResult* check : group.checks) targets_[check] = fmt::format("group-{}", number);
    }
  }

  void head() {
    const Score& score = grade_.score;
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
    view_["graded_at"] = moment_text(grade_.graded_at);
    view_["score_points"] = plain_number(score.points);
    view_["score_possible"] = plain_number(score.possible);
    view_["score_bonus"] = score.bonus > 0 ? "+ " + bonus_text(score) : std::string();
    view_["score_unit"] = std::string(score.possible == 1 ? "point" : "points");
    view_["counts"] = counts_line(grade_);
  }

  void standing() {
    const Score& score = grade_.score;
    const auto share = [](double points) {
      return std::isfinite(points) ? std::clamp(points, 0.0, 1e6) : 0.0;
    };
    const double not_started = share(points_not_started(table_));
    const double lost = share(score.lost() - not_started);
    const std::string versions = versions_line(table_);
    view_["headline"] = versions.empty() ? headline(grade_, groups_) : versions + ".";
    view_["score_svg"] = score_svg({share(score.points), lost, not_started, share(score.open)});
    mstch::array legend;
    const auto add = [&legend](const char* css, double points, const std::string& text) {
      if (points > 0) legend.push_back(mstch::map{{"legend_class", std::string(css)}, {"legend_text", text}});
    };
    add("score-earned", score.points, plain_number(score.points) + " earned");
    add("score-lost", lost, plain_number(lost) + " lost");
    add("score-open", score.open, open_text(score));
    add("score-not-started", not_started, plain_number(not_started) + " not started");
    view_["legend"] = legend;
    view_["to_do_points"] = not_started > 0 ? counted(not_started, "point", "points") : std::string();
  }

  void made() {
    mstch::array facts;
    const auto add = [&facts](const char* fact, const std::string& text) {
      if (!text.empty()) facts.push_back(mstch::map{{"made_name", std::string(fact)}, {"made_text", text}});
    };
    for (const EngineUsed& used : grade_.engines) {
      add(used.engine == Engine::gpu    ? "GPU"
          : used.engine == Engine::host ? "Host"
                                        : "Simulator",
          fmt::format("{}, {}{}", name(used.device), name(used.compiler), place_text(name(used.where))));
    }
    add("Rubric", name(grade_.rubric));
    if (grade_.timing) {
      add("Thresholds",
          grade_.timing->calibration.empty()
              ? "the rubric's defaults; this GPU model was not calibrated"
              : name((grade_.timing->probed ? "probed: " : "calibrated: ") + grade_.timing->calibration));
    }
    add("Seed", name(grade_.seed));
    add("Sandbox", name(grade_.sandbox));
    add("GPU alone", name(unwatched_text(grade_)));
    view_["made"] = facts;
  }

  mstch::map chip(const std::string& whole_name, Tone tone, const char* mark, const std::string& meaning,
                  const std::string& target) const {
    const std::string shown = name(whole_name);
    const std::string_view begin = short_name(shown);
    return mstch::map{{"chip_tone", css_class(tone)},
                      {"chip_mark", std::string(mark)},
                      {"chip_short", cut_to(begin, 14)},
                      {"chip_rest", fmt::format("{}: {}", shown.substr(begin.size()), meaning)},
                      {"chip_target", target}};
  }

  void chips() {
    mstch::array chips;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const TableRow& row = table_.rows[i];
      switch (standing_of(row)) {
        case VersionState::works:
          chips.push_back(chip(row.version, Tone::good, "\u2713", "works", fmt::format("row-{}", i + 1)));
          break;
        case VersionState::fails:
          chips.push_back(chip(row.version, Tone::bad, "\u2717", "failed", target_of(row)));
          break;
        case VersionState::undecided:
          chips.push_back(
              chip(row.version, Tone::doubtful, "?", "not decided", fmt::format("row-{}", i + 1)));
          break;
        case VersionState::not_started:
          chips.push_back(chip(row.version, Tone::to_do, "\u25CB", "not started", "to-do"));
          break;
      }
    }
    view_["has_chips"] = !chips.empty();
    view_["chips"] = chips;
  }

  [[nodiscard]] std::string target_of(const TableRow& row) const {
    for (const Card& card : cards_) {
      if (!card.whole && card.name == row.version) return targets_.at(card.checks.front());
    }
    return "results";
  }

  void advice() {
    std::string text;
    if (!cards_.empty()) {
      const std::size_t others = cards_.size() - 1;
      text = fmt::format("Begin with `{}`.", name(cards_.front().name));
      if (others > 0)
        text += fmt::format(" {} below.",
                            others == 1 ? "The other failure is" : fmt::format("{} more are", others));
    } else if (!groups_.not_implemented.empty()) {
      text = fmt::format("Nothing that you wrote failed. Continue with `{}`: follow its TODO comments.",
                         name(groups_.not_implemented.front()));
    } else if (!groups_.broken.empty()) {
      text = "Nothing failed, but the grader could not do all of its work.";
    } else if (grade_.score.needs_gpu > 0) {
      text =
          "Everything that could be checked here passed. Grade again on a machine with an NVIDIA GPU for the "
          "points that are open.";
    } else {
      text = headline(grade_, groups_);
    }
    view_["advice"] = message_parts(text);
  }

  void cards() {
    mstch::array first;
    mstch::array others;
    for (const Card& card : cards_)
      (first.empty() ? first : others).push_back(card_view(card, targets_.at(card.checks.front())));
    view_["first_card"] = first;
    view_["has_other_cards"] = !others.empty();
    view_["other_cards_title"] =
        others.size() == 1 ? "Then this one" : fmt::format("Then these {}", others.size());
    view_["other_cards"] = others;
  }

  mstch::map cell(const CheckResult* check) const {
    mstch::map view{{"span", std::string()},
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
    if (status.label.empty()) {  // a table cell without a symbol gets hidden text for screen readers
      view["mark"] = std::string();
      view["dash"] = true;
      view["hidden"] = std::string(status.meaning);
    }
    return view;
  }

  // Returns the cells of a table row. A kernel file that the student has not started gets one wide cell,
  // because all of its cells would be the same.
  mstch::array cells_of(const TableRow& row, std::size_t columns) const {
    mstch::array cells;
    if (standing_of(row) == VersionState::not_started) {
      for (const CheckResult* check : row.cells) {
        if (check == nullptr || !is_not_implemented(*check)) continue;
        mstch::map one = cell(check);
        one["span"] = fmt::format("{}", columns);
        cells.push_back(one);
        return cells;
      }
    }
    for (const CheckResult* check : row.cells) cells.push_back(cell(check));
    return cells;
  }

  void results() {
    const std::size_t width = std::max<std::size_t>(table_.columns.size(), 1);
    mstch::array columns;
    for (const std::string& column : table_.columns) columns.push_back(mstch::map{{"column", name(column)}});
    mstch::array rows;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const TableRow& row = table_.rows[i];
      rows.push_back(mstch::map{
          {"row_id", fmt::format("row-{}", i + 1)},
          {"row_name", name_parts(row.version)},
          {"row_class", std::string(standing_of(row) == VersionState::not_started ? "not-started" : "begun")},
          {"cells", cells_of(row, width)},
          {"row_points", points_text(row)}});
    }
    view_["columns"] = columns;
    view_["has_rows"] = !rows.empty();
    view_["rows"] = rows;
  }

  void whole_submission() {
    mstch::array whole;
    for (std::size_t i = 0; i < table_.whole_submission.size(); ++i) {
      const CheckResult* check = table_.whole_submission[i];
      const Status status = status_of(*check);
      const auto target = targets_.find(check);
      whole.push_back(
          mstch::map{{"whole_id", fmt::format("whole-{}", i + 1)},
                     {"whole_name", name(check->check)},
                     {"whole_tone", css_class(status.tone)},
                     {"whole_mark", mark_of(status.tone)},
                     {"whole_label", std::string(status.meaning)},
                     {"whole_points", fmt::format("{} points", points_text(*check))},
                     {"whole_target", target == targets_.end() ? std::string() : target->second}});
    }
    view_["has_whole"] = !whole.empty() || !grade_.transfers.empty();
    view_["whole"] = whole;
  }

  // Adds to the HTML page those checks that are shown individually, each with all causes of its failure.
  void singles(const char* key, const std::vector<const CheckResult*>& checks) {
    mstch::array all;
    for (const CheckResult* check : checks)
      all.push_back(single(*check, pointers(check->causes), targets_.at(check)));
    view_[std::string("has_") + key] = !all.empty();
    view_[key] = all;
  }

  static std::vector<const Cause*> pointers(const std::vector<Cause>& causes) {
    std::vector<const Cause*> all;
    for (const Cause& cause : causes) all.push_back(&cause);
    return all;
  }

  static mstch::map single(const CheckResult& check, const std::vector<const Cause*>& causes,
                           const std::string& id) {
    mstch::array views;
    for (const Cause* cause : causes) views.push_back(cause_view({cause, check.engine, {}}));
    return mstch::map{{"finding_id", id},
                      {"finding_name", name(check.version.empty() ? check.check : check.version)},
                      {"finding_check", check.version.empty() ? "" : name(check.check)},
                      {"first_cause", views},
                      {"no_cause", views.empty()},
                      {"also", std::string()}};
  }

  void notes() {
    mstch::array all;
    for (const CheckResult* noted : groups_.noted) all.push_back(single(*noted, notes_of(*noted), ""));
    view_["has_notes"] = !all.empty();
    view_["notes"] = all;
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
    view_["unearned_title"] = std::string(unearned_title(groups_.unearned));
    view_["unearned"] = groups;
  }

  const Grade& grade_;
  const Ladder* ladder_;
  Groups groups_;
  Table table_;
  std::vector<Card> cards_;
  std::map<const CheckResult*, std::string> targets_;
  mstch::map view_;
};

}  // namespace

std::string to_html(const Grade& grade, const Ladder* ladder) {
  return GradePage(grade, ladder).text();
}

}  // namespace warpmark

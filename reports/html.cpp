// The page of one grade: text only, one file, no script. The values go into templates/*.mustache, whose {{ }}
// escapes them; what is not said in the templates is not on the page.
#include <algorithm>
#include <cmath>
#include <map>
#include <mstch/mstch.hpp>

#include <fmt/format.h>

#include "harness/model/overview.h"
#include "reports/html_work.h"
#include "reports/reports.h"
#include "reports/summary.h"
#include "reports/templates.h"
#include "reports/text.h"
#include "reports/time_line_svg.h"

namespace warpmark {
namespace {

// Bounds for a page that opens on a phone whatever a submission holds; all of the text is in grade.json.
constexpr std::size_t kLongestName = 120;       // columns
constexpr std::size_t kLongestLine = 300;       // columns
constexpr std::size_t kLongestMessage = 4000;   // bytes
constexpr std::size_t kLongestDetails = 64000;  // bytes
constexpr std::size_t kLongestCode = 200;       // bytes

std::string name(std::string_view text) {
  return cut_to(visible_line(text), kLongestName);
}

std::string css_class(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::bad:
      return "bad";
    case Tone::to_do:
      return "to-do";
    case Tone::doubtful:
      return "doubtful";
    case Tone::quiet:
      break;
  }
  return "quiet";
}

// A shape beside each word, so that no meaning hangs on colour.
std::string mark_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "\u2713";  // check mark
    case Tone::bad:
      return "\u2717";  // ballot x
    case Tone::to_do:
      return "\u25CB";  // circle
    case Tone::doubtful:
      return "?";
    case Tone::quiet:
      break;
  }
  return "";
}

// A name in the pieces at which a narrow table may break it.
mstch::array name_parts(std::string_view text) {
  const std::string shown = name(text);
  mstch::array parts;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find('_', at), shown.size() - 1) + 1;
    parts.push_back(mstch::map{{"part", shown.substr(at, end - at)}});
    at = end;
  }
  return parts;
}

// Messages set code in backticks; a lone one stays as it is.
mstch::array message_parts(std::string_view message) {
  const std::string shown = shortened(visible(message), kLongestMessage);
  std::string_view rest = shown;
  mstch::array parts;
  std::string plain;
  const auto add = [&parts](const std::string& code, const std::string& text) {
    parts.push_back(mstch::map{{"code", code}, {"plain", text}});
  };
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('`'), rest.size());
    plain += rest.substr(0, open);
    rest.remove_prefix(open);
    if (rest.empty()) break;
    const std::size_t close = rest.substr(0, kLongestCode).find_first_of("`\n", 1);
    if (close == std::string_view::npos || rest[close] == '\n' || close == 1) {
      plain += '`';
      rest.remove_prefix(1);
      continue;
    }
    add("", plain);
    plain.clear();
    add(std::string(rest.substr(1, close - 1)), "");
    rest.remove_prefix(close + 1);
  }
  add("", plain);
  return parts;
}

std::string phase_text(Phase phase) {
  switch (phase) {
    case Phase::load:
      return "while it was loaded";
    case Phase::between:
      return "after its call";
    case Phase::call:
      break;
  }
  return "in its call";
}

class Page {
 public:
  explicit Page(const Grade& grade) : grade_(grade), groups_(groups_of(grade)) { give_targets(); }

  std::string text() {
    head();
    results();
    sections();
    to_do();
    not_decided();
    unearned();
    add_work(grade_.counters, view_);
    measurements();
    transfers();
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
    return mstch::map{
        {"kind", std::string(rule_of(cause.kind).title)},
        {"place", name(place_of(cause))},
        {"engine", fmt::format("on the {}", engine == Engine::gpu ? "GPU" : "simulator")},
        {"message", message_parts(cause.message)},
        {"has_values", !values.empty()},
        {"values", values},
        {"has_excerpt", !excerpt.empty()},
        {"excerpt", excerpt},
        {"again", shortened(visible_line(cause.again), kLongestMessage)},
        {"details_title", std::string(cause.kind == CauseKind::compile_error ? "Compiler output" : "Output")},
        {"details", shortened(visible(cause.details), kLongestDetails)}};
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

  void measurements() {
    const auto samples = [](const std::vector<double>& values) {
      std::vector<std::string> shown;
      shown.reserve(values.size());
      for (const double value : values) shown.push_back(milliseconds(value));
      return fmt::format("{}", fmt::join(shown, ", "));
    };
    mstch::array rows;
    for (const Measurement& measured : grade_.measurements) {
      rows.push_back(mstch::map{
          {"measured_version", name(measured.version)},
          {"naive_median", milliseconds(measured.naive_median_ms)},
          {"student_median", milliseconds(measured.student_median_ms)},
          {"speedup", speedup_text(measured.speedup) + "\u00D7"},
          {"span", span_text(measured.speedup_span, 2)},
          {"control", span_text(measured.control_span, 3)},
          {"decided", decided_text(measured)},
          {"reference_times",
           fmt::format("{} before, {} after{}", milliseconds(measured.naive_before_ms),
                       milliseconds(measured.naive_after_ms),
                       measured.naive_calibrated_ms > 0
                           ? fmt::format("; {} when calibrated", milliseconds(measured.naive_calibrated_ms))
                           : "")},
          {"threshold", speedup_text(measured.threshold) + "\u00D7"},
          {"over_previous",
           measured.over_previous > 0 ? speedup_text(measured.over_previous) + "\u00D7" : std::string()},
          {"rate", whole(measured.gb_per_s)},
          {"of_peak",
           measured.percent_of_peak > 0 ? whole(measured.percent_of_peak) + "\u2009%" : std::string()},
          {"rounds", fmt::format("{}", measured.rounds())},
          {"naive_samples", samples(measured.naive_ms)},
          {"student_samples", samples(measured.student_ms)}});
    }
    view_["has_measurements"] = !rows.empty();
    view_["measured_n"] = rows.empty() ? std::string() : grouped(grade_.measurements.front().n);
    mstch::array facts;
    const auto fact = [&](const char* label, const std::string& text) {
      if (!text.empty() && text != "-")
        facts.push_back(mstch::map{{"fact", std::string(label)}, {"fact_text", text}});
    };
    if (grade_.timing) {
      fact("Naive kernel against itself, without a submission", span_text(grade_.timing->control_span, 3));
      fact("The GPU before", conditions_text(grade_.timing->before));
      fact("The GPU after", conditions_text(grade_.timing->after));
      view_["calibration"] = message_parts(calibration_text(*grade_.timing));
    }
    view_["has_timing"] = grade_.timing.has_value();
    view_["has_facts"] = !facts.empty();
    view_["timing_facts"] = facts;
    view_["measurements"] = rows;
  }

  void transfers() {
    mstch::array rows;
    for (const Transfer& transfer : grade_.transfers) {
      std::string direction = name(transfer.direction);
      std::replace(direction.begin(), direction.end(), '_', ' ');
      rows.push_back(
          mstch::map{{"during", name(transfer.during)},
                     {"phase", phase_text(transfer.phase)},
                     {"direction", direction},
                     {"copies", transfer.kind == "copy" ? grouped(transfer.count) : name(transfer.kind)},
                     {"bytes", grouped(transfer.bytes)},
                     {"canary", transfer.canary}});
    }
    view_["has_transfers"] = !rows.empty();
    view_["transfers"] = rows;
    view_["transfers_total"] = grouped(uploaded_bytes(grade_));
    view_["time_line"] = time_line_svg(grade_);
  }

  const Grade& grade_;
  Groups groups_;
  std::map<const CheckResult*, std::string> targets_;
  mstch::map view_;
};

}  // namespace

std::string to_html(const Grade& grade) {
  return Page(grade).text();
}

}  // namespace warpmark

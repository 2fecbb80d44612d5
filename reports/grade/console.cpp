// Renders a grade for a terminal: first the table, then the failures and their locations, and last the score,
// next to the prompt.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/model/overview.h"
#include "reports/grade/cards.h"
#include "reports/grade/passed.h"
#include "reports/reports.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Minimum line width of a report on a terminal, in columns; a narrower terminal breaks the lines itself.
constexpr std::size_t kNarrowest = 60;
constexpr std::size_t kPointsWidth = 10;  // columns for points: "100 of 100"
// Limit in bytes on a submission's output in a terminal report; grade.json has the whole text.
constexpr std::size_t kLongestPrinted = 2000;
// Limit in bytes on a shell command in a terminal report; commands are not wrapped, so that they can be
// copied.
constexpr std::size_t kLongestCommand = 1000;
constexpr std::size_t kLinesOfDetails = 12;
// Least columns that a table of checks reserves for names of kernel files.
constexpr std::size_t kShortestName = 12;
// Width in columns of a line of measured times on a terminal, without the kernel file's name.
constexpr std::size_t kFigures = 54;
// Width in columns of the figures derived from a kernel file's measured times (rounds, comparison with the
// previous kernel file, rate).
constexpr std::size_t kProportions = 26;
constexpr std::string_view kGap = "  ";

class Console {
 public:
  Console(const Grade& grade, const ConsoleStyle& style)
      : grade_(grade),
        colour_(style.colour),
        detail_(style.detail),
        width_(std::max(kNarrowest, static_cast<std::size_t>(std::max(style.width, 0)))) {}

  std::string text() {
    if (detail_ == Detail::brief) return brief();
    heading();
    table();
    const Groups groups = groups_of(grade_);
    failures();
    list("broken: the grader's fault, not the submission's", groups.broken);
    not_implemented(groups.not_implemented);
    not_decided(groups.not_decided);
    unearned(groups.unearned);
    notes(groups.noted);
    measurements();
    after_passing();
    out_ += '\n';
    paragraph("checks: ", counts_line(grade_));
    line(paint("1", cut_to("score:  " + score_line(grade_.score), width_)));
    return std::move(out_);
  }

  std::string one(const CheckResult& check) {
    const Status status = status_of(check);
    line(paint(status.tone, cut_to(fmt::format("{}: {}", visible_line(check.id), status.meaning), width_)));
    for (const Cause& cause : check.causes) tell(cause);
    for (const Cause* note : notes_of(check)) tell(*note);
    return std::move(out_);
  }

 private:
  std::string brief() {
    for (const Card& card : cards_of(grade_)) {
      const Cause* cause = card.causes.empty() ? nullptr : card.causes.front().cause;
      line(cut_to(
          fmt::format("{}: {}", visible_line(card.name), cause == nullptr ? "failed" : title_of(*cause)),
          width_));
    }
    line(paint("1", cut_to("score:  " + score_line(grade_.score), width_)));
    return std::move(out_);
  }

  // Returns a text such as "race at v09_tree_unrolled_warp.cu:20".
  static std::string title_of(const Cause& cause) {
    const std::string place = place_of(cause);
    return fmt::format("{}{}{}", rule_of(cause.kind).title, place.empty() ? "" : " at ", place);
  }

  // Prints the failures, grouped by kernel file; a fault that two checks report appears once.
  void failures() {
    const std::vector<Card> cards = cards_of(grade_);
    if (cards.empty()) return;
    out_ += '\n';
    paragraph("", fmt::format("failed ({})", cards.size()));
    for (const Card& card : cards) {
      std::vector<std::string> checks;
      for (const CheckResult* check : card.checks) checks.push_back(visible_line(check->check));
      const std::string name = visible_line(card.name);
      out_ += '\n';
      line(paint(Tone::bad,
                 cut_to(card.whole ? name : fmt::format("{}: {}", name, fmt::join(checks, ", ")), width_)));
      if (card.causes.empty()) paragraph(kGap, "The grade does not say why.");
      std::set<std::string> titles;
      for (std::size_t i = 0; i < card.causes.size(); ++i) {
        const Cause& cause = *card.causes[i].cause;
        const bool is_new = titles.insert(title_of(cause)).second;
        if (i == 0 || detail_ == Detail::all) {
          tell(cause);
        } else if (is_new) {
          line(cut_to(fmt::format("{}also: {}", kGap, title_of(cause)), width_));
        }
      }
    }
  }

  void line(std::string_view text) {
    const std::size_t end = text.find_last_not_of(' ');
    text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
    // CI logs interpret lines that start this way as commands: "::error::...", "##[group]...", "##vso[...".
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::string_view words = text.substr(begin);
    out_ += text.substr(0, begin);
    if (words.starts_with("::") || words.starts_with("##")) out_ += '\\';
    out_ += words;
    out_ += '\n';
  }

  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    return colour_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }

  [[nodiscard]] std::string paint(Tone tone, std::string_view text) const {
    return paint(look_of(tone).colour, text);
  }

  // Prints a label, followed by wrapped text with a hanging indent.
  void paragraph(std::string_view label, std::string_view text) {
    const std::size_t indent = display_width(label);
    std::string before(label);
    for (const std::string& part : wrapped(text, width_ - std::min(indent, width_ / 2))) {
      line(before + part);
      before.assign(indent, ' ');
    }
  }

  void heading() {
    const std::string name = visible_line(grade_.submission_name);
    line(paint("1", cut_to(fmt::format("{}: {}", visible_line(grade_.assignment), name), width_)));
    if (!grade_.rubric.empty()) line(cut_to(visible_line(grade_.rubric), width_));
    for (const EngineUsed& used : grade_.engines) {
      line(cut_to(fmt::format("{}: {}, {}{}", name_of(used.engine), visible_line(used.device),
                              visible_line(used.compiler), place_text(visible_line(used.where))),
                  width_));
    }
    if (!grade_.sandbox.empty()) line(cut_to("sandbox: " + visible_line(grade_.sandbox), width_));
    if (const std::string text = unwatched_text(grade_); !text.empty())
      paragraph("note: ", shortened(visible_line("the GPU alone has judged " + text), kLongestPrinted));
    for (const std::string& remark : grade_.remarks)
      paragraph("note: ", shortened(visible_line(remark), kLongestPrinted));
    out_ += '\n';
  }

  void table() {
    const Table table = table_of(grade_);
    std::size_t name_width = std::string_view("whole submission").size();
    for (const TableRow& row : table.rows)
      name_width = std::max(name_width, display_width(visible_line(row.version)));
    for (const CheckResult* check : table.whole_submission) {
      name_width = std::max(name_width, display_width(visible_line(check->check)));
    }

    // Fits the table of checks to a narrow terminal: names are shortened first, then columns, because a
    // rubric may have any number of checks.
    const std::size_t columns = std::max<std::size_t>(table.columns.size(), 1);
    const std::size_t room = width_ - kShortestName - kGap.size() - kPointsWidth;
    const std::size_t widest = std::max<std::size_t>(room / columns, kGap.size() + 6) - kGap.size();
    std::vector<std::size_t> widths;
    std::size_t checks_width = 0;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      std::size_t width = display_width(visible_line(table.columns[column]));
      for (const TableRow& row : table.rows) {
        if (row.cells[column] != nullptr) width = std::max(width, status_of(*row.cells[column]).word.size());
      }
      widths.push_back(std::min(width, widest));
      checks_width += widths.back() + kGap.size();
    }
    const std::size_t beside_name = checks_width + kGap.size() + kPointsWidth;
    name_width =
        std::min(name_width, std::max(width_ > beside_name ? width_ - beside_name : 0, kShortestName));

    std::string header = padded("version", name_width);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      header.append(kGap).append(padded(cut_to(visible_line(table.columns[i]), widths[i]), widths[i]));
    }
    line(paint("1", header + std::string(kGap) + padded_left("points", kPointsWidth)));
    for (const TableRow& row : table.rows) {
      std::string text = padded(cut_to(visible_line(row.version), name_width), name_width);
      for (std::size_t i = 0; i < widths.size(); ++i) text.append(kGap).append(cell(row.cells[i], widths[i]));
      line(text.append(kGap).append(padded_left(points_text(row), kPointsWidth)));
    }
    // A check of the whole submission, such as upload_once, is printed below the table of kernel files.
    if (!table.whole_submission.empty()) line(paint("1", "whole submission"));
    for (const CheckResult* check : table.whole_submission) {
      std::string text = padded(cut_to(visible_line(check->check), name_width), name_width);
      text.append(kGap).append(cell(check, checks_width > kGap.size() ? checks_width - kGap.size() : 0));
      line(text.append(kGap).append(padded_left(points_text(*check), kPointsWidth)));
      if (is_unearned(*check)) paragraph(kGap, status_of(*check).meaning);
    }
  }

  [[nodiscard]] std::string cell(const CheckResult* check, std::size_t width) const {
    if (check == nullptr) return std::string(width, ' ');
    const Status status = status_of(*check);
    const std::string word = cut_to(status.word, std::max<std::size_t>(width, 6));
    const std::size_t spaces = word.size() < width ? width - word.size() : 0;
    return paint(status.tone, word) + std::string(spaces, ' ');
  }

  void list(std::string_view title, const std::vector<const CheckResult*>& checks) {
    if (checks.empty()) return;
    out_ += '\n';
    paragraph("", fmt::format("{} ({})", title, checks.size()));
    for (const CheckResult* check : checks) {
      out_ += '\n';
      line(paint(status_of(*check).tone, cut_to(visible_line(check->id), width_)));
      if (check->causes.empty()) paragraph(kGap, "The grade does not say why.");
      for (const Cause& cause : check->causes) tell(cause);
    }
  }

  void unearned(const std::vector<const CheckResult*>& checks) {
    if (checks.empty()) return;
    out_ += '\n';
    for (const Unearned& group : by_reason(checks)) {
      std::string title(unearned_title(checks));
      title.front() = static_cast<char>(title.front() - 'A' + 'a');
      paragraph("", fmt::format("{} ({}): {}", title, group.checks.size(),
                                shortened(visible_line(fmt::format("{}", fmt::join(group.checks, ", "))),
                                          kLongestPrinted)));
      paragraph("  ", shortened(visible(group.reason), kLongestPrinted));
    }
  }

  void notes(const std::vector<const CheckResult*>& noted) {
    if (noted.empty()) return;
    out_ += '\n';
    paragraph("", fmt::format("notes, which cost no points ({})", noted.size()));
    for (const CheckResult* check : noted) {
      out_ += '\n';
      line(cut_to(visible_line(check->id), width_));
      for (const Cause* note : notes_of(*check)) tell(*note);
    }
  }

  void tell(const Cause& cause) {
    line(cut_to(fmt::format("{}{}", kGap, title_of(cause)), width_));
    paragraph("  ", shortened(visible(cause.message), kLongestPrinted));
    value("expected: ", cause.expected);
    value("actual:   ", cause.actual);
    const std::string input = input_line(cause);
    if (!input.empty()) line(cut_to("    input:    " + input, width_));
    if (cause.launch) line(cut_to("    launch:   " + launch_text(*cause.launch), width_));
    excerpt(cause);
    // The terminal report shows compiler output only if there is no source excerpt to show instead; the HTML
    // page always shows both.
    if (cause.excerpt.empty()) details(cause.details);
    if (!cause.printed.empty()) {
      line("    printed:");
      details(cause.printed);
    }
    if (!cause.again.empty()) {
      line("    again:    " + shortened(visible_line(cause.again), kLongestCommand));
    }
  }

  void value(std::string_view label, const std::string& text) {
    if (!text.empty()) line(cut_to(fmt::format("    {}{}", label, visible_line(text)), width_));
  }

  void excerpt(const Cause& cause) {
    std::size_t digits = 1;
    for (const SourceLine& source : cause.excerpt)
      digits = std::max(digits, fmt::format("{}", source.number).size());
    for (const SourceLine& source : cause.excerpt) {
      const bool marked = source.number == cause.line;
      const std::string text = cut_to(fmt::format("  {} {:>{}} | {}", marked ? '>' : ' ', source.number,
                                                  digits, source_line(source.text)),
                                      width_);
      line(marked ? paint("1", text) : text);
    }
  }

  void details(const std::string& text) {
    const std::vector<std::string> lines = lines_of(visible(text));
    const std::size_t shown = std::min(lines.size(), kLinesOfDetails);
    for (std::size_t i = 0; i < shown; ++i) line(cut_to("    | " + source_line(lines[i]), width_));
    if (shown < lines.size()) {
      line(fmt::format("    | ... {} in grade.json",
                       counted(static_cast<double>(lines.size() - shown), "more line", "more lines")));
    }
  }

  void not_implemented(const std::vector<std::string>& versions) {
    if (versions.empty()) return;
    std::vector<std::string> names;
    names.reserve(versions.size());
    for (const std::string& version : versions) names.push_back(visible_line(version));
    out_ += '\n';
    line(
        cut_to(fmt::format("not implemented yet ({}): {}", versions.size(), fmt::join(names, ", ")), width_));
  }

  void not_decided(const std::vector<NotDecided>& groups) {
    if (groups.empty()) return;
    out_ += '\n';
    for (const NotDecided& group : groups) {
      std::string who;
      if (group.checks.size() > 1) {
        who = fmt::format(" ({} versions)", group.checks.size());
      } else if (!group.checks.front()->version.empty()) {
        who = fmt::format(" ({})", cut_to(visible_line(group.checks.front()->version), width_ / 2));
      }
      const Explained why = explained(group);
      paragraph("",
                fmt::format("`{}`{} {}.", cut_to(visible_line(group.check), width_ / 2), who, why.reason));
      paragraph("  ", shortened(visible(why.advice), kLongestPrinted));
    }
  }

  // Prints the next step on the ladder of versions, and what the version before it still has to gain.
  void after_passing() {
    const PassedVersion* version = furthest(grade_);
    if (version == nullptr) return;
    out_ += '\n';
    const std::string name = cut_to(visible_line(version->version), width_);
    if (const std::string gain = still_to_gain(*version); !gain.empty())
      paragraph("still to gain: ", fmt::format("{}: {}", name, gain));
    paragraph("next step: ", next_step(*version));
  }

  // Prints the times measured for the speed checks. A narrow terminal gets only the columns that decide the
  // check, without the derived figures.
  void measurements() {
    if (grade_.measurements.empty()) return;
    std::size_t name_width = std::string_view("measured").size();
    for (const Measurement& measured : grade_.measurements) {
      name_width = std::max(name_width, display_width(visible_line(measured.version)));
    }
    const bool wide = width_ >= name_width + kFigures + kProportions;
    name_width = std::min(name_width, width_ - kFigures);
    out_ += '\n';
    const auto row = [&](std::string_view name, std::string_view naive, std::string_view student,
                         std::string_view speedup, std::string_view span, std::string_view threshold) {
      return fmt::format("{}{:>10}{:>10}{:>9}{:>17}{:>8}", padded(cut_to(name, name_width), name_width),
                         naive, student, speedup, span, threshold);
    };
    const auto proportions = [&](std::string_view rounds, std::string_view over_previous,
                                 std::string_view rate) {
      return wide ? fmt::format("{:>8}{:>10}{:>8}", rounds, over_previous, rate) : std::string();
    };
    line(paint("1", row("measured", "naive ms", "yours ms", "speedup", "between", "needed") +
                        proportions("rounds", "previous", rate_of(grade_.measurements.front()).unit)));
    for (const Measurement& measured : grade_.measurements) {
      line(row(visible_line(measured.version), milliseconds(measured.naive_median_ms),
               milliseconds(measured.student_median_ms), speedup_text(measured.speedup) + "x",
               span_text(measured.speedup_span, 2), speedup_text(measured.threshold) + "x") +
           proportions(fmt::format("{}", measured.rounds()),
                       measured.over_previous > 0 ? speedup_text(measured.over_previous) + "x" : "",
                       whole(rate_of(measured).value)));
    }
    paragraph("  ",
              fmt::format("{} values. The speedup lies between the two numbers with a certainty of 99.9 %.",
                          grouped(grade_.measurements.front().n)));
    if (!grade_.timing) return;
    if (grade_.timing->control_span) {
      paragraph("  ", fmt::format("Control, the naive kernel against itself: {} times as fast; 1 is quiet.",
                                  span_text(grade_.timing->control_span, 3)));
    }
    paragraph("  ", calibration_text(*grade_.timing));
  }

  const Grade& grade_;
  bool colour_;
  Detail detail_;
  std::size_t width_;
  std::string out_;
};

}  // namespace

std::string to_console(const Grade& grade, const ConsoleStyle& style) {
  return Console(grade, style).text();
}

std::string to_console(const CheckResult& check, const ConsoleStyle& style) {
  return Console(Grade(), style).one(check);
}

}  // namespace warpmark

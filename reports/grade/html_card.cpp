#include "reports/grade/html_card.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/model/staged_help.h"
#include "reports/grade/html_pictures.h"
#include "reports/grade/html_values.h"
#include "reports/wording/summary.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Maximum width of the summary line of a failure, in text columns.
constexpr std::size_t kLongestSummary = 160;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + name(names[i]);
  return text;
}

// Splits a command into words, between which a line may break.
mstch::array words_of(const std::string& command) {
  const std::string shown = shortened(visible_line(command), kLongestMessage);
  mstch::array words;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find(' ', at), shown.size());
    if (end > at) words.push_back(mstch::map{{"word", shown.substr(at, end - at)}});
    at = end + 1;
  }
  return words;
}

// Returns the sentence beside a closed card: what is wrong, or with help in steps the question that leads
// there.
std::string says_of(const Cause& cause, bool in_steps) {
  return in_steps ? std::string(hint_for(cause.kind).question) : visible_line(cause.message);
}

mstch::array excerpt_of(const Cause& cause) {
  mstch::array excerpt;
  for (const SourceLine& line : cause.excerpt) {
    excerpt.push_back(mstch::map{{"number", fmt::format("{:>4}", line.number)},
                                 {"text", cut_to(source_line(line.text), kLongestLine)},
                                 {"marked", line.number == cause.line},
                                 {"other", line.number == cause.other_line && line.number != cause.line}});
  }
  return excerpt;
}

}  // namespace

mstch::map cause_view(const CardCause& found, bool in_steps) {
  const Cause& cause = *found.cause;
  mstch::array values;
  const auto add = [&values](const char* value_name, const std::string& value) {
    if (value.empty()) return;
    values.push_back(mstch::map{{"value_name", std::string(value_name)},
                                {"value", shortened(visible_line(value), kLongestMessage)}});
  };
  add("Expected", cause.expected);
  add("Actual", cause.actual);
  add("Input", input_line(cause));
  if (cause.launch) add("Launch", launch_text(*cause.launch));
  const mstch::array excerpt = excerpt_of(cause);
  mstch::map view{
      {"kind", std::string(rule_of(cause.kind).title)},
      {"place", name(place_of(cause))},
      {"engine", fmt::format("on the {}", found.engine == Engine::gpu ? "GPU" : name_of(found.engine))},
      {"found_by", joined(found.checks)},
      {"message", message_parts(cause.message)},
      {"has_values", !values.empty()},
      {"values", values},
      {"has_excerpt", !excerpt.empty()},
      {"excerpt", excerpt},
      {"has_again", !cause.again.empty()},
      {"again", words_of(cause.again)},
      {"details_title", std::string(cause.kind == CauseKind::compile_error ? "Compiler output" : "Details")},
      {"details", shortened(visible(cause.details), kLongestDetails)},
      {"printed", shortened(visible(cause.printed), kLongestDetails)}};
  add_pictures(cause, view);
  const bool steps = in_steps && rule_of(cause.kind).verdict == Verdict::failed;
  const Hint hint = hint_for(cause.kind);
  view["in_steps"] = steps;
  view["question"] = std::string(hint.question);
  view["rule"] = std::string(hint.rule);
  view["has_place"] = cause.line > 0;
  view["is_whole"] = !cause.cut;
  return view;
}

mstch::map card_view(const Card& card, const std::string& id) {
  mstch::array first;
  mstch::array others;
  for (const CardCause& cause : card.causes)
    (first.empty() ? first : others).push_back(cause_view(cause, card.in_steps));
  std::vector<std::string> checks;
  for (const CheckResult* check : card.checks) checks.push_back(check->check);
  const std::string also = others.empty()
                               ? ""
                               : fmt::format("Also found here ({})",
                                             counted(static_cast<double>(others.size()), "cause", "causes"));
  mstch::array parts;
  for (const CheckResult* check : card.checks) {
    for (const PointPart& part : check->parts)
      parts.push_back(mstch::map{{"part_reached", part.reached}, {"part_text", part_text(part)}});
  }
  const Cause* lead = card.causes.empty() ? nullptr : card.causes.front().cause;
  return mstch::map{
      {"card_id", id},
      {"card_name", name(card.name)},
      {"card_checks", card.whole ? std::string() : joined(checks)},
      {"card_lost", card.lost > 0 ? counted(card.lost, "point", "points") : std::string()},
      {"card_kind", lead == nullptr ? std::string("failed") : std::string(rule_of(lead->kind).title)},
      {"card_place", lead == nullptr || card.in_steps ? std::string() : name(place_of(*lead))},
      {"card_says", lead == nullptr ? std::string() : cut_to(says_of(*lead, card.in_steps), kLongestSummary)},
      {"has_parts", !parts.empty()},
      {"parts", parts},
      {"first_cause", first},
      {"no_cause", first.empty()},
      {"also", also},
      {"other_causes", others}};
}

}  // namespace warpmark

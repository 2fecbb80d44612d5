#include "reports/grade/cards.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Returns the rank of a cause of failure, most helpful first: a change that cures the failure is at the place
// of the mistake, from which the others follow; a line reported by an engine is where the fault shows, a line
// reported by the judge process only where a wrong output does.
int rank(const Cause& cause) {
  if (cause.cured_by_change) return 0;
  if (cause.line == 0) return 3;
  const bool seen = rule_of(cause.kind).source == Source::engine || cause.kind == CauseKind::compile_error;
  return seen ? 1 : 2;
}

bool is_same_fault(const Cause& a, const Cause& b) {
  return a.kind == b.kind && a.file == b.file && a.line == b.line && a.other_line == b.other_line &&
         (a.line != 0 || a.message == b.message);
}

void add_causes(const CheckResult& check, Card& card) {
  for (const Cause& cause : check.causes) {
    auto same = std::ranges::find_if(card.causes, [&](const CardCause& known) {
      return known.engine == check.engine && is_same_fault(*known.cause, cause);
    });
    if (same == card.causes.end())
      same = card.causes.insert(card.causes.end(), CardCause{&cause, check.engine, {}});
    if (same->checks.empty() || same->checks.back() != check.check) same->checks.push_back(check.check);
  }
}

double lost_of(const std::vector<const CheckResult*>& checks) {
  double lost = 0;
  for (const CheckResult* check : checks) {
    if (check != nullptr) lost += check->possible - check->open - check->points;
  }
  return lost;
}

bool has_begun(const TableRow& row) {
  return std::ranges::none_of(
      row.cells, [](const CheckResult* check) { return check != nullptr && is_not_implemented(*check); });
}

}  // namespace

std::vector<Card> cards_of(const Grade& grade) {
  std::vector<Card> cards;
  const Table table = table_of(grade);
  const auto add = [&](const std::string& name, bool whole, const std::vector<const CheckResult*>& checks) {
    Card card{name, whole, {}, {}, lost_of(checks), grade.help_in_steps};
    for (const CheckResult* check : checks) {
      if (check == nullptr || check->verdict != Verdict::failed || is_not_implemented(*check)) continue;
      card.checks.push_back(check);
      add_causes(*check, card);
    }
    if (card.checks.empty()) return;
    std::ranges::stable_sort(card.causes, {}, [](const CardCause& each) { return rank(*each.cause); });
    cards.push_back(std::move(card));
  };
  for (const TableRow& row : table.rows) add(row.version, false, row.cells);
  for (const CheckResult* check : table.whole_submission) add(check->check, true, {check});
  return cards;
}

VersionState standing_of(const TableRow& row) {
  if (!has_begun(row)) return VersionState::not_started;
  VersionState standing = VersionState::works;
  for (const CheckResult* check : row.cells) {
    if (check == nullptr) continue;
    if (check->verdict == Verdict::failed) return VersionState::fails;
    if (check->verdict == Verdict::broken || check->verdict == Verdict::inconclusive)
      standing = VersionState::undecided;
  }
  return standing;
}

double points_not_started(const Table& table) {
  double points = 0;
  for (const TableRow& row : table.rows) {
    if (!has_begun(row)) points += lost_of(row.cells);
  }
  return points;
}

std::string versions_line(const Table& table) {
  if (table.rows.empty()) return "";
  std::map<VersionState, std::size_t> count;
  for (const TableRow& row : table.rows) ++count[standing_of(row)];
  const std::size_t works = count[VersionState::works];
  if (works == table.rows.size())
    return works == 1 ? "The version works" : fmt::format("All {} versions work", works);
  std::string line = fmt::format("{} of {} work{}", works,
                                 counted(static_cast<double>(table.rows.size()), "version", "versions"),
                                 works == 1 ? "s" : "");
  const auto add = [&](VersionState standing, const char* one, const char* many) {
    const std::size_t number = count[standing];
    if (number != 0) line += fmt::format(", {} {}", number, number == 1 ? one : many);
  };
  add(VersionState::fails, "does not yet", "do not yet");
  add(VersionState::undecided, "could not be decided", "could not be decided");
  add(VersionState::not_started, "is not started", "are not started");
  return line;
}

}  // namespace warpmark

#include "harness/model/overview.h"

#include <algorithm>

namespace warpmark {
namespace {

std::optional<CauseKind> first_kind(const CheckResult& check) {
  if (check.causes.empty()) return std::nullopt;
  return check.causes.front().kind;
}

template <class T>
std::size_t index_in(std::vector<T>& known, const T& value) {
  const auto found = std::find(known.begin(), known.end(), value);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  known.push_back(value);
  return known.size() - 1;
}

void add_not_decided(const CheckResult& check, std::vector<NotDecided>& groups) {
  const auto kind = first_kind(check);
  const std::string message = check.causes.empty() ? std::string() : check.causes.front().message;
  const auto same = std::find_if(groups.begin(), groups.end(), [&](const NotDecided& group) {
    // Undecided checks are grouped by message, except that all checks that lack a GPU form one group.
    return group.check == check.check && group.kind == kind &&
           (kind == CauseKind::no_gpu || group.message == message);
  });
  if (same != groups.end()) {
    same->checks.push_back(&check);
  } else {
    groups.push_back({check.check, kind, message, {&check}});
  }
}

}  // namespace

bool is_not_implemented(const CheckResult& check) {
  return check.verdict == Verdict::failed && first_kind(check) == CauseKind::not_implemented;
}

bool waits_for_another(const CheckResult& check) {
  return check.verdict == Verdict::not_run && first_kind(check) == CauseKind::depends;
}

bool is_unearned(const CheckResult& check) {
  const bool passed = check.verdict == Verdict::passed;
  const bool withheld = std::ranges::find(check.notes, CauseKind::depends, &Cause::kind) != check.notes.end();
  return passed ? check.points < check.possible || withheld : withheld;
}

Table table_of(const Grade& grade) {
  Table table;
  std::vector<std::string> versions;
  for (const CheckResult& check : grade.checks) {
    if (check.version.empty()) {
      table.whole_submission.push_back(&check);
      continue;
    }
    const std::size_t row = index_in(versions, check.version);
    const std::size_t column = index_in(table.columns, check.check);
    if (row == table.rows.size()) table.rows.push_back({check.version, {}});
    TableRow& entry = table.rows[row];
    entry.cells.resize(std::max(entry.cells.size(), column + 1), nullptr);
    entry.cells[column] = &check;
    entry.points += check.points;
    entry.possible += check.possible;
    entry.bonus += check.bonus;
    entry.bonus_possible += check.bonus_possible;
  }
  for (TableRow& row : table.rows) row.cells.resize(table.columns.size(), nullptr);
  return table;
}

Groups groups_of(const Grade& grade) {
  Groups groups;
  for (const CheckResult& check : grade.checks) {
    if (is_not_implemented(check)) {
      index_in(groups.not_implemented, check.version.empty() ? check.check : check.version);
    } else if (check.verdict == Verdict::failed) {
      groups.failed.push_back(&check);
    } else if (check.verdict == Verdict::broken) {
      groups.broken.push_back(&check);
    } else if (check.verdict != Verdict::passed && !waits_for_another(check)) {
      add_not_decided(check, groups.not_decided);
    }
    if (is_unearned(check)) groups.unearned.push_back(&check);
    if (!notes_of(check).empty()) groups.noted.push_back(&check);
  }
  return groups;
}

std::vector<const Cause*> notes_of(const CheckResult& check) {
  std::vector<const Cause*> notes;
  for (const Cause& note : check.notes) {
    if (note.kind != CauseKind::depends) notes.push_back(&note);
  }
  return notes;
}

Counts counts_of(const Grade& grade) {
  Counts counts;
  for (const CheckResult& check : grade.checks) {
    switch (check.verdict) {
      case Verdict::passed:
        ++counts.passed;
        break;
      case Verdict::failed:
        ++(is_not_implemented(check) ? counts.not_implemented : counts.failed);
        break;
      case Verdict::not_run:
        ++counts.not_run;
        break;
      case Verdict::inconclusive:
        ++counts.inconclusive;
        break;
      case Verdict::broken:
        ++counts.broken;
        break;
    }
  }
  return counts;
}

std::uint64_t uploaded_bytes(const Grade& grade) {
  std::uint64_t bytes = 0;
  for (const AuditedTransfer& transfer : grade.transfers) {
    if (transfer.direction == "host_to_device" && !transfer.canary) bytes += transfer.bytes;
  }
  return bytes;
}

}  // namespace warpmark

#include "harness/simulator/engine/machine/causes.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace warpmark::simulator {
namespace {

using Within = Conflict::Within;

// Returns the severity of a finding's kind, 0 being the most severe. A finding absorbs less severe ones that
// have the same cause.
int rank_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::race:
      return 0;
    case CauseKind::warp_synchronous:
      return 1;
    case CauseKind::same_word_store:
      return 2;
    case CauseKind::uninitialised_read:
      return 3;
    case CauseKind::same_value_store:
      return 4;
    default:
      return 5;
  }
}

std::set<int> lines_of(const Finding& finding) {
  std::set<int> lines{finding.line};
  if (finding.other_line != 0) lines.insert(finding.other_line);
  return lines;
}

bool meet(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int line) { return b.contains(line); });
}

// Returns the advice with which a data race's message ends. one_line: both accesses are at the same source
// line.
const char* remedy_of(CauseKind kind, const Conflict& conflict, bool one_line, bool loses_updates) {
  if (loses_updates)
    return "each thread reads it, changes it and writes it back, so that updates get lost: use atomicAdd or "
           "another atomic operation";
  if (kind == CauseKind::same_word_store)
    return "which value stays is not defined: let one thread store, or use an atomic operation";
  if (kind == CauseKind::same_value_store) return "all store the same value, so that the result is defined";
  if (conflict.atomic && conflict.both_write && !conflict.shared)
    return "the threads of a launch run in any order: set it before the launch, by cudaMemsetAsync or by a "
           "launch before";
  if (conflict.both_write && one_line && conflict.within == Within::grid)
    return "blocks run in any order and at the same time, and one overwrites what the other stored: let each "
           "block store to an element of its own, or use an atomic operation";
  if (conflict.both_write && one_line && !conflict.atomic)
    return "one thread overwrites what the other stored: let one thread store, or use an atomic operation";
  if (conflict.within == Within::grid)
    return "blocks run in any order and at the same time: use atomic operations, another launch, or a "
           "__threadfence() before an atomic operation that the other block reads";
  if (kind == CauseKind::warp_synchronous && conflict.all_warps && conflict.barriers)
    return "the lanes of a warp need not run in step, volatile or not: put a __syncthreads() between them, "
           "or a __syncwarp() if no other warp needs what is stored";
  if (kind == CauseKind::warp_synchronous && one_line)
    return "the lanes of a warp need not run in step, volatile or not: put a __syncwarp() between the steps, "
           "and one between what a step reads and what it stores, where a lane stores to what another one "
           "reads";
  if (kind == CauseKind::warp_synchronous)
    return "the lanes of a warp need not run in step, volatile or not: put a __syncwarp() between them";
  if (conflict.is_volatile)
    return "volatile is no barrier, it only keeps the compiler from holding the value in a register: put a "
           "__syncthreads() between them";
  if (one_line) return "put a __syncthreads() between one step and the next";
  return "put a __syncthreads() between them";
}

}  // namespace

void Causes::add(Finding finding, std::optional<Conflict> conflict) {
  Cause cause{std::move(finding), std::move(conflict), {}};
  cause.lines = lines_of(cause.finding);
  const CauseKind kind = cause.finding.kind;
  if (cause.conflict && cause.lines.size() == 1) {
    cause.read = cause.conflict->reads;
    cause.read_other = cause.conflict->reads_other;
    cause.overwrite =
        kind == CauseKind::same_word_store || (cause.conflict->both_write && !cause.conflict->atomic);
  }
  all_.push_back(std::move(cause));
}

// Detects threads that compute the same index by mistake: several of them first store equal values to one
// element, then race when they update it.
void Causes::find_shared_indices() {
  for (Cause& cause : all_) {
    if (cause.finding.kind != CauseKind::race || !cause.read) continue;
    const auto loses = [&](const Cause& other) {
      return other.finding.kind == CauseKind::race && other.overwrite && other.lines == cause.lines &&
             other.conflict->array == cause.conflict->array;
    };
    // What a line stores there may be what it read in another race, so that equal values prove nothing.
    const auto races_there = [&](int line) {
      return std::any_of(all_.begin(), all_.end(), [&](const Cause& other) {
        return other.finding.kind == CauseKind::race && other.lines.contains(line);
      });
    };
    const auto fills = [&](const Cause& other) {
      return other.finding.kind == CauseKind::same_value_store && other.conflict &&
             other.conflict->elements && other.conflict->within != Within::grid &&
             other.conflict->array == cause.conflict->array && !races_there(other.finding.line);
    };
    const auto fill = std::find_if(all_.begin(), all_.end(), fills);
    if (fill != all_.end() && std::any_of(all_.begin(), all_.end(), loses))
      cause.filled_at = fill->finding.line;
  }
}

// True if fixing the finding `worse` also fixes the finding `other`.
bool Causes::covers(const Cause& worse, const Cause& other) {
  if (worse.finding.file != other.finding.file || worse.finding.kernel != other.finding.kernel) return false;
  const CauseKind kind = other.finding.kind;
  // A read that races with a write may come before it and so read uninitialised memory: the race explains the
  // uninitialised read.
  if (kind == CauseKind::uninitialised_read)
    return rank_of(worse.finding.kind) < 2 && worse.lines.contains(other.finding.line);
  // A race explains that threads store equal values at its source line: each may store what it has read in
  // the race, so "equal values" is no defect of its own.
  if (kind == CauseKind::same_value_store && rank_of(worse.finding.kind) < 2 &&
      worse.lines.contains(other.finding.line))
    return true;
  if (!worse.conflict || !other.conflict || worse.conflict->array != other.conflict->array) return false;
  if (worse.filled_at != 0) return true;
  if (kind == worse.finding.kind && kind == CauseKind::warp_synchronous) return true;
  if (kind != worse.finding.kind) return meet(worse.lines, other.lines);
  const bool same_lines = worse.lines == other.lines;
  const bool part =
      std::includes(worse.lines.begin(), worse.lines.end(), other.lines.begin(), other.lines.end());
  return same_lines || (part && (!other.conflict->other_known || !other.conflict->reads));
}

bool Causes::is_worse(const Cause& a, const Cause& b) {
  const auto key = [](const Cause& cause) {
    const Conflict conflict = cause.conflict.value_or(Conflict{});
    return std::tuple(rank_of(cause.finding.kind), cause.filled_at == 0, cause.finding.file,
                      conflict.within != Within::grid, !conflict.other_known, cause.lines.size() < 2,
                      cause.finding.line, cause.finding.other_line, !conflict.reads);
  };
  return key(a) < key(b);
}

void Causes::absorb(Cause& into, const Cause& other) {
  if (!other.conflict) return;
  if (!into.conflict || into.conflict->array != other.conflict->array || into.filled_at != 0) return;
  into.lines.insert(other.lines.begin(), other.lines.end());
  if (other.lines.size() != 1 || !lines_of(into.finding).contains(*other.lines.begin())) return;
  into.read = into.read || other.read;
  into.read_other = into.read_other || other.read_other;
  into.overwrite = into.overwrite || other.overwrite;
}

void Causes::finish(Cause& cause) {
  if (!cause.conflict) return;
  Finding& finding = cause.finding;
  const bool loses_updates = cause.read && !cause.read_other && cause.overwrite && !cause.conflict->atomic;
  // A race that would also occur if the warp ran in lockstep (a lost update, a conflict with an atomic) is
  // reported as a plain race, not as missing __syncwarp().
  if (finding.kind == CauseKind::warp_synchronous && (loses_updates || cause.conflict->atomic))
    finding.kind = CauseKind::race;
  Conflict conflict = *cause.conflict;
  conflict.both_write = conflict.both_write && !cause.read_other;
  if (cause.filled_at != 0) {
    finding.message += fmt::format(
        ": several threads store to one element as early as line {}: give each thread an index of its own, "
        "of a type that is wide enough",
        cause.filled_at);
  } else {
    finding.message += fmt::format(
        ": {}", remedy_of(finding.kind, conflict, finding.other_line == finding.line, loses_updates));
  }
  for (const int line : lines_of(finding)) cause.lines.erase(line);
  if (cause.lines.empty() || *cause.lines.rbegin() == 0) return;
  finding.message += fmt::format("; the same at line{} {}", cause.lines.size() == 1 ? "" : "s",
                                 fmt::join(cause.lines, ", "));
}

std::vector<Finding> Causes::take() {
  find_shared_indices();
  std::sort(all_.begin(), all_.end(), is_worse);
  std::vector<Cause> causes;
  for (const Cause& cause : all_) {
    const auto worse =
        std::find_if(causes.begin(), causes.end(), [&](const Cause& known) { return covers(known, cause); });
    if (worse == causes.end())
      causes.push_back(cause);
    else
      absorb(*worse, cause);
  }
  all_.clear();
  std::vector<Finding> findings;
  for (Cause& cause : causes) {
    finish(cause);
    findings.push_back(std::move(cause.finding));
  }
  return findings;
}

}  // namespace warpmark::simulator

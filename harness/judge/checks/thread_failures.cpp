#include "harness/judge/checks/thread_failures.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/host_threads.h"

namespace warpmark::judge {
namespace {

using source_edits::ThreadMistake;

bool is_race(const Cause& cause) {
  return cause.kind == CauseKind::race;
}

// Returns true for failures that threads bring about which use what others change, or what is gone.
bool may_follow(const Cause& cause) {
  using enum CauseKind;
  static constexpr std::array kKinds{
      crashed, race, use_after_free, out_of_bounds, exited, wrong_when_called_again, undefined_behaviour,
      leak};
  return std::ranges::find(kKinds, cause.kind) != kKinds.end();
}

// Returns the race to tell: one with a line of the version's own file, if there is one.
const Cause* race_in(const std::vector<Cause>& causes, const Blame& blame) {
  const auto own = std::ranges::find_if(
      causes, [&](const Cause& each) { return is_race(each) && each.file == blame.file->name; });
  if (own != causes.end()) return &*own;
  const auto any = std::ranges::find_if(causes, is_race);
  return any == causes.end() ? nullptr : &*any;
}

// Returns the first sentence of a failure's message: what was seen, without what to do, and with the line in
// place of "here".
std::string seen_in(const Cause& failure) {
  constexpr std::string_view kHere = " here,";
  const std::string& message = failure.message;
  std::string seen = message.substr(0, std::min(message.find(". "), message.find("; look")));
  if (const std::size_t here = seen.find(kHere); here != std::string::npos && failure.line != 0)
    seen.replace(here, kHere.size(), fmt::format(" at {}:{},", failure.file, failure.line));
  return seen;
}

std::optional<ThreadMistake> mistake_of(const std::vector<Cause>& failures,
                                        const std::vector<Cause>& of_sanitizers, const Blame& blame) {
  source_edits::ThreadEvidence evidence;
  for (const auto* causes : {&failures, &of_sanitizers}) {
    for (const Cause& cause : *causes) {
      evidence.runs_on = evidence.runs_on || may_follow(cause) || cause.kind == CauseKind::tampering;
      if (!is_race(cause)) continue;
      const auto lines = lines_named_by(cause, blame.file->name);
      evidence.racing.insert(evidence.racing.end(), lines.begin(), lines.end());
    }
  }
  return find_thread_mistake(blame.file->text, evidence);
}

// Adds the kinds of the failures that are left out.
void name_consequences(Cause& root, const std::vector<Cause>& left_out) {
  std::vector<std::string> titles;
  for (const Cause& cause : left_out) {
    const std::string title = fmt::format("\"{}\"", rule_of(cause.kind).title);
    const bool told = cause.kind == root.kind || std::ranges::find(titles, title) != titles.end();
    if (!is_race(cause) && !told) titles.push_back(title);
  }
  if (!titles.empty()) root.message += fmt::format(". From it follows {}, too", fmt::join(titles, " and "));
}

}  // namespace

bool has_race(const std::vector<Cause>& causes) {
  return std::ranges::any_of(causes, is_race);
}

std::vector<Cause> threads_first(std::vector<Cause> failures, const std::vector<Cause>& of_sanitizers,
                                 const Blame& blame) {
  if (failures.empty() || blame.file == nullptr) return failures;
  const Cause* race = race_in(failures, blame);
  if (race == nullptr) race = race_in(of_sanitizers, blame);
  const auto mistake = mistake_of(failures, of_sanitizers, blame);
  if (race == nullptr && !mistake) return failures;
  // The input is that of the failure, so that the check shows it again.
  Cause root = failures.front();
  if (race != nullptr) {
    root.kind = race->kind;
    root.message = race->message;
    root.file = race->file;
    root.line = race->line;
    root.other_line = race->other_line;
    root.excerpt = race->excerpt;
    root.accesses = race->accesses;
    root.expected.clear();
    root.actual.clear();
  }
  if (mistake) {
    // What sanitizers found may have been explained before.
    if (!root.message.starts_with(mistake->what))
      root.message = fmt::format("{}. Seen: {}", mistake->what, seen_in(root));
    root.mistake = mistake->mistake;
    root.file = blame.file->name;
    root.line = mistake->line;
    root.excerpt = excerpt_in(blame, root.file, root.line);
  }
  const Cause shown = failures.front();
  const auto kept =
      std::ranges::stable_partition(failures, [](const Cause& each) { return !may_follow(each); });
  std::vector<Cause> left_out(std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
  failures.erase(kept.begin(), kept.end());
  // A failure that became the root is not told twice.
  if (race == nullptr && !failures.empty() && shown.kind == failures.front().kind)
    failures.erase(failures.begin());
  name_consequences(root, left_out);
  failures.insert(failures.begin(), std::move(root));
  return failures;
}

}  // namespace warpmark::judge

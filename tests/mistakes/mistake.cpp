#include "tests/mistakes/mistake.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <regex>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

namespace warpmark::mistakes {
namespace {

namespace fs = std::filesystem;
using edits::Members;
using edits::Place;

Expectation read_expectation(Members& members, const Expectation& fallback) {
  Expectation expectation;
  expectation.cause = members.text("cause", fallback.cause);
  expectation.lines = members.texts("line", fallback.lines);
  expectation.other_line = members.text("other_line", fallback.other_line);
  expectation.helpers = members.texts("helper", fallback.helpers);
  expectation.words = members.texts("words", fallback.words);
  expectation.never = members.texts("never", fallback.never);
  expectation.also = members.texts("also", fallback.also);
  expectation.known_gap = members.flag("known_gap", fallback.known_gap);
  return expectation;
}

Result<Mistake> read_mistake(const edits::Entry& entry) {
  Mistake mistake;
  mistake.name = fmt::format("{}_{}", entry.group, entry.name);
  Members members(entry.table, mistake.name);
  members.text("name");
  auto edits = edits::read_edits(members);
  if (!edits) return tl::unexpected(edits.error());
  mistake.edits = std::move(*edits);
  mistake.check = members.text("check");
  mistake.type = members.text("type", "int");
  mistake.call_seconds = members.number("call_seconds");
  mistake.right = entry.right;
  mistake.simulator = read_expectation(members, {});
  mistake.gpu = mistake.simulator;
  if (const toml::table* gpu = members.inner("gpu")) {
    Members own(*gpu, mistake.name + ".gpu");
    mistake.gpu = read_expectation(own, mistake.simulator);
    if (auto done = own.finish(); !done) return tl::unexpected(done.error());
  }
  if (auto done = members.finish(); !done) return tl::unexpected(done.error());
  if (mistake.edits.source.empty()) return fail(mistake.name + ": a source is needed");
  const bool explained = !mistake.simulator.cause.empty() && !mistake.simulator.words.empty();
  if (!mistake.right && !explained) return fail(mistake.name + ": cause and words are needed");
  if (mistake.right && !mistake.simulator.cause.empty())
    return fail(mistake.name + ": what is right has no cause");
  return mistake;
}

bool asks_for_speed(const CheckResult& check) {
  return check.check == "work" || check.check == "fast";
}

// On a GPU the device's own answer stands beside the simulator's explanation.
bool is_what_a_gpu_says(const CheckResult& check, CauseKind kind) {
  using enum CauseKind;
  static constexpr std::array all{cuda_error, wrong_sum,     wrong_output,        not_written, timed_out,
                                  crashed,    input_changed, out_of_bounds_write, not_uploaded};
  return check.engine == Engine::gpu && std::ranges::find(all, kind) != all.end();
}

std::string described(const Cause& cause) {
  const std::string second = cause.other_line == 0 ? "" : fmt::format(" and {}", cause.other_line);
  return fmt::format("{} at {}:{}{}", name_of(cause.kind), cause.file, cause.line, second);
}

std::string texts_of(const Cause& cause) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", cause.message, cause.expected, cause.actual, cause.details,
                     cause.printed);
}

bool says(const Cause& cause, const std::string& words) {
  return std::regex_search(texts_of(cause), std::regex(words, std::regex::icase));
}

bool is_at(const Wanted& wanted, const std::vector<Place>& asked, const Cause& cause, int line) {
  const Place place{cause.file, line};
  if (std::ranges::find(asked, place) != asked.end()) return true;
  const bool helps = std::ranges::find(wanted.helpers, place) != wanted.helpers.end();
  return helps && std::ranges::any_of(asked, [&](const Place& caller) {
           return says(cause, fmt::format("(line |{}:){}\\b", caller.file, caller.line));
         });
}

bool at_the_lines(const Wanted& wanted, const Cause& cause) {
  const auto are = [&](int line, int other_line) {
    return (wanted.lines.empty() || is_at(wanted, wanted.lines, cause, line)) &&
           (wanted.other_lines.empty() || is_at(wanted, wanted.other_lines, cause, other_line));
  };
  return are(cause.line, cause.other_line) ||
         (!wanted.other_lines.empty() && are(cause.other_line, cause.line));
}

// A cause or note of a check that asks for right or wrong.
struct Told {
  const CheckResult* check = nullptr;
  const Cause* cause = nullptr;
  bool first = false;  // what the check tells first: a note only where it passed
};

std::vector<Told> all_told(const Grade& grade) {
  std::vector<Told> all;
  for (const CheckResult& check : grade.checks) {
    if (asks_for_speed(check) || check.verdict == Verdict::not_run) continue;
    for (const Cause& cause : check.causes) all.push_back({&check, &cause, &cause == &check.causes.front()});
    for (const Cause& note : check.notes) {
      if (note.kind == CauseKind::depends) continue;  // about points, not about the code
      all.push_back({&check, &note, check.causes.empty()});
    }
  }
  return all;
}

bool is_the_mistake(const Wanted& wanted, const Cause& cause) {
  return edits::allows(wanted.expectation.cause, name_of(cause.kind)) && at_the_lines(wanted, cause);
}

bool may_stand_beside(const Wanted& wanted, const Told& told) {
  const auto& also = wanted.expectation.also;
  return std::ranges::find(also, name_of(told.cause->kind)) != also.end() ||
         is_what_a_gpu_says(*told.check, told.cause->kind);
}

}  // namespace

Result<std::vector<Mistake>> read_mistakes(const fs::path& table_or_folder) {
  const auto entries = fs::is_directory(table_or_folder) ? edits::read_tables(table_or_folder)
                                                         : edits::read_table(table_or_folder);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<Mistake> mistakes;
  for (const edits::Entry& entry : *entries) {
    auto mistake = read_mistake(entry);
    if (!mistake) return tl::unexpected(mistake.error());
    mistakes.push_back(std::move(*mistake));
  }
  return mistakes;
}

Result<Wanted> wanted_in(const std::map<std::string, std::string>& files, const Expectation& expectation) {
  Wanted wanted{expectation, {}, {}, {}};
  const auto add = [&](const std::string& part, std::vector<Place>& to) -> Result<void> {
    auto place = edits::place_of(files, part);
    if (!place) return tl::unexpected(place.error());
    to.push_back(std::move(*place));
    return {};
  };
  for (const std::string& line : expectation.lines) {
    if (auto added = add(line, wanted.lines); !added) return tl::unexpected(added.error());
  }
  for (const std::string& line : expectation.helpers) {
    if (auto added = add(line, wanted.helpers); !added) return tl::unexpected(added.error());
  }
  if (expectation.other_line.empty()) return wanted;
  if (auto added = add(expectation.other_line, wanted.other_lines); !added)
    return tl::unexpected(added.error());
  return wanted;
}

std::vector<std::string> complaints(const Wanted& wanted, const Grade& grade) {
  const auto all = all_told(grade);
  std::vector<std::string> wrong;
  std::vector<Told> right;
  std::ranges::copy_if(all, std::back_inserter(right),
                       [&](const Told& told) { return is_the_mistake(wanted, *told.cause); });
  if (right.empty() && !wanted.expectation.cause.empty()) {
    std::vector<std::string> places;
    for (const Place& place : wanted.lines) places.push_back(fmt::format("{}:{}", place.file, place.line));
    wrong.push_back(fmt::format("no {}{}{}", wanted.expectation.cause, places.empty() ? "" : " at ",
                                fmt::join(places, " or ")));
  } else if (!right.empty()) {
    const auto first = std::ranges::find(right, true, &Told::first);
    const Told& best = first == right.end() ? right.front() : *first;
    const bool behind = !best.first && best.check->causes.front().kind != best.cause->kind;
    if (behind) wrong.push_back(described(*best.cause) + " stands behind another cause");
    for (const std::string& words : wanted.expectation.words) {
      if (!says(*best.cause, words))
        wrong.push_back(fmt::format("{} does not say `{}`", described(*best.cause), words));
    }
  }
  std::set<std::string> others;
  for (const Told& told : all) {
    if (!is_the_mistake(wanted, *told.cause) && !may_stand_beside(wanted, told))
      others.insert(described(*told.cause) + " is not the mistake");
    for (const std::string& words : wanted.expectation.never) {
      if (says(*told.cause, words))
        others.insert(fmt::format("{} says `{}`, which does not help", described(*told.cause), words));
    }
  }
  wrong.insert(wrong.end(), others.begin(), others.end());
  return wrong;
}

std::string told(const Grade& grade) {
  std::string text;
  for (const Told& one : all_told(grade)) {
    text += fmt::format("  {} {}{}, n = {}: {}\n", one.check->id, described(*one.cause),
                        one.first ? " (first)" : "", one.cause->n.value_or(0), texts_of(*one.cause));
  }
  return text;
}

}  // namespace warpmark::mistakes

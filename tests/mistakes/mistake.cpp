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

// Members of one table, each asked for once; what is left over has an unknown name.
class Members {
 public:
  Members(const toml::table& table, std::string where) : table_(table), where_(std::move(where)) {
    for (const auto& [name, node] : table_) unread_.emplace(name.str());
  }

  std::string text(const char* name, const std::string& fallback = {}) {
    unread_.erase(name);
    return table_[name].value_or(fallback);
  }
  unsigned number(const char* name) {
    unread_.erase(name);
    return table_[name].value_or(0U);
  }
  bool flag(const char* name, bool fallback) {
    unread_.erase(name);
    return table_[name].value_or(fallback);
  }
  std::vector<std::string> texts(const char* name, const std::vector<std::string>& fallback) {
    unread_.erase(name);
    const toml::array* list = table_[name].as_array();
    if (list == nullptr) return table_.contains(name) ? std::vector{text(name)} : fallback;
    std::vector<std::string> all;
    for (const toml::node& entry : *list) all.push_back(entry.value_or(std::string()));
    return all;
  }
  const toml::table* inner(const char* name) {
    unread_.erase(name);
    return table_[name].as_table();
  }
  [[nodiscard]] Result<void> finish() const {
    if (unread_.empty()) return {};
    return fail(fmt::format("{}: unknown member {}", where_, fmt::join(unread_, ", ")));
  }

 private:
  const toml::table& table_;
  std::string where_;
  std::set<std::string> unread_;
};

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

Result<Mistake> read_mistake(const toml::table& table, const std::string& group, bool right) {
  Members members(table, fmt::format("{}_{}", group, table["name"].value_or(std::string("?"))));
  Mistake mistake;
  mistake.name = fmt::format("{}_{}", group, members.text("name"));
  mistake.file = members.text("file");
  mistake.old_text = members.text("old");
  mistake.new_text = members.text("new");
  mistake.before = members.text("before");
  mistake.version = members.text("version", fs::path(mistake.file).stem().string());
  mistake.check = members.text("check");
  mistake.type = members.text("type", "int");
  mistake.call_seconds = members.number("call_seconds");
  mistake.simulator = read_expectation(members, {});
  mistake.gpu = mistake.simulator;
  if (const toml::table* gpu = members.inner("gpu")) {
    Members own(*gpu, mistake.name + ".gpu");
    mistake.gpu = read_expectation(own, mistake.simulator);
    if (auto done = own.finish(); !done) return tl::unexpected(done.error());
  }
  if (auto done = members.finish(); !done) return tl::unexpected(done.error());
  if (mistake.file.empty() || mistake.old_text.empty())
    return fail(mistake.name + ": file and old are needed");
  const bool explained = !mistake.simulator.cause.empty() && !mistake.simulator.words.empty();
  if (!right && !explained) return fail(mistake.name + ": cause and words are needed");
  if (right && !mistake.simulator.cause.empty()) return fail(mistake.name + ": what is right has no cause");
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
  // "a|b": which of them depends on what else happens at the time.
  const std::string kinds = "|" + wanted.expectation.cause + "|";
  return kinds.find(fmt::format("|{}|", name_of(cause.kind))) != kinds.npos && at_the_lines(wanted, cause);
}

bool may_stand_beside(const Wanted& wanted, const Told& told) {
  const auto& also = wanted.expectation.also;
  return std::ranges::find(also, name_of(told.cause->kind)) != also.end() ||
         is_what_a_gpu_says(*told.check, told.cause->kind);
}

}  // namespace

std::string Mistake::assignment() const {
  return file.substr(0, file.find('/'));
}

std::string Mistake::file_name() const {
  return fs::path(file).filename().string();
}

Result<std::vector<Mistake>> read_mistakes(const fs::path& table) {
  const toml::parse_result parsed = toml::parse_file(table.string());
  std::vector<Mistake> mistakes;
  for (const auto& [name, entries] : parsed) {
    const bool right = name.str() == "right";
    if (!entries.is_array_of_tables() || (!right && name.str() != "mistake"))
      return fail(fmt::format("{} has more than [[mistake]] and [[right]]: {}", table.string(), name.str()));
    for (const toml::node& entry : *entries.as_array()) {
      auto mistake = read_mistake(*entry.as_table(), table.stem().string(), right);
      if (!mistake) return tl::unexpected(mistake.error());
      mistakes.push_back(std::move(*mistake));
    }
  }
  return mistakes;
}

Result<std::string> edited(std::string_view text, const Mistake& mistake) {
  const std::size_t at = text.find(mistake.old_text);
  if (at == std::string_view::npos)
    return fail(fmt::format("{} has no `{}`", mistake.file, mistake.old_text));
  if (text.find(mistake.old_text, at + 1) != std::string_view::npos)
    return fail(fmt::format("{} has `{}` more than once", mistake.file, mistake.old_text));
  std::string changed(text);
  changed.replace(at, mistake.old_text.size(), mistake.new_text);
  return mistake.before.empty() ? changed : mistake.before + "\n" + changed;
}

Result<Place> place_of(const std::map<std::string, std::string>& files, std::string_view part) {
  std::vector<Place> found;
  for (const auto& [name, text] : files) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      const auto before = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      found.push_back({name, static_cast<int>(before) + 1});
    }
  }
  if (found.size() == 1) return found.front();
  return fail(
      fmt::format("`{}` stands {} times in the submission, and has to stand there once", part, found.size()));
}

Result<Wanted> wanted_in(const std::map<std::string, std::string>& files, const Expectation& expectation) {
  Wanted wanted{expectation, {}, {}, {}};
  const auto add = [&](const std::string& part, std::vector<Place>& to) -> Result<void> {
    auto place = place_of(files, part);
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

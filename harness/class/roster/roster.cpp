#include "harness/class/roster/roster.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/class/intake/names.h"
#include "harness/class/roster/csv.h"
#include "harness/class/roster/ids.h"

namespace warpmark::classroom {
namespace {

// Returns the sorted words of a name, so that "Lovelace, Ada" and "ada lovelace" compare equal.
std::string sorted_words(std::string_view name) {
  std::string id = folded(readable_id(name));
  std::ranges::replace(id, '_', '-');
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= id.size();) {
    const std::size_t end = std::min(id.find('-', at), id.size());
    if (end > at) words.push_back(id.substr(at, end - at));
    at = end + 1;
  }
  std::ranges::sort(words);
  return fmt::format("{}", fmt::join(words, " "));
}

// Returns the forms that Canvas uses in file names, such as "lovelaceada": last name first, letters only.
std::set<std::string> squashed(std::string_view name) {
  std::vector<std::string> words;
  std::string all = folded(readable_id(name));
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find('-', at), all.size());
    if (end > at) words.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  std::set<std::string> found{fmt::format("{}", fmt::join(words, ""))};
  if (words.size() > 1) {
    std::rotate(words.begin(), words.end() - 1, words.end());
    found.insert(fmt::format("{}", fmt::join(words, "")));
  }
  return found;
}

bool is_same(const std::string& a, const std::string& b) {
  return !a.empty() && folded(a) == folded(b);
}

bool has_same_name(const Person& entry, const Person& person) {
  if (entry.name.empty() || person.name.empty()) return false;
  return sorted_words(entry.name) == sorted_words(person.name) ||
         squashed(entry.name).contains(folded(person.name));
}

}  // namespace

Result<std::vector<RosterEntry>> read_roster(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  const auto csv = parse_csv(*text);
  if (!csv) return fail(fmt::format("{}: {}", file.string(), csv.error().message));
  const std::size_t name = csv->column({"name", "student", "full name", "student name"});
  const std::size_t first = csv->column({"first name", "given name"});
  const std::size_t last = csv->column({"last name", "surname", "family name"});
  const std::size_t key = csv->column({"id", "key", "identifier"});
  const std::size_t email = csv->column({"email", "email address", "e-mail"});
  const std::size_t login = csv->column({"login", "username", "github", "github_username", "sis login id"});
  const std::size_t sid = csv->column({"sid", "sis user id", "idnumber", "id number", "student id"});
  const std::size_t days = csv->column({"late_days", "days late"});
  const std::size_t attempts = csv->column({"attempts", "submission count"});
  const bool known =
      std::ranges::any_of(std::initializer_list<std::size_t>{name, last, key, email, login, sid},
                          [](std::size_t column) { return column != Csv::kNoColumn; });
  if (!known) {
    return fail(fmt::format(
        "{}: the first line names no known column; known columns: name, id, email, login, sid, late_days, "
        "attempts",
        file.string()));
  }
  std::vector<RosterEntry> roster;
  std::set<std::string> seen;
  for (std::size_t i = 1; i < csv->rows.size(); ++i) {
    const CsvRow& row = csv->rows[i];
    const auto cell = [&](std::size_t column) { return std::string(csv->at(row, column)); };
    RosterEntry entry;
    entry.person = {cell(name), cell(key), cell(email), cell(login), cell(sid)};
    if (entry.person.name.empty() && last != Csv::kNoColumn)
      entry.person.name = cell(first) + " " + cell(last);
    if (entry.person.name.empty())
      entry.person.name = !entry.person.login.empty() ? entry.person.login : entry.person.email;
    if (entry.person.name.empty() && entry.person.key.empty() && entry.person.sid.empty()) continue;
    double value = 0;
    const std::string late = cell(days);
    const auto [end, error] = std::from_chars(late.data(), late.data() + late.size(), value);
    if (!late.empty() && (error != std::errc{} || end != late.data() + late.size() || value < 0)) {
      return fail(fmt::format("{}: line {}: late_days is \"{}\", must be a number of days from 0",
                              file.string(), i + 1, late));
    }
    if (!late.empty()) entry.late_days = value;
    const std::string tries = cell(attempts);
    const auto count = warpmark::number_in<std::uint64_t>(tries);
    if (!tries.empty() && !count) {
      return fail(fmt::format("{}: line {}: attempts is \"{}\", must be a whole number", file.string(), i + 1,
                              tries));
    }
    entry.attempts = count.value_or(0);
    for (const std::string* unique : {&entry.person.key, &entry.person.email, &entry.person.login}) {
      if (!unique->empty() && !seen.insert(folded(*unique)).second) {
        // Accepts a text that occurs twice in the roster if it is the login and the email address of one
        // student.
        const bool own =
            std::ranges::count(std::vector{entry.person.key, entry.person.email, entry.person.login},
                               *unique) > 1;
        if (!own)
          return fail(fmt::format("{}: line {}: \"{}\" occurs twice; give every student a unique key",
                                  file.string(), i + 1, *unique));
      }
    }
    roster.push_back(std::move(entry));
  }
  if (roster.empty()) return fail(fmt::format("{}: there is no student below the first line", file.string()));
  return roster;
}

std::vector<std::size_t> matches(const std::vector<RosterEntry>& roster, const Person& person) {
  const auto all_where = [&](const auto& holds) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < roster.size(); ++i) {
      if (holds(roster[i].person)) found.push_back(i);
    }
    return found;
  };
  auto found = all_where([&](const Person& entry) {
    return is_same(entry.key, person.key) || is_same(entry.email, person.email) ||
           is_same(entry.login, person.login) || is_same(entry.sid, person.sid);
  });
  if (!found.empty()) return found;
  found = all_where([&](const Person& entry) {
    return is_same(entry.key, person.name) || is_same(entry.login, person.name) ||
           is_same(entry.sid, person.name) || is_same(entry.email, person.name);
  });
  return found.empty() ? all_where([&](const Person& entry) { return has_same_name(entry, person); }) : found;
}

}  // namespace warpmark::classroom

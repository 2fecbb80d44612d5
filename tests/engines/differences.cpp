#include "tests/engines/differences.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <toml++/toml.h>

#include "tests/edits/edits.h"

namespace warpmark::engines {
namespace {

// The records of one fixture, in the order of the runs.
using Row = std::vector<const Record*>;

std::string engine_of(const std::string& run) {
  return run.substr(0, run.find('.'));
}

bool is_about(const Reason& reason, const std::vector<std::string>& runs, const Difference& difference) {
  if (!matches(reason.fixture, difference.fixture) || !matches(reason.check, difference.check)) return false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto told = reason.told.find(engine_of(runs[i]));
    if (told != reason.told.end() && !matches(told->second, difference.told[i].text())) return false;
  }
  return true;
}

template <class Part>
bool differ_in(const std::vector<Told>& told, Part part) {
  return std::ranges::any_of(told, [&](const Told& each) { return part(each) != part(told.front()); });
}

// Returns the first part in which the results differ; empty if they agree.
std::string difference_in(const std::vector<Told>& told) {
  if (differ_in(told, [](const Told& each) { return each.verdict; })) return "verdict";
  if (differ_in(told, [](const Told& each) { return each.kind; })) return "cause";
  if (differ_in(told, [](const Told& each) { return std::pair(each.file, each.line); })) return "line";
  return "";
}

std::string version_of(const std::string& check) {
  return check.substr(0, check.rfind('.'));
}

std::vector<Difference> differences_of(const Row& row, std::size_t& checks) {
  std::set<std::string> ids;
  for (const Record* record : row) {
    for (const auto& [id, told] : record->checks) ids.insert(id);
  }
  std::vector<Difference> found;
  for (const std::string& id : ids) {
    ++checks;
    std::vector<Told> told;
    for (const Record* record : row) {
      const auto each = record->checks.find(id);
      told.push_back(each == record->checks.end() ? Told{"absent", {}, {}, 0, {}} : each->second);
    }
    if (const std::string in = difference_in(told); !in.empty())
      found.push_back({row.front()->fixture, id, in, std::move(told), ""});
  }
  const auto follows = [&](const Difference& each) {
    const bool depends =
        std::ranges::any_of(each.told, [](const Told& one) { return one.kind == "depends"; });
    return depends && std::ranges::any_of(found, [&](const Difference& other) {
             return other.in == "verdict" && version_of(other.check) == version_of(each.check) &&
                    std::ranges::none_of(other.told, [](const Told& one) { return one.kind == "depends"; });
           });
  };
  std::vector<Difference> first;
  std::ranges::copy_if(found, std::back_inserter(first),
                       [&](const Difference& each) { return !follows(each); });
  return first;
}

}  // namespace

bool matches(const std::string& glob, const std::string& text) {
  return ::fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

Result<std::vector<Reason>> read_reasons(const std::filesystem::path& table) try {
  const toml::table top = toml::parse_file(table.string());
  std::vector<Reason> reasons;
  edits::Members all(top, table.string());
  for (const toml::table* each : all.list("reason")) {
    edits::Members members(*each, fmt::format("{}: reason {}", table.string(), reasons.size() + 1));
    Reason reason{
        members.text("fixture"), members.text("check", "*"), {}, members.text("why"), members.flag("chance")};
    for (const char* engine : {"gpu", "simulator"}) {
      if (members.has(engine)) reason.told[engine] = members.text(engine);
    }
    if (auto done = members.finish(); !done) return tl::unexpected(done.error());
    if (reason.fixture.empty() || reason.why.empty())
      return fail(members.where() + ": a reason says of which fixture it is, and why");
    reasons.push_back(std::move(reason));
  }
  if (auto done = all.finish(); !done) return tl::unexpected(done.error());
  return reasons;
} catch (const toml::parse_error& error) {
  return fail(fmt::format("{}:{}: {}", table.string(), error.source().begin.line, error.description()));
}

bool Comparison::is_settled() const {
  return lacking.empty() && unneeded.empty() &&
         std::ranges::none_of(differences, [](const Difference& each) { return each.why.empty(); });
}

Comparison compare(const std::vector<Record>& records, const std::vector<std::string>& runs,
                   const std::vector<std::string>& fixtures, const std::vector<std::string>& known,
                   const std::vector<Reason>& reasons) {
  std::map<std::pair<std::string, std::string>, const Record*> by_name;
  for (const Record& record : records) by_name[{record.fixture, record.run}] = &record;
  Comparison comparison{runs, 0, 0, {}, {}, {}};
  std::set<std::string> graded;
  std::set<const Reason*> needed;
  for (const std::string& fixture : fixtures) {
    Row row;
    for (const std::string& run : runs) {
      const auto record = by_name.find({fixture, run});
      if (record != by_name.end()) row.push_back(record->second);
    }
    if (row.size() < runs.size()) {
      comparison.lacking.push_back(fixture);
      continue;
    }
    graded.insert(fixture);
    ++comparison.fixtures;
    for (Difference& difference : differences_of(row, comparison.checks)) {
      for (const Reason& reason : reasons) {
        if (!is_about(reason, runs, difference)) continue;
        needed.insert(&reason);
        if (difference.why.empty()) difference.why = reason.why;
      }
      comparison.differences.push_back(std::move(difference));
    }
  }
  for (const Reason& reason : reasons) {
    if (reason.chance) continue;
    const bool all_graded = std::ranges::all_of(known, [&](const std::string& fixture) {
      return !matches(reason.fixture, fixture) || graded.contains(fixture);
    });
    if (!needed.contains(&reason) && all_graded) comparison.unneeded.push_back(reason);
  }
  return comparison;
}

std::string to_text(const Comparison& comparison) {
  std::string text;
  std::size_t with_reason = 0;
  for (const Difference& each : comparison.differences) {
    text += fmt::format("{} {}: another {}\n", each.fixture, each.check, each.in);
    for (std::size_t i = 0; i < each.told.size(); ++i) {
      text += fmt::format("    {:<10} {}\n", comparison.runs[i], each.told[i].text());
      if (each.why.empty() && !each.told[i].message.empty())
        text += fmt::format("    {:<10}   {}\n", "", each.told[i].message);
    }
    if (!each.why.empty()) text += fmt::format("    reason     {}\n", each.why);
    with_reason += each.why.empty() ? 0 : 1;
  }
  for (const Reason& reason : comparison.unneeded)
    text += fmt::format("no difference needs the reason of {} {}: {}\n", reason.fixture, reason.check,
                        reason.why);
  if (!comparison.lacking.empty())
    text += fmt::format("not graded in every run: {} ({})\n", comparison.lacking.size(),
                        fmt::join(comparison.lacking, ", "));
  return text + fmt::format("{} fixtures, {} checks in {}: {} differences, {} of them without a reason\n",
                            comparison.fixtures, comparison.checks, fmt::join(comparison.runs, ", "),
                            comparison.differences.size(), comparison.differences.size() - with_reason);
}

}  // namespace warpmark::engines

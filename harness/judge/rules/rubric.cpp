#include "harness/judge/rules/rubric.h"

#include <algorithm>

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/rubric_reader.h"

namespace warpmark::judge {

bool VersionRule::has(Check check) const {
  return std::find(checks.begin(), checks.end(), check) != checks.end();
}

Worth VersionRule::worth(Check check) const {
  const auto of = [&](const std::map<Check, double>& all) {
    const auto found = all.find(check);
    return found == all.end() ? 0 : found->second;
  };
  return {of(points), of(bonus)};
}

double VersionRule::required_speed() const {
  double speed = 0;
  for (const SpeedStep& step : steps) {
    if (!step.bonus) speed = step.at_least;
  }
  return speed;
}

std::string VersionRule::file() const {
  if (!sources.empty()) return sources.front();
  return name + (host ? ".cpp" : ".cu");
}

const char* VersionRule::baseline() const {
  if (speed_unit == SpeedUnit::reference) return "course's solution";
  if (!sources.empty()) return "naive program";
  return host ? "sequential version" : "naive kernel";
}

bool Rubric::Clean::fails(CauseKind remark) const {
  const auto names = [&](const std::vector<CauseKind>& kinds) {
    return std::find(kinds.begin(), kinds.end(), remark) != kinds.end();
  };
  if (names(lower) || names(raise)) return names(raise);
  return rule_of(remark).severity == Severity::error;
}

const VersionRule* Rubric::find(const std::string& version) const {
  const auto found =
      std::find_if(versions.begin(), versions.end(), [&](const VersionRule& v) { return v.name == version; });
  return found == versions.end() ? nullptr : &*found;
}

std::string Rubric::file_of(const std::string& function) const {
  const VersionRule* version = find(function);
  return version != nullptr ? version->file() : function + ".cu";
}

bool Rubric::has_host_versions() const {
  return std::ranges::any_of(versions, &VersionRule::host);
}

bool Rubric::has_ranks() const {
  return std::ranges::any_of(versions, [](const VersionRule& version) { return !version.ranks.empty(); });
}

bool Rubric::has_device_versions() const {
  return !std::ranges::all_of(versions, &VersionRule::host);
}

Rubric with_types(Rubric rubric, std::vector<std::string> types) {
  rubric.types = std::move(types);
  if (std::ranges::find(rubric.types, rubric.fast.type) == rubric.types.end())
    rubric.fast.type = rubric.types.front();
  return rubric;
}

Result<Rubric> parse_rubric(std::string_view text, const std::string& file, const std::string& assignment) {
  return parse_toml<Rubric>(text, file, [&](TomlTable top) {
    return read_tables(std::move(top), assignment, {}, WorkLimits::required);
  });
}

Result<Rubric> read_rubric(const AssignmentHome& home, const std::filesystem::path& other,
                           WorkLimits limits) {
  const std::filesystem::path& file = other.empty() ? home.rules() : other;
  auto rubric = read_toml<Rubric>(
      file, [&](TomlTable top) { return read_tables(std::move(top), home.name, home.rules(), limits); });
  if (rubric) rubric->home = home;
  return rubric;
}

}  // namespace warpmark::judge

#include "harness/judge/rules/rubric.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/engine.h"
#include "harness/build/not_simulated.h"
#include "harness/judge/rules/toml_table.h"
#include "harness/ranks/board.h"

namespace warpmark::judge {
namespace {

std::vector<Check> read_checks(Table& table, const std::string& version) {
  std::vector<Check> checks;
  for (const std::string& name : table.texts("checks")) {
    const auto check = version_check_from(name);
    if (!check) {
      table.refuse(
          fmt::format("{}: no check is called \"{}\"; known: {}", version, name, known_version_checks()));
    }
    if (std::find(checks.begin(), checks.end(), *check) != checks.end()) {
      table.refuse(fmt::format("{}: the check \"{}\" stands there twice", version, name));
    }
    checks.push_back(*check);
  }
  if (checks.empty() || checks.front() != Check::builds) {
    table.refuse(
        fmt::format("{}: checks must begin with \"builds\": every other check depends on it", version));
  }
  return checks;
}

WorkLimit read_limit(Table table) {
  WorkLimit limit;
  const std::string name = table.text("counter");
  const auto counter = work_counter_from(name);
  if (!counter) {
    std::vector<std::string_view> names;
    names.reserve(kWorkCounters.size());
    for (const WorkCounterRule& rule : kWorkCounters) names.push_back(rule.name);
    table.refuse(fmt::format("no counter is called \"{}\"; known: {}", name, fmt::join(names, ", ")));
  }
  limit.counter = *counter;
  limit.at_least = table.find("at_least") != nullptr;
  if (limit.at_least == (table.find("at_most") != nullptr)) {
    table.refuse(fmt::format("{}: give one of at_most and at_least", name));
  }
  limit.limit = table.number(limit.at_least ? "at_least" : "at_most");
  limit.lesson = table.text("lesson");
  table.finish();
  return limit;
}

std::vector<WorkLimit> read_limits(Table& table) {
  std::vector<WorkLimit> limits;
  if (table.find("work") == nullptr) return limits;
  for (const toml::node& entry : table.list("work")) {
    if (!entry.is_table()) table.refuse(entry, "each [[version.work]] must be a table");
    limits.push_back(read_limit(Table(*entry.as_table(), "version.work", table.file())));
  }
  return limits;
}

// Which optional tables the rubric contains; some checks require them.
struct Given {
  bool clean = false;
  bool work = false;
  bool fast = false;
  bool host_fast = false;
};

void read_work(Table& table, VersionRule& version, bool given) {
  version.work = read_limits(table);
  if (!version.has(Check::work)) {
    if (!version.work.empty()) {
      table.refuse(fmt::format("{}: limits of work, but no check \"work\"", version.name));
    }
    return;
  }
  if (!given) table.refuse(fmt::format("{}: the check \"work\" needs a [work] table", version.name));
  if (version.work.empty()) {
    table.refuse(fmt::format("{}: the check \"work\" needs a [[version.work]]", version.name));
  }
  if (version.gpu_only) {
    table.refuse(
        fmt::format("{}: the check \"work\" runs on the simulator; remove it, or gpu_only", version.name));
  }
}

void read_engine(Table& table, VersionRule& version) {
  const std::string engine = table.text_or("engine", "gpu");
  if (engine != "gpu" && engine != "host")
    table.refuse(fmt::format("{}: engine is \"{}\", and must be \"gpu\" or \"host\"", version.name, engine));
  version.host = engine == "host";
}

// Reads the members `ranks = [1, 2, 3, 4]` and `gpus = 2`.
void read_places(Table& table, VersionRule& version) {
  if (table.find("ranks") != nullptr) {
    for (const std::uint64_t count : table.counts("ranks")) {
      if (count < 1 || count > ranks::kMostRanks)
        table.refuse(fmt::format("{}: ranks must be from 1 to {}", version.name, ranks::kMostRanks));
      version.ranks.push_back(static_cast<int>(count));
    }
    if (version.ranks.empty())
      table.refuse(fmt::format("{}: ranks must name at least one number", version.name));
  }
  const std::uint64_t gpus = table.count_or("gpus", 1);
  if (gpus < 1 || gpus > kMostDevices)
    table.refuse(fmt::format("{}: gpus must be from 1 to {}", version.name, kMostDevices));
  if (version.host && gpus != 1)
    table.refuse(
        fmt::format("{}: gpus is for versions of CUDA; remove it, or engine = \"host\"", version.name));
  version.gpus = static_cast<int>(gpus);
}

// Refuses members that apply to CUDA versions only.
void refuse_what_host_has_not(Table& table, const VersionRule& version) {
  if (!version.host) return;
  if (version.gpu_only || !version.uses.empty() || !version.libraries.empty()) {
    table.refuse(
        fmt::format("{}: gpu_only, uses and libraries are for versions of CUDA; remove them, or "
                    "engine = \"host\"",
                    version.name));
  }
  if (version.has(Check::work)) {
    table.refuse(fmt::format("{}: the check \"work\" counts what kernels do; remove it, or engine = \"host\"",
                             version.name));
  }
}

void read_speed(Table& table, VersionRule& version, const Given& given) {
  if (!version.has(Check::fast)) return;
  if (version.host) {
    if (!given.host_fast)
      table.refuse(
          fmt::format("{}: the check \"fast\" of a host version needs a [host] table with naive, type "
                      "and size",
                      version.name));
    version.efficiency = table.number("efficiency");
    if (version.efficiency <= 0 || version.efficiency > 1)
      table.refuse(
          fmt::format("{}: efficiency must be above 0 and at most 1: a speedup for each core", version.name));
    return;
  }
  if (!given.fast)
    table.refuse(
        fmt::format("{}: the check \"fast\" needs a [fast] table and a naive version", version.name));
  version.speedup = table.number("speedup");
  if (version.speedup <= 0) table.refuse(fmt::format("{}: speedup must be above 0", version.name));
}

VersionRule read_version(Table table, const std::map<std::string, double>& default_points,
                         const Given& given) {
  VersionRule version;
  version.name = table.text("name");
  read_engine(table, version);
  version.given = table.flag_or("given", false);
  version.reference_only = table.flag_or("reference_only", false);
  version.gpu_only = table.flag_or("gpu_only", false);
  if (table.find("libraries") != nullptr) version.libraries = table.texts("libraries");
  if (table.find("uses") != nullptr) version.uses = table.texts("uses");
  for (const std::string& library : version.uses) {
    if (library != "thrust" && library != "cub")
      table.refuse(
          fmt::format("{}: uses names \"{}\", which is neither thrust nor cub", version.name, library));
  }
  for (const std::string& library : version.libraries) {
    const bool simulated =
        std::ranges::find(build::kSimulatedLibraries, library) != build::kSimulatedLibraries.end();
    if (!simulated && !version.gpu_only)
      table.refuse(fmt::format("{}: {} is not simulated; add gpu_only = true", version.name, library));
  }
  read_places(table, version);
  version.checks = read_checks(table, version.name);
  refuse_what_host_has_not(table, version);
  const std::map<std::string, double> none;
  auto own_table = table.table("points");
  const auto own = own_table ? own_table->points(check_names()) : none;
  for (const Check check : version.checks) {
    const std::string name(name_of(check));
    if (own.contains(name)) {
      version.points[check] = own.at(name);
    } else if (default_points.contains(name)) {
      // Students are not asked to write it, so by default it is worth no points.
      version.points[check] = version.reference_only ? 0 : default_points.at(name);
    } else {
      table.refuse(fmt::format("{}: no points for the check \"{}\"", version.name, name));
    }
  }
  if (version.has(Check::clean) && !given.clean) {
    table.refuse(fmt::format("{}: the check \"clean\" needs a [clean] table", version.name));
  }
  if (version.has(Check::clean) && version.gpu_only) {
    table.refuse(
        fmt::format("{}: the check \"clean\" runs on the simulator; remove it, or gpu_only", version.name));
  }
  read_work(table, version, given.work);
  read_speed(table, version, given);
  table.finish();
  return version;
}

// Reads kinds of remark whose default severity is `severity`, to be changed by the rubric.
std::vector<CauseKind> read_remarks(Table& table, const std::string& name, Severity severity) {
  std::vector<CauseKind> kinds;
  if (table.find(name) == nullptr) return kinds;
  for (const std::string& text : table.texts(name)) {
    const auto kind = cause_kind_from(text);
    if (!kind || !is_remark(*kind) || rule_of(*kind).severity != severity) {
      std::vector<std::string_view> names;
      for (const CauseRule& rule : kCauseRules) {
        if (is_remark(rule.kind) && rule.severity == severity) names.push_back(rule.name);
      }
      table.refuse(fmt::format("clean.{}: \"{}\" is not one of {}", name, text, fmt::join(names, ", ")));
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

Rubric read_tables(Table top, const std::string& assignment) {
  Rubric rubric;
  rubric.assignment = assignment;
  rubric.title = top.text("title");
  rubric.contract = top.text("contract");
  rubric.types = top.texts("types");
  if (rubric.types.empty()) top.refuse("types must name at least one value type");
  rubric.naive = top.text_or("naive", "");
  rubric.upload = top.text_or("upload", "");

  std::map<std::string, double> points;
  if (auto table = top.table("points")) points = table->points(check_names());
  if (auto table = top.table("correct")) {
    rubric.correct.sizes = table->counts("sizes");
    if (rubric.correct.sizes.empty()) table->refuse("correct.sizes must name at least one size");
    if (table->find("gpu_sizes") != nullptr) rubric.correct.gpu_sizes = table->counts("gpu_sizes");
    if (table->find("host_sizes") != nullptr) rubric.correct.host_sizes = table->counts("host_sizes");
    rubric.correct.secret_sizes = table->count_or("secret_sizes", 0);
    rubric.correct.secret_max = table->count_or("secret_max", 100'000);
    rubric.correct.shifted_size = table->count_or("shifted_size", 0);
    if (rubric.correct.secret_max == 0) table->refuse("correct.secret_max must be above 0");
    table->finish();
  } else {
    top.refuse("the table [correct] is missing");
  }
  if (auto table = top.table("clean")) {
    rubric.clean.sizes = table->counts("sizes");
    if (rubric.clean.sizes.empty()) table->refuse("clean.sizes must name at least one size");
    rubric.clean.large_size = table->count_or("large_size", 0);
    rubric.clean.schedules = table->count("schedules");
    if (rubric.clean.schedules == 0) table->refuse("clean.schedules must be above 0");
    rubric.clean.lower = read_remarks(*table, "lower", Severity::error);
    rubric.clean.raise = read_remarks(*table, "raise", Severity::note);
    table->finish();
  }
  if (auto table = top.table("upload_once")) {
    rubric.upload_once.size = table->count("size");
    rubric.upload_once.allowance_bytes = table->count("allowance_bytes");
    if (rubric.upload_once.size == 0) table->refuse("upload_once.size must be above 0");
    table->finish();
  }
  if (!rubric.upload.empty()) {
    if (rubric.upload_once.size == 0) top.refuse("upload is given, so the table [upload_once] is needed");
    if (!points.contains("upload_once")) top.refuse("upload is given, so points.upload_once is needed");
    rubric.upload_once.points = points["upload_once"];
  }
  const auto read_data = [&](Table& table, const std::string& name, auto& data) {
    data.type = table.text("type");
    data.size = table.count("size");
    if (data.size == 0) table.refuse(fmt::format("{}.size must be above 0", name));
    if (std::find(rubric.types.begin(), rubric.types.end(), data.type) == rubric.types.end()) {
      table.refuse(fmt::format("{}.type is \"{}\", which is not one of types", name, data.type));
    }
  };
  Given given{.clean = !rubric.clean.sizes.empty()};
  if (auto table = top.table("work")) {
    read_data(*table, "work", rubric.work);
    given.work = true;
    table->finish();
  }
  if (auto table = top.table("fast")) {
    read_data(*table, "fast", rubric.fast);
    rubric.fast.calibrate = table->flag_or("calibrate", true);
    given.fast = !rubric.naive.empty();
    table->finish();
  }
  rubric.host.contract = rubric.contract;
  if (auto table = top.table("host")) {
    rubric.host.contract = table->text_or("contract", rubric.contract);
    if (table->find("naive") != nullptr) {
      rubric.host.naive = table->text("naive");
      read_data(*table, "host", rubric.host);
      given.host_fast = true;
      rubric.host.most_cores = table->count_or("most_cores", 0);
    }
    table->finish();
  }
  if (auto table = top.table("limits")) {
    for (auto [name, limit] :
         {std::pair{"build_seconds", &rubric.limits.build}, std::pair{"call_seconds", &rubric.limits.call},
          std::pair{"submission_seconds", &rubric.limits.submission}}) {
      const auto fallback = std::chrono::duration_cast<std::chrono::seconds>(*limit).count();
      const std::uint64_t seconds = table->count_or(name, static_cast<std::uint64_t>(fallback));
      if (seconds == 0 || seconds > 3600)
        table->refuse(fmt::format("limits.{} must be from 1 to 3600", name));
      *limit = std::chrono::seconds(seconds);
    }
    table->finish();
  }
  if (auto table = top.table("late")) {
    rubric.late.percent_a_day = table->number("percent_a_day");
    if (table->find("grace_days") != nullptr) rubric.late.grace_days = table->number("grace_days");
    if (table->find("at_most_percent") != nullptr)
      rubric.late.at_most_percent = table->number("at_most_percent");
    if (rubric.late.percent_a_day > 100 || rubric.late.at_most_percent > 100)
      table->refuse("late.percent_a_day and late.at_most_percent must be from 0 to 100");
    table->finish();
  }
  if (auto table = top.table("names")) {
    rubric.takes_near_names = table->flag_or("take_near", false);
    table->finish();
  }

  for (const toml::node& entry : top.list("version")) {
    if (!entry.is_table()) top.refuse(entry, "each [[version]] must be a table");
    Table table(*entry.as_table(), "version", top.file());
    VersionRule version = read_version(table, points, given);
    if (rubric.find(version.name) != nullptr)
      top.refuse(entry, fmt::format("the version {} stands there twice", version.name));
    rubric.versions.push_back(std::move(version));
  }
  if (rubric.versions.empty()) top.refuse("there must be at least one [[version]]");
  if (const VersionRule* naive = rubric.find(rubric.host.naive);
      !rubric.host.naive.empty() && (naive == nullptr || !naive->host)) {
    top.refuse(
        fmt::format("host.naive is \"{}\", which is no version with engine = \"host\"", rubric.host.naive));
  }
  top.finish();
  return rubric;
}

}  // namespace

bool VersionRule::has(Check check) const {
  return std::find(checks.begin(), checks.end(), check) != checks.end();
}

std::string VersionRule::file() const {
  return name + (host ? ".cpp" : ".cu");
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

std::filesystem::path assignment_folder(const std::filesystem::path& root, const std::string& assignment) {
  return root / "harness" / "assignments" / assignment;
}

Rubric with_types(Rubric rubric, std::vector<std::string> types) {
  rubric.types = std::move(types);
  if (std::ranges::find(rubric.types, rubric.fast.type) == rubric.types.end())
    rubric.fast.type = rubric.types.front();
  return rubric;
}

Result<Rubric> parse_rubric(std::string_view text, const std::string& file, const std::string& assignment) {
  return parse_toml<Rubric>(text, file, [&](Table top) { return read_tables(std::move(top), assignment); });
}

Result<Rubric> read_rubric(const std::filesystem::path& file, const std::string& assignment) {
  return read_toml<Rubric>(file, [&](Table top) { return read_tables(std::move(top), assignment); });
}

}  // namespace warpmark::judge

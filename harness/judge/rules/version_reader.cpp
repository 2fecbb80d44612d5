#include "harness/judge/rules/version_reader.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/cpp_name.h"
#include "harness/base/engine.h"
#include "harness/build/not_simulated.h"
#include "harness/judge/rules/points_reader.h"
#include "harness/ranks/board.h"

namespace warpmark::judge {
namespace {

std::vector<Check> read_checks(TomlTable& table, const std::string& version) {
  std::vector<Check> checks;
  for (const std::string& name : table.texts("checks")) {
    const auto check = version_check_from(name);
    if (!check) {
      table.refuse(
          fmt::format("{}: no check is called \"{}\"; known: {}", version, name, known_version_checks()));
    }
    if (std::find(checks.begin(), checks.end(), *check) != checks.end()) {
      table.refuse(fmt::format("{}: the check \"{}\" is listed twice", version, name));
    }
    checks.push_back(*check);
  }
  if (checks.empty() || checks.front() != Check::builds) {
    table.refuse(
        fmt::format("{}: checks must begin with \"builds\": every other check depends on it", version));
  }
  return checks;
}

WorkLimit read_limit(TomlTable table) {
  WorkLimit limit;
  if (table.find("size") != nullptr)
    table.refuse(
        table.need("size"),
        "version.work.size: the work of all versions is counted at the size of [work]; remove it, and "
        "choose a size there that suits them all");
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
  limit.used = table.flag_or("used", false);
  if (limit.used && (!limit.at_least || !rule_of(limit.counter).group))
    table.refuse(table.need("used"),
                 "version.work.used: only a minimum (at_least) of shuffles_a_warp, shared_requests_a_warp, "
                 "atomics_a_thread or real_operations_a_value is asked for its use");
  table.finish();
  return limit;
}

std::vector<WorkLimit> read_limits(TomlTable& table) {
  std::vector<WorkLimit> limits;
  if (table.find("work") == nullptr) return limits;
  for (const toml::node& entry : table.list("work")) {
    if (!entry.is_table()) table.refuse(entry, "each [[version.work]] must be a table");
    limits.push_back(read_limit(TomlTable(*entry.as_table(), "version.work", table.file())));
  }
  return limits;
}

void read_work(TomlTable& table, VersionRule& version, const Defaults& defaults) {
  version.work = read_limits(table);
  if (!version.has(Check::work)) {
    if (!version.work.empty()) {
      table.refuse(fmt::format("{}: limits of work, but no check \"work\"", version.name));
    }
    return;
  }
  if (!defaults.given.work)
    table.refuse(fmt::format("{}: the check \"work\" needs a [work] table", version.name));
  if (version.work.empty() && defaults.work_limits == WorkLimits::required) {
    table.refuse(
        fmt::format("{}: the check \"work\" needs a [[version.work]]; `warpmark assignment check "
                    "FOLDER --propose` prints limits",
                    version.name));
  }
  if (version.gpu_only) {
    table.refuse(
        fmt::format("{}: the check \"work\" runs on the simulator; remove it, or gpu_only", version.name));
  }
}

void read_engine(TomlTable& table, VersionRule& version) {
  const std::string engine = table.text_or("engine", "gpu");
  if (engine != "gpu" && engine != "host")
    table.refuse(fmt::format("{}: engine is \"{}\", and must be \"gpu\" or \"host\"", version.name, engine));
  version.host = engine == "host";
}

// Reads the MPI rank counts and the number of GPUs: `ranks = [1, 2, 3, 4]`, `gpus = 2`.
void read_places(TomlTable& table, VersionRule& version) {
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

// Rejects rubric entries that make sense for CUDA code only (gpu_only, uses, libraries, `work`) in the table
// of a file that students write in plain C++.
void refuse_what_host_has_not(TomlTable& table, const VersionRule& version) {
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

// Reads the list of a program's source files, and rejects rubric keys that apply only to submitted functions.
void read_sources(TomlTable& table, VersionRule& version) {
  version.sources = table.find("sources") != nullptr ? table.texts("sources")
                                                     : std::vector<std::string>{version.name + ".cu"};
  const auto bad = std::ranges::find_if(version.sources, [](const std::string& name) {
    return name.find('/') != std::string::npos || name.starts_with('.');
  });
  if (bad != version.sources.end())
    table.refuse(fmt::format("{}: sources names \"{}\"; name files of the submission's folder itself",
                             version.name, *bad));
  if (version.sources.empty() || version.sources.front().find_first_of("*?[") != std::string::npos)
    table.refuse(
        fmt::format("{}: sources must begin with the name of a file, such as \"main.cu\"; patterns "
                    "follow it",
                    version.name));
  for (const char* name : {"engine", "gpu_only", "libraries", "uses", "ranks", "work"}) {
    if (table.find(name) != nullptr)
      table.refuse(table.need(name),
                   fmt::format("{}: {} is for versions that are functions; remove it, or kind = \"program\"",
                               version.name, name));
  }
}

void read_checks_of_program(TomlTable& table, VersionRule& version) {
  version.checks = table.find("checks") != nullptr ? read_checks(table, version.name)
                                                   : std::vector{Check::builds, Check::correct, Check::clean};
  for (const Check check : version.checks) {
    if (check == Check::work)
      table.refuse(table.need("checks"),
                   fmt::format("{}: programs have no check \"work\"; it needs functions "
                               "that are called",
                               version.name));
  }
}

}  // namespace

VersionRule read_version(TomlTable table, const Defaults& defaults, const std::vector<SizeGroup>& groups) {
  const Given& given = defaults.given;
  VersionRule version;
  version.name = table.text("name");
  if (!is_cpp_name(version.name))
    table.refuse(table.need("name"),
                 fmt::format("version.name is the name of a function and of its file: {}", kNameRule));
  if (given.program) read_sources(table, version);
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
  if (given.program) {
    read_checks_of_program(table, version);
  } else {
    version.checks = read_checks(table, version.name);
  }
  refuse_what_host_has_not(table, version);
  read_points(table, version, defaults);
  if (const toml::node* needs = table.find("needs"))
    version.needs = needs->is_array() ? table.texts("needs") : std::vector{table.text("needs")};
  if (version.has(Check::clean) && !given.clean && !given.program) {
    table.refuse(fmt::format("{}: the check \"clean\" needs a [clean] table", version.name));
  }
  if (version.has(Check::clean) && version.gpu_only) {
    table.refuse(
        fmt::format("{}: the check \"clean\" runs on the simulator; remove it, or gpu_only", version.name));
  }
  read_work(table, version, defaults);
  if (table.find("work_data") != nullptr) version.work_data = table.text("work_data");
  read_speeds(table, version, given);
  apply_weight(table, version, defaults, groups);
  if (table.find("naive_may_earn") != nullptr) {
    version.naive_may_earn = table.number("naive_may_earn");
    if (*version.naive_may_earn > 1)
      table.refuse(fmt::format("{}: naive_may_earn must be from 0 to 1: a share of the version's points",
                               version.name));
  }
  table.finish();
  return version;
}

std::vector<Equivalent> read_equivalent(TomlTable& top, const Rubric& rubric) {
  std::vector<Equivalent> all;
  if (top.find("equivalent") == nullptr) return all;
  for (const toml::node& entry : top.list("equivalent")) {
    if (!entry.is_table())
      top.refuse(entry, "each entry of equivalent must be a table: {line = \"...\", edit = \"...\"}");
    TomlTable table(*entry.as_table(), "equivalent", top.file());
    Equivalent same{table.text("line"), table.text("edit"), table.count_or("nth", 1),
                    table.text_or("version", ""), table.line()};
    if (same.nth == 0) table.refuse("equivalent.nth counts from 1");
    if (!same.version.empty() && rubric.find(same.version) == nullptr)
      table.refuse(fmt::format("equivalent.version is \"{}\", which is no [[version]]", same.version));
    table.finish();
    all.push_back(std::move(same));
  }
  return all;
}

void check_inputs_of_fast(TomlTable& top, const Rubric& rubric) {
  if (!rubric.plain || std::ranges::none_of(rubric.versions, [](const VersionRule& version) {
        return version.has(Check::fast);
      }))
    return;
  if (std::ranges::any_of(rubric.plain->buffers, &plain::BufferRule::patched)) return;
  const toml::node* fast = top.find("fast");
  top.refuse(fast != nullptr ? *fast : top.need("version"),
             "`fast` changes an input before each timed call, and there is no [[buffer]] with the role input "
             "or in_out: add one, or take `fast` out of the checks");
}

}  // namespace warpmark::judge

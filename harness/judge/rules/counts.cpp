#include "harness/judge/rules/counts.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/assignments/toml_table.h"
#include "harness/base/counters.h"

namespace warpmark::judge {
namespace {

// An amount of work: its key in counts.toml, its place, and the counters that make it up.
struct Row {
  const char* key;
  double measure::Demand::*amount;
  std::initializer_list<std::string_view> plus;
  std::string_view minus = {};
};
const Row kRows[] = {
    {"sectors", &measure::Demand::sectors, {counter::kLoadSectors, counter::kStoreSectors}},
    {"instructions", &measure::Demand::instructions, {counter::kInstructions}},
    {"wavefronts", &measure::Demand::wavefronts, {counter::kLoadWavefronts, counter::kStoreWavefronts}},
    {"atomics", &measure::Demand::atomics, {counter::kGlobalAtomics}, counter::kSameAddressAtomics},
};

double value_of(const CountedKernel& kernel, std::string_view name) {
  const auto found =
      std::ranges::find_if(kernel.counters, [&](const auto& entry) { return entry.first == name; });
  return found == kernel.counters.end() ? 0 : found->second;
}

measure::Demand demand_of(const Counted& counted) {
  measure::Demand demand;
  for (const CountedKernel& kernel : counted.kernels) {
    for (const Row& row : kRows) {
      for (const std::string_view name : row.plus) demand.*row.amount += value_of(kernel, name);
      demand.*row.amount -= value_of(kernel, row.minus);
    }
    demand.launches += static_cast<double>(kernel.launches);
  }
  return demand;
}

ReferenceCounts read_top(TomlTable top) {
  ReferenceCounts counts;
  counts.type = top.text("type");
  for (const toml::node& entry : top.list("version")) {
    if (!entry.is_table()) top.refuse(entry, "each [[version]] must be a table");
    TomlTable table(*entry.as_table(), "version", top.file());
    CountedVersion& version = counts.versions[table.text("name")];
    version.n = table.count("n");
    for (const Row& row : kRows) version.demand.*row.amount = table.number(row.key);
    version.demand.launches = table.number("launches");
    if (version.n == 0 || version.demand.launches == 0) table.refuse("n and launches must be above 0");
    table.finish();
  }
  top.finish();
  return counts;
}

}  // namespace

std::filesystem::path counts_file(const AssignmentHome& home) {
  return home.folder / "thresholds" / "counts.toml";
}

ReferenceCounts counts_from(const Grade& grade, const Rubric& rubric) {
  ReferenceCounts counts{rubric.fast.type, {}};
  for (const Counted& counted : grade.counters) {
    const VersionRule* rule = rubric.find(counted.version);
    if (rule == nullptr || !rule->has(Check::fast) || !rule->uses.empty() || !rule->libraries.empty())
      continue;
    if (counted.type == counts.type && counted.n > 0 && !counted.kernels.empty())
      counts.versions[counted.version] = {counted.n, demand_of(counted)};
  }
  return counts;
}

std::string to_toml(const ReferenceCounts& counts) {
  std::string text = fmt::format(
      "# Written by `warpmark calibrate --counts`: the reference's work in one call for n elements, as the "
      "simulator\n"
      "# counted it. On a GPU model that has no thresholds/<GPU>.toml, `fast` predicts the required speedups "
      "from it.\n"
      "type = \"{}\"\n",
      counts.type);
  for (const auto& [name, version] : counts.versions) {
    text += fmt::format("\n[[version]]\nname = \"{}\"\nn = {}\n", name, version.n);
    for (const Row& row : kRows) text += fmt::format("{} = {:.0f}\n", row.key, version.demand.*row.amount);
    text += fmt::format("launches = {:.0f}\n", version.demand.launches);
  }
  return text;
}

Result<std::optional<ReferenceCounts>> counts_of(const AssignmentHome& home) {
  const auto file = counts_file(home);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::nullopt;
  auto counts = read_toml<ReferenceCounts>(file, read_top);
  if (counts) return std::move(*counts);
  return fail(counts.error().message +
              "; repair the file, or write it anew with `warpmark calibrate --counts`");
}

}  // namespace warpmark::judge

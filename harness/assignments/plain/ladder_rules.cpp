#include "harness/assignments/plain/ladder_rules.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "harness/assignments/plain/fields.h"

namespace warpmark::plain {

void read_ladder(TomlTable& top, Spec& spec) {
  auto ladder = top.table("ladder");
  if (!ladder) return;
  for (const std::string& size : spec.sizes) {
    if (ladder->find(size) == nullptr) continue;
    auto parsed = Expression::parse(ladder->text(size));
    if (!parsed) ladder->refuse(fmt::format("ladder.{}: {}", size, parsed.error().message));
    if (parsed->names() != std::set<std::string>{"n"} && !parsed->names().empty())
      ladder->refuse(fmt::format("ladder.{} must be an expression of n, the number of values", size));
    spec.ladder_sizes.push_back(std::move(*parsed));
  }
  if (!spec.ladder_sizes.empty() && spec.ladder_sizes.size() != spec.sizes.size())
    ladder->refuse("ladder must give an expression for each size, or for none");
  if (ladder->find("bytes") != nullptr) spec.ladder_bytes = read_expression(spec, *ladder, "bytes");
  if (ladder->find("operations") != nullptr)
    spec.ladder_operations = read_expression(spec, *ladder, "operations");
  spec.ladder_doubles = ladder->flag_or("doubles", false);
  spec.ladder.from = static_cast<unsigned>(ladder->count_or("from", spec.ladder.from));
  spec.ladder.to = static_cast<unsigned>(ladder->count_or("to", spec.ladder.to));
  if (spec.ladder.from > spec.ladder.to || spec.ladder.to > 40)
    ladder->refuse("ladder.from and ladder.to are powers of two, from at most to and to at most 40");
  ladder->finish();
}

void read_cpu(TomlTable& top, Spec& spec) {
  if (top.find("cpu") == nullptr) return;
  for (const toml::node& entry : top.list("cpu")) {
    if (!entry.is_table()) top.refuse(entry, "each [[cpu]] must be a table");
    TomlTable table(*entry.as_table(), "cpu", top.file());
    CpuBaseline baseline;
    baseline.name = table.text("name");
    baseline.file = table.text("file");
    baseline.function = table.text_or("function", baseline.name);
    baseline.threads = table.flag_or("threads", false);
    if (std::filesystem::path(baseline.file).extension() != ".cpp" ||
        baseline.file.find('/') != std::string::npos)
      table.refuse(table.need("file"), fmt::format("cpu.file is \"{}\", and must be a .cpp file in the "
                                                   "assignment's folder, without a path",
                                                   baseline.file));
    if (std::ranges::find(spec.cpu, baseline.name, &CpuBaseline::name) != spec.cpu.end())
      table.refuse(table.need("name"), fmt::format("the baseline {} is listed twice", baseline.name));
    table.finish();
    spec.cpu.push_back(std::move(baseline));
  }
}

}  // namespace warpmark::plain

#include "harness/judge/rules/program_rules.h"

#include <fmt/format.h>

namespace warpmark::judge {

void read_clean_of_program(TomlTable& table, Rubric& rubric) {
  rubric.clean.schedules = table.count_or("schedules", rubric.clean.schedules);
  if (table.find("cases") != nullptr) rubric.clean.cases = table.texts("cases");
  for (const std::string& name : rubric.clean.cases) {
    if (rubric.program->find(name) == nullptr)
      table.refuse(table.need("cases"),
                   fmt::format("clean.cases names \"{}\", which is no [[case]]; there are: {}", name,
                               rubric.program->names()));
  }
}

void read_fast_of_program(TomlTable& table, Rubric& rubric) {
  rubric.fast.test = table.text("case");
  const program::Case* one = rubric.program->find(rubric.fast.test);
  if (one == nullptr)
    table.refuse(table.need("case"),
                 fmt::format("fast.case names \"{}\", which is no [[case]]; there are: {}", rubric.fast.test,
                             rubric.program->names()));
  if (one->secret)
    table.refuse(
        table.need("case"),
        fmt::format("fast.case names {}, which is secret, so that handouts lack it; name another case",
                    one->name));
  table.finish();
}

void take_naive_program(TomlTable& top, Rubric& rubric) {
  const VersionRule* naive = rubric.find(rubric.naive);
  if (naive == nullptr)
    top.refuse(top.need("naive"),
               fmt::format("naive is \"{}\", which is no [[version]]; name one", rubric.naive));
  rubric.fast.naive_sources = naive->sources;
}

}  // namespace warpmark::judge

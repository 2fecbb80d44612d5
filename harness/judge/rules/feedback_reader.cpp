#include "harness/judge/rules/feedback_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/moments.h"
#include "harness/judge/rules/check.h"

namespace warpmark::judge {
namespace {

// Reads shows, until and attempts; a check's table inherits until and attempts.
HelpRule read_rule(TomlTable& table, HelpRule rule) {
  const std::string shows = table.text("shows");
  const auto stage = value_named<Shown>(shows);
  if (!stage)
    table.refuse(*table.find("shows"), fmt::format("{} is \"{}\"; use one of {}", table.full("shows"), shows,
                                                   fmt::join(names_of(Shown{}), ", ")));
  rule.shows = *stage;
  if (const toml::node* node = table.find("until")) {
    rule.until_text = table.text("until");
    rule.until = moment_of(rule.until_text);
    if (!rule.until)
      table.refuse(*node,
                   fmt::format("{} is \"{}\"; write date, time and zone: \"2026-12-01T23:59:00+01:00\"",
                               table.full("until"), rule.until_text));
  }
  if (const toml::node* node = table.find("attempts")) {
    rule.attempts = table.count("attempts");
    if (rule.attempts < 2)
      table.refuse(*node, fmt::format("{} is {}; use 2 or more: from this attempt on everything is shown",
                                      table.full("attempts"), rule.attempts));
  }
  return rule;
}

}  // namespace

HelpRules read_feedback(TomlTable& table) {
  HelpRules rules;
  rules.given = true;
  rules.all = read_rule(table, {});
  for (const std::string_view name : check_names()) {
    const std::string check(name);
    auto own = table.table(check);
    if (!own) continue;
    if (check == name_of(Check::builds))
      own->refuse(fmt::format("{} cannot be staged: what the compiler says is always shown; remove the table",
                              table.full(check)));
    rules.by_check[check] = read_rule(*own, rules.all);
    own->finish();
  }
  table.finish();
  return rules;
}

}  // namespace warpmark::judge

#include "tests/engines/without_fast.h"

#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace warpmark::engines {

Result<std::string> without_fast(const std::string& rubric) try {
  toml::table all = toml::parse(rubric);
  if (toml::array* versions = all["version"].as_array()) {
    for (toml::node& node : *versions) {
      toml::table& version = *node.as_table();
      toml::array kept;
      for (const toml::node& check : *version["checks"].as_array()) {
        if (check.value_or(std::string()) != "fast") kept.push_back(check.value_or(std::string()));
      }
      version.insert_or_assign("checks", std::move(kept));
      // What a version requires of speed, and its points for that, have no check any more.
      for (const char* member : {"speedup", "of_reference", "efficiency", "steps", "bonus"})
        version.erase(member);
      if (toml::table* points = version["points"].as_table()) points->erase("fast");
    }
  }
  std::ostringstream text;
  text << all;
  return text.str();
} catch (const toml::parse_error& error) {
  return fail(fmt::format("the rubric: {}", error.description()));
}

}  // namespace warpmark::engines

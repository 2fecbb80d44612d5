#include "tests/engines/choice.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include <fmt/format.h>

#include "tests/engines/differences.h"

namespace warpmark::engines {

bool read_shard(const std::string& text, Choice& choice) {
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%u/%u%c", &choice.part, &choice.parts, &rest);
  return read == 2 && choice.part >= 1 && choice.part <= choice.parts;
}

std::vector<const Fixture*> chosen(const std::vector<Fixture>& all, const Choice& choice) {
  std::vector<const Fixture*> some;
  for (const Fixture& each : all) {
    const bool of_corpus =
        choice.corpora.empty() || std::ranges::find(choice.corpora, each.corpus) != choice.corpora.end();
    if (of_corpus && (matches(choice.only, each.name) || matches(choice.only, each.id())))
      some.push_back(&each);
  }
  std::vector<const Fixture*> part;
  for (std::size_t i = choice.part - 1; i < some.size(); i += choice.parts) part.push_back(some[i]);
  return part;
}

std::vector<std::string> runs_of(const std::string& engines) {
  std::vector<std::string> runs;
  std::istringstream names(engines);
  for (std::string engine; std::getline(names, engine, ',');) {
    const auto before = std::ranges::count_if(
        runs, [&](const std::string& run) { return run == engine || run.starts_with(engine + "."); });
    runs.push_back(before == 0 ? engine : fmt::format("{}.{}", engine, before + 1));
  }
  return runs;
}

}  // namespace warpmark::engines

#include <algorithm>
#include <iterator>

#include "tests/engines/fixture.h"
#include "tests/hostile/graded.h"
#include "tests/mistakes/graded.h"
#include "tests/pictures/drawn.h"
#include "tests/submissions/fixture.h"

namespace warpmark::engines {
namespace {

// Adds a corpus, of which `name` returns an entry's corpus and name.
template <class Entries, class Name>
Result<void> add(std::vector<Fixture>& all, const Entries& entries, Name name) {
  if (!entries) return tl::unexpected(entries.error());
  for (const auto& entry : *entries) {
    auto [corpus, own] = name(entry);
    all.push_back(
        {corpus, own, [entry](const std::filesystem::path& scratch) { return prepared(entry, scratch); }});
  }
  return {};
}

}  // namespace

Result<std::vector<Fixture>> all_fixtures() {
  using Name = std::pair<std::string, std::string>;
  std::vector<Fixture> all;
  for (const auto& added :
       {add(all, mistakes::read_mistakes(WARPMARK_MISTAKES),
            [](const mistakes::Mistake& each) { return Name(each.right ? "odd" : "mistakes", each.name); }),
        add(all, hostile::read_tricks(WARPMARK_TRICKS),
            [](const hostile::Trick& each) {
              return Name(each.honest() ? "honest" : "hostile", each.full_name());
            }),
        add(all, submissions::read_fixtures(WARPMARK_CASES),
            [](const submissions::Fixture& each) { return Name("submissions", each.name); }),
        add(all, pictures::read_cases(WARPMARK_PICTURES),
            [](const pictures::Drawn& each) { return Name("pictures", each.name); })}) {
    if (!added) return tl::unexpected(added.error());
  }
  return all;
}

}  // namespace warpmark::engines

#include "harness/judge/intake/near_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace warpmark::judge {
namespace {

constexpr std::array<std::string_view, 2> kEndings{".cu", ".cpp"};
constexpr std::size_t kLongest = 100;  // longer file names, in bytes, are not checked for misspelling

std::string lower(std::string_view text) {
  std::string all(text);
  std::ranges::transform(all, all.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return all;
}

bool take_ending(std::string& name, std::string_view ending) {
  if (!name.ends_with(ending)) return false;
  name.resize(name.size() - ending.size());
  return true;
}

// Removes the suffix of a duplicated file: "(1)", "-2", " copy".
void take_copy_mark(std::string& stem) {
  const auto take_digits = [&](std::string text) {
    while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
    return text;
  };
  if (take_ending(stem, " copy") || take_ending(stem, " - copy")) return;
  if (stem.ends_with(')')) {
    std::string rest = take_digits(stem.substr(0, stem.size() - 1));
    if (take_ending(rest, "(")) stem = rest.substr(0, rest.find_last_not_of(' ') + 1);
  } else if (std::string rest = take_digits(stem); rest != stem && take_ending(rest, "-")) {
    stem = rest;
  }
}

// Returns a source file's name in lower case without extension and without suffixes that editors and browsers
// add; empty for other files.
std::string stem_of(const std::string& name) {
  std::string stem = lower(name);
  take_ending(stem, ".txt");
  if (!std::ranges::any_of(kEndings, [&](std::string_view ending) { return take_ending(stem, ending); }))
    return {};
  take_copy_mark(stem);
  return stem;
}

// Returns true if at most one edit turns a into b: a letter replaced, added or removed, or two neighbours
// swapped.
bool is_near(std::string_view a, std::string_view b) {
  const std::size_t same =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  a.remove_prefix(same);
  b.remove_prefix(same);
  if (a.empty() || b.empty()) return a.size() + b.size() <= 1;
  const bool swapped =
      a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0] && a.substr(2) == b.substr(2);
  return swapped || a.substr(1) == b.substr(1) || a.substr(1) == b || a == b.substr(1);
}

}  // namespace

std::optional<std::string> near_name(const std::string& name, const std::set<std::string>& wanted) {
  if (name.size() > kLongest || wanted.contains(name)) return std::nullopt;
  const std::string stem = stem_of(name);
  if (stem.empty()) return std::nullopt;
  std::optional<std::string> found;
  for (const std::string& each : wanted) {
    const std::string other = stem_of(each);
    if (stem == other) return each;
    if (!is_near(stem, other)) continue;
    if (found) return std::nullopt;
    found = each;
  }
  return found;
}

}  // namespace warpmark::judge

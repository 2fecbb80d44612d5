#include "harness/build/first_includes.h"

#include <algorithm>
#include <optional>

#include "harness/base/text.h"

namespace warpmark::build {

namespace {

// Removes the prefix and surrounding blanks from the text; returns false if the text does not start with the
// prefix.
bool take(std::string_view& text, std::string_view prefix) {
  text = trimmed(text);
  if (!text.starts_with(prefix)) return false;
  text = trimmed(text.substr(prefix.size()));
  return true;
}

bool is_comment_or_nothing(std::string_view text) {
  return (text.empty() || text.starts_with("//")) && !text.ends_with('\\');
}

// Returns the name in a line `#include <name>` that has at most a one-line comment after it; nullopt for
// other lines.
std::optional<std::string> included(std::string_view line) {
  if (!take(line, "#") || !take(line, "include") || !line.starts_with('<')) return std::nullopt;
  const std::size_t end = line.find('>');
  if (end == std::string_view::npos || !is_comment_or_nothing(trimmed(line.substr(end + 1))))
    return std::nullopt;
  const std::string name(line.substr(1, end - 1));
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+-";
  const bool plain = !name.empty() && name.find_first_not_of(kPlain) == std::string::npos &&
                     !name.starts_with('/') && !name.starts_with('-') && name.find("..") == std::string::npos;
  return plain ? std::optional(name) : std::nullopt;
}

}  // namespace

std::vector<std::string> first_includes(std::string_view source) {
  std::vector<std::string> names;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    const std::string_view line = trimmed(source.substr(0, end));
    if (line.starts_with("/*")) {
      const std::size_t start = source.find("/*");
      const std::size_t close = source.find("*/", start + 2);
      if (close == std::string_view::npos) break;
      source.remove_prefix(close + 2);
      continue;
    }
    source.remove_prefix(std::min(end + 1, source.size()));
    if (is_comment_or_nothing(line)) continue;
    std::optional<std::string> name = included(line);
    if (!name) break;
    names.push_back(std::move(*name));
  }
  return names;
}

}  // namespace warpmark::build

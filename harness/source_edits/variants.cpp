#include "harness/source_edits/variants.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"

namespace warpmark::source_edits {
namespace {

constexpr std::string_view kVariant = "variant";

bool is_include(std::string_view line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return false;
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  return word != std::string_view::npos && line.substr(word).starts_with("include");
}

// The #include lines of a file, and its other lines with empty ones in place of those.
struct Parts {
  std::string includes;
  std::string rest;
};

Parts parts_of(std::string_view text) {
  Parts parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (is_include(line))
      parts.includes += fmt::format("{}\n", line);
    else
      parts.rest += line;
    parts.rest += '\n';
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::string variant_function(std::string_view function, std::size_t number) {
  return fmt::format("{}_{}{}", function, kVariant, number);
}

std::string source_of_variants(std::string_view text, std::span<const Repair> repairs,
                               std::span<const std::size_t> numbers, std::string_view function) {
  std::string source = parts_of(text).includes;
  for (const std::size_t number : numbers) {
    const std::string name = variant_function(function, number);
    source += fmt::format(
        "namespace {0}{1} {{\nextern \"C\" decltype(::{2}) {3};\n#define {2} {3}\n#line 1 \"{0}{1}\"\n{4}\n"
        "#undef {2}\n}}\n",
        kVariant, number, function, name, parts_of(changed_by(text, repairs[number].edit)).rest);
  }
  return source;
}

std::vector<std::size_t> variants_named_in(std::string_view messages) {
  std::set<std::size_t> numbers;
  for (std::size_t at = messages.find(kVariant); at != std::string_view::npos;
       at = messages.find(kVariant, at + 1)) {
    std::size_t number = 0;
    std::size_t end = at + kVariant.size();
    const std::size_t begin = end;
    for (; end < messages.size() && std::isdigit(static_cast<unsigned char>(messages[end])) != 0; ++end)
      number = 10 * number + static_cast<std::size_t>(messages[end] - '0');
    if (end > begin && end < messages.size() && messages[end] == ':') numbers.insert(number);
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace warpmark::source_edits

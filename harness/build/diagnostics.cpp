#include "harness/build/diagnostics.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/build/source_text.h"

namespace warpmark::build {

namespace {

constexpr std::size_t kLongestLine = 300;

// Parses "file:12" or "file:12:3".
std::optional<SourcePlace> colon_place(std::string_view text) {
  const std::size_t last = text.rfind(':');
  if (last == kNone) return std::nullopt;
  const std::optional<int> last_number = number_in<int>(text.substr(last + 1));
  if (!last_number) return std::nullopt;
  const std::string_view before = text.substr(0, last);
  const std::size_t previous = before.rfind(':');
  if (previous != kNone) {
    if (const std::optional<int> line = number_in<int>(before.substr(previous + 1))) {
      return SourcePlace{std::string(before.substr(0, previous)), *line};
    }
  }
  return SourcePlace{std::string(before), *last_number};
}

// Parses "file(12)".
std::optional<SourcePlace> parenthesis_place(std::string_view text) {
  if (!text.ends_with(')')) return std::nullopt;
  const std::size_t open = text.rfind('(');
  if (open == kNone || open == 0) return std::nullopt;
  const std::optional<int> line = number_in<int>(text.substr(open + 1, text.size() - open - 2));
  if (!line) return std::nullopt;
  return SourcePlace{std::string(text.substr(0, open)), *line};
}

std::optional<Diagnostic> gnu_error(std::string_view line) {
  for (const std::string_view mark : {": error: ", ": fatal error: "}) {
    const std::size_t at = line.find(mark);
    if (at == kNone) continue;
    Diagnostic diagnostic{std::string(line.substr(at + mark.size())), {}, {}};
    if (std::optional<SourcePlace> place = colon_place(line.substr(0, at)))
      diagnostic.places.push_back(std::move(*place));
    return diagnostic;
  }
  return std::nullopt;
}

// Parses EDG's forms "file(12): error: text", "file(12): error #20-D: text", "file(12): catastrophic error:
// text".
std::optional<Diagnostic> edg_error(std::string_view line) {
  for (const std::string_view mark : {"): error", "): catastrophic error"}) {
    const std::size_t at = line.find(mark);
    if (at == kNone) continue;
    const std::size_t colon = line.find(": ", at + mark.size());
    std::optional<SourcePlace> place = parenthesis_place(line.substr(0, at + 1));
    if (colon == kNone || !place) continue;
    return Diagnostic{std::string(line.substr(colon + 2)), {std::move(*place)}, {}};
  }
  return std::nullopt;
}

// Parses "ptxas /tmp/x.ptx, line 12; error   : text" and "nvcc fatal   : text". The line number is dropped,
// because it refers to an intermediate file.
std::optional<Diagnostic> tool_error(std::string_view line) {
  constexpr std::array<std::string_view, 5> kTools{"ptxas", "nvlink", "nvcc", "fatbinary", "cudafe++"};
  if (std::ranges::none_of(kTools, [&](std::string_view tool) { return line.starts_with(tool); }))
    return std::nullopt;
  for (const std::string_view word : {"error", "fatal"}) {
    const std::size_t at = line.find(word);
    if (at == kNone) continue;
    const std::size_t colon = line.find_first_not_of(' ', at + word.size());
    if (colon == kNone || line[colon] != ':') continue;
    return Diagnostic{std::string(trimmed(line.substr(colon + 1))), {}, {}};
  }
  return std::nullopt;
}

std::optional<SourcePlace> linker_place(std::string_view prefix) {
  // Removes the linker's name, which may precede the file name in an error message: "/usr/bin/ld: file:12".
  const std::size_t name = prefix.find("ld: ");
  if (name != kNone) prefix.remove_prefix(name + 4);
  return colon_place(trimmed(prefix));
}

std::optional<Diagnostic> linker_error(std::string_view line) {
  for (const std::string_view mark :
       {"undefined reference to ", "undefined symbol: ", "multiple definition of "}) {
    const std::size_t at = line.find(mark);
    if (at == kNone) continue;
    std::string_view symbol = line.substr(at + mark.size());
    if (symbol.starts_with('`')) symbol = symbol.substr(1, symbol.rfind('\'') - 1);
    Diagnostic diagnostic{std::string(line.substr(at)), {}, {}};
    if (!mark.starts_with("multiple")) diagnostic.undefined_symbol = symbol;
    const std::size_t end = line.rfind(':', at);
    if (std::optional<SourcePlace> place = linker_place(line.substr(0, end == kNone ? 0 : end))) {
      diagnostic.places.push_back(std::move(*place));
    }
    return diagnostic;
  }
  return std::nullopt;
}

std::optional<Diagnostic> error_of(std::string_view line) {
  // Tries gnu_error (g++, clang) last, because its pattern also matches the output of lld and EDG (nvcc's
  // front end).
  for (const auto parse : {linker_error, edg_error, tool_error, gnu_error}) {
    if (std::optional<Diagnostic> diagnostic = parse(line)) return diagnostic;
  }
  return std::nullopt;
}

// Parses "In file included from a.cu:2:" and g++'s continuation lines, "                 from a.cu:2,".
std::optional<SourcePlace> include_place(std::string_view line) {
  line = trimmed(line);
  for (const std::string_view mark : {"In file included from ", "from "}) {
    if (!line.starts_with(mark) || (!line.ends_with(':') && !line.ends_with(','))) continue;
    return colon_place(line.substr(mark.size(), line.size() - mark.size() - 1));
  }
  return std::nullopt;
}

// Parses "a.cu:3:34: note: ...", g++'s "a.cu:3:34:   required from here", EDG's "... at line 3 of a.cu" and
// lld's ">>> referenced by a.cu:3".
std::optional<SourcePlace> note_place(std::string_view line) {
  for (const std::string_view mark : {": note: ", ":   required from", ": required from"}) {
    const std::size_t at = line.find(mark);
    if (at != kNone) return colon_place(line.substr(0, at));
  }
  constexpr std::string_view kReferenced = ">>> referenced by ";
  if (line.starts_with(kReferenced)) return colon_place(line.substr(kReferenced.size()));
  constexpr std::string_view kAtLine = " at line ";
  const std::size_t at = line.rfind(kAtLine);
  if (at == kNone) return std::nullopt;
  const std::string_view rest = line.substr(at + kAtLine.size());
  const std::size_t of = rest.find(" of ");
  if (of == kNone) return std::nullopt;
  std::string_view file = trimmed(rest.substr(of + 4));
  if (file.size() > 1 && file.starts_with('"') && file.ends_with('"')) file = file.substr(1, file.size() - 2);
  const std::optional<int> line_number = number_in<int>(rest.substr(0, of));
  if (!line_number || file.empty()) return std::nullopt;
  return SourcePlace{std::string(file), *line_number};
}

void add(std::vector<SourcePlace>& places, SourcePlace place) {
  if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
}

bool says_nothing(const Diagnostic& diagnostic) {
  return diagnostic.message.starts_with("linker command failed") ||
         diagnostic.message.starts_with("ld returned");
}

// Returns the chain of #include locations that precedes an error. clang lists the outermost first, once for
// several errors; g++ the innermost first.
std::vector<SourcePlace> includes_before(const std::vector<std::string>& lines, std::size_t error) {
  std::vector<SourcePlace> chain;
  bool inside = false;
  for (std::size_t i = 0; i < error; ++i) {
    std::optional<SourcePlace> place = include_place(lines[i]);
    if (!place) {
      inside = false;
      continue;
    }
    if (!inside) chain.clear();
    inside = true;
    chain.push_back(std::move(*place));
  }
  return chain;
}

}  // namespace

std::optional<Diagnostic> first_error(std::string_view output) {
  const std::vector<std::string> lines = lines_of(output);
  std::optional<Diagnostic> last_resort;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::optional<Diagnostic> found = error_of(lines[i]);
    if (!found) continue;
    if (says_nothing(*found)) {
      last_resort = std::move(found);
      continue;
    }
    for (std::size_t next = i + 1; next < lines.size() && !error_of(lines[next]); ++next) {
      if (std::optional<SourcePlace> place = note_place(lines[next])) add(found->places, std::move(*place));
    }
    // Ignores the include chain before an error without a location, which belongs to another diagnostic.
    if (!found->places.empty()) {
      for (SourcePlace& place : includes_before(lines, i)) add(found->places, std::move(place));
    }
    return found;
  }
  return last_resort;
}

std::string shown_warnings(std::string_view output) {
  constexpr std::string_view kMark = ": warning: ";
  constexpr std::string_view kRemoved = "removed in CUDA 13";
  std::string shown;
  for (const std::string& line : lines_of(output)) {
    const std::size_t mark = line.find(kMark);
    if (mark == kNone || (line.find(kRemoved) == kNone && line.find("[-Wreturn-type]") == kNone)) continue;
    const std::optional<SourcePlace> place = colon_place(std::string_view(line).substr(0, mark));
    if (!place) continue;
    const std::string_view what = std::string_view(line).substr(mark + kMark.size());
    const std::string told =
        fmt::format("{}:{}: {}\n", place->file, place->line, what.substr(0, what.rfind(" [-W")));
    if (shown.find(told) == kNone) shown += told;
  }
  return shown;
}

std::string first_lines(std::string_view text, std::size_t lines) {
  const std::vector<std::string> all = lines_of(text);
  std::string kept;
  for (std::size_t i = 0; i < std::min(lines, all.size()); ++i) {
    kept += all[i].substr(0, kLongestLine);
    kept += all[i].size() > kLongestLine ? "...\n" : "\n";
  }
  if (all.size() > lines) kept += fmt::format("({} more lines)\n", all.size() - lines);
  return kept;
}

}  // namespace warpmark::build

#include "harness/source_edits/races.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "harness/source_edits/launches.h"
#include "harness/source_edits/source.h"

namespace warpmark::source_edits {
namespace {

// Returns the line of each token.
std::vector<int> token_lines(const Source& source, std::string_view text) {
  std::vector<int> lines;
  std::size_t at = 0;
  int line = 1;
  for (std::size_t k = 0; k < source.count(); ++k) {
    for (; at < source.token(k).begin; ++at) line += text[at] == '\n' ? 1 : 0;
    lines.push_back(line);
  }
  return lines;
}

bool is_barrier(const Source& source, std::size_t token) {
  const std::string_view what = source.at(token);
  return what == "__syncthreads" || what == "__syncwarp" ||
         (what == "sync" && (source.at(token - 1) == "." || source.at(token - 1) == "::"));
}

bool is_pointer_parameter(const Function& function, std::string_view name) {
  return std::ranges::any_of(function.parameters, [&](const Parameter& each) {
    return each.name == name && each.type.find('*') != std::string::npos;
  });
}

std::string_view array_of(std::string_view element) {
  return element.substr(0, element.find('['));
}

// Returns the array that a line accesses in place of that of the element, where both are parameters of the
// kernel around it; empty if that is not so.
std::string other_array_at(std::string_view text, int line, std::string_view element) {
  const std::string_view array = array_of(element);
  if (array.empty() || array == element) return {};
  const Source source(text);
  const auto lines = token_lines(source, text);
  for (const Function& function : source.functions()) {
    if (lines[function.open] > line || lines[function.close] < line || !is_pointer_parameter(function, array))
      continue;
    std::string accessed;
    for (std::size_t k = function.open; k < function.close; ++k) {
      if (lines[k] != line) continue;
      if (source.at(k) == array) return {};
      if (source.at(k + 1) != "[" || source.at(k - 1) == ".") continue;
      if (!is_pointer_parameter(function, source.at(k))) return {};  // a pointer that may be into the array
      if (accessed.empty()) accessed = source.at(k);
    }
    return accessed;
  }
  return {};
}

// Returns the array to which a line stores in place of that of the element, where both are parameters of the
// kernel around it; empty if that is not so.
std::string other_array_stored_to(std::string_view text, int line, std::string_view element) {
  const std::string_view array = array_of(element);
  const Source source(text);
  const auto lines = token_lines(source, text);
  for (const Function& function : source.functions()) {
    if (lines[function.open] > line || lines[function.close] < line || !is_pointer_parameter(function, array))
      continue;
    for (std::size_t k = function.open; k < function.close; ++k) {
      const bool element_of = lines[k] == line && source.at(k + 1) == "[" && source.at(k - 1) != "." &&
                              source.partner(k + 1) != Source::kNone;
      if (!element_of || !source.is_assignment(source.partner(k + 1) + 1)) continue;
      const bool other = source.at(k) != array && is_pointer_parameter(function, source.at(k));
      return other ? std::string(source.at(k)) : std::string();
    }
  }
  return {};
}

}  // namespace

std::string about_next_round(std::string_view text, int line, int other_line) {
  const int first = std::min(line, other_line);
  const int last = std::max(line, other_line);
  if (first <= 0 || first == last) return {};
  const Source source(text);
  const auto lines = token_lines(source, text);
  std::size_t loop = Source::kNone;
  for (std::size_t k = 0; k < source.count() && lines[k] <= first; ++k) {
    if (source.at(k) != "for" && source.at(k) != "while") continue;
    const std::size_t end = source.statement_end(k);
    if (end != Source::kNone && lines[end] >= last) loop = k;
  }
  if (loop == Source::kNone) return {};
  std::vector<int> between;
  for (std::size_t k = loop; k < source.statement_end(loop); ++k) {
    if (!is_barrier(source, k)) continue;
    if (lines[k] <= first || lines[k] >= last) return {};
    between.push_back(lines[k]);
  }
  if (between.empty()) return {};
  return fmt::format(
      "the barrier at line {} orders them in one round of the loop, but not line {} and line {} of the next "
      "round: "
      "put another __syncthreads() at the end of the loop of line {}, behind line {}",
      between.front(), last, first, lines[loop], last);
}

std::string about_passed_end(std::string_view text, int line, std::string_view element) {
  const std::string read = other_array_at(text, line, element);
  if (read.empty()) return {};
  return fmt::format(
      "the line reads `{0}`, not `{1}`: an index of `{0}` has passed the end of its part, and `{1}` begins "
      "there. Test it against the end before the access",
      read, array_of(element));
}

std::string about_same_memory(std::string_view text, int line, std::string_view element) {
  const std::string written = other_array_stored_to(text, line, element);
  if (written.empty()) return {};
  const auto call = same_pointer_for_two(text);
  return fmt::format(
      "line {} stores to `{}`, which {} the memory of `{}`{}: what other threads still read is overwritten, "
      "and no barrier orders the threads of different blocks. Let the launch write to memory that it does "
      "not "
      "read",
      line, written, call ? "is" : "seems to be", array_of(element),
      call ? fmt::format(" (line {} passes `{}` for two parameters)", call->line, call->argument) : "");
}

}  // namespace warpmark::source_edits

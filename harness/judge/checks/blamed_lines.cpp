#include "harness/judge/checks/blamed_lines.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "harness/build/source_places.h"
#include "harness/judge/checks/unreached.h"
#include "harness/source_edits/comparisons.h"
#include "harness/source_edits/displacements.h"
#include "harness/source_edits/omissions.h"
#include "harness/source_edits/signs.h"

namespace warpmark::judge {
namespace {

// Parses the second argument of a function call's source text as a number.
std::optional<long> second_argument(std::string_view call) {
  const std::size_t first = call.find(',');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string text(call.substr(first + 1, call.find(',', first + 1) - first - 1));
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 0);
  return end == text.c_str() ? std::nullopt : std::optional(value);
}

// Returns the number of the first source line that calls cudaMemset with the fill value `byte`; 0 if none.
int line_of_memset(const std::string& text, std::uint8_t byte) {
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const std::size_t call = line.substr(0, line.find("//")).find("cudaMemset");
    if (call != std::string_view::npos) {
      const auto value = second_argument(line.substr(call));
      if (value && static_cast<std::uint8_t>(*value) == byte) return number;
    }
    at = end + 1;
  }
  return 0;
}

// Returns true if a message says that an element was left as it was.
bool says_unwritten(const Cause& cause) {
  return cause.kind == CauseKind::not_written || cause.message.find("never written") != std::string::npos ||
         cause.message.find("still holds what") != std::string::npos;
}

}  // namespace

void point_to(Cause& cause, Access reading, const Blame& blame) {
  // Of a helper in a header, the line of the version that calls it.
  if (blame.file != nullptr && reading.file != blame.file->name) {
    const std::string called = fmt::format("from {}:", blame.file->name);
    if (const std::size_t at = reading.callers.find(called); at != std::string::npos) {
      reading.file = blame.file->name;
      reading.line = std::atoi(reading.callers.c_str() + at + called.size());
    }
  }
  cause.file = reading.file;
  cause.line = reading.line;
  if (reading.by_warp) cause.warp_access = reading.by_warp;
  cause.excerpt = excerpt_in(blame, reading.file, reading.line);
}

std::string setting_line(const Explanation& found, Cause& cause, const Blame& blame) {
  if (blame.file == nullptr) return {};
  if (found.filled_with) {
    if (const int line = line_of_memset(blame.file->text, *found.filled_with); line > 0)
      point_to(cause, {blame.file->name, line, {}}, blame);
    return {};
  }
  if (found.mistake != "initial_value") return {};
  const build::Place sets = build::memory_call(blame.file->text, "");
  if (sets.line == 0) return {};
  point_to(cause, {blame.file->name, sets.line, {}}, blame);
  return fmt::format("; line {} sets memory: `{}`", sets.line, sets.code);
}

void name_omission(Cause& cause, const Assignment& assignment, const Case& which, const Blame& blame) {
  if (blame.file == nullptr || cause.line != 0) return;
  const std::string& text = blame.file->text;
  const auto specs = assignment.make(which)->buffers();
  std::vector<std::string> outputs;
  for (const std::size_t answer : answer_buffers(specs)) outputs.push_back(specs[answer].name);
  auto found = source_edits::find_omission(text, outputs);
  if (!found && which.n == 0) {
    if (const int line = source_edits::line_of_early_return(text); line != 0)
      found = {line, "with no elements the function returns there, before the output is written"};
  }
  if (!found) return;
  cause.message +=
      fmt::format("; line {}: {}. The statement that writes it was left out", found->line, found->what);
  point_to(cause, {blame.file->name, found->line, {}}, blame);
}

bool name_unreached(Cause& cause, std::uint64_t n, const std::vector<wire::Launch>& launches,
                    const Blame& blame, std::string& details) {
  if (!says_unwritten(cause)) return false;
  std::vector<LaunchShape> shapes;
  for (const wire::Launch& launch : launches) shapes.push_back(shape_of(launch));
  if (shapes.empty() && cause.launch) shapes.push_back(*cause.launch);
  const Unreached found = why_unreached(cause.message, n, shapes);
  if (found.why.empty()) return false;
  cause.message += "; " + found.why;
  details += "; " + found.advice;
  if (found.dimension.empty() || blame.file == nullptr) return true;
  const build::Place numbered =
      build::use_in_kernel(blame.file->text, found.kernel, fmt::format("blockIdx.{}", found.dimension));
  if (numbered.line != 0) point_to(cause, {blame.file->name, numbered.line, {}}, blame);
  return true;
}

bool name_sign(Cause& cause, const Explanation& found, const Blame& blame, std::string& details) {
  if (blame.file == nullptr) return false;
  // "extremes.least_at is wrong", "c(0, 1) is wrong"
  const std::string name = found.headline.substr(0, found.headline.find_first_of(" (["));
  const std::size_t dot = name.rfind('.');
  const auto sign = source_edits::find_sign(
      blame.file->text,
      {found.mistake, dot == std::string::npos ? name : name.substr(dot + 1), found.written_as});
  if (!sign) return false;
  if (sign->is_sure) details.clear();
  details += fmt::format("; {}", sign->what);
  point_to(cause, {blame.file->name, sign->line, {}}, blame);
  return sign->is_sure;
}

void point_to_named_call(Cause& cause, const std::string& what, const Blame& blame) {
  if (blame.file == nullptr) return;
  for (std::size_t at = what.find('`'); cause.line == 0 && at != std::string::npos; at = what.find('`', at)) {
    const std::size_t end = what.find('`', at + 1);
    if (end == std::string::npos) return;
    const std::string name = what.substr(at + 1, end - at - 1);
    const build::Place call = build::only_line_with(blame.file->text, {name});
    if (call.line != 0) point_to(cause, {blame.file->name, call.line, {}}, blame);
    if (const auto filled = source_edits::filled_displacements(blame.file->text, name); filled.line != 0) {
      cause.message += fmt::format("; line {} fills `{}`, the displacements that line {} passes", filled.line,
                                   filled.array, call.line);
      point_to(cause, {blame.file->name, filled.line, {}}, blame);
      cause.other_line = call.line;
    }
    at = end + 1;
  }
}

}  // namespace warpmark::judge

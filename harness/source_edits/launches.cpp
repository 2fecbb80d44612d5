#include "harness/source_edits/launches.h"

#include <algorithm>

#include "harness/source_edits/edits.h"

namespace warpmark::source_edits {
namespace {

// Returns the name in front of `<<<` or `(` at `open`, behind which template arguments may stand; kNone if
// there is none.
std::size_t called_at(const Source& source, std::size_t open) {
  if (open == 0) return Source::kNone;
  std::size_t k = open - 1;
  if (source.at(k) == ">") {
    while (k > 0 && source.at(k) != "<") --k;
    if (k == 0) return Source::kNone;
    --k;
  }
  return source.is_name(k) ? k : Source::kNone;
}

// Returns true if a variable of the name begins with a value that uses sizeof.
bool begins_in_bytes(const Source& source, std::string_view name) {
  for (std::size_t k = 1; k + 1 < source.count(); ++k) {
    if (source.at(k) != name || source.at(k + 1) != "=" || !source.is_name(k - 1)) continue;
    for (std::size_t i = k + 2; i < source.count() && source.at(i) != ";"; ++i)
      if (source.at(i) == "sizeof") return true;
  }
  return false;
}

bool is_pointer(const Parameter& parameter) {
  return parameter.type.find('*') != std::string::npos;
}

}  // namespace

std::optional<SourceLaunch> launch_of(std::string_view text, std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  if (const std::size_t scope = kernel.rfind("::"); scope != std::string_view::npos)
    kernel.remove_prefix(scope + 2);
  const Source source(text);
  for (std::size_t k = 1; k < source.count(); ++k) {
    if (source.at(k) != "<<<" || source.partner(k) == Source::kNone) continue;
    const std::size_t name = called_at(source, k);
    if (name == Source::kNone || source.at(name) != kernel) continue;
    SourceLaunch launch{source.line(name), {}, false};
    if (const auto arguments = arguments_of(source, k); arguments.size() > 2) {
      const auto [begin, end] = arguments[2];
      launch.shared_bytes = source.text(begin, end);
      launch.is_in_bytes = launch.shared_bytes.find("sizeof") != std::string::npos ||
                           (begin == end && begins_in_bytes(source, source.at(begin)));
    }
    return launch;
  }
  return std::nullopt;
}

int line_of_thread_count(std::string_view text, int line) {
  const Source source(text);
  for (std::size_t k = 1; k < source.count(); ++k) {
    if (source.at(k) != "<<<" || source.line(k) != line || source.partner(k) == Source::kNone) continue;
    const auto arguments = arguments_of(source, k);
    if (arguments.size() < 2 || arguments[1].begin != arguments[1].end) return 0;
    for (const Constant& constant : file_constants(source))
      if (source.at(constant.name) == source.at(arguments[1].begin)) return source.line(constant.name);
  }
  return 0;
}

std::string dynamic_array_type(std::string_view text, std::string_view array) {
  const Source source(text);
  for (std::size_t k = 0; k + 3 < source.count(); ++k) {
    if (source.at(k) != "extern" || source.at(k + 1) != "__shared__") continue;
    std::size_t end = k + 2;
    while (end < source.count() && source.at(end) != "[" && source.at(end) != ";") ++end;
    if (end > k + 3 && source.at(end - 1) == array) return source.text(k + 2, end - 2);
  }
  return {};
}

std::optional<SamePointer> same_pointer_for_two(std::string_view text) {
  const Source source(text);
  for (std::size_t k = 1; k < source.count(); ++k) {
    const bool launches =
        source.at(k) == ">>>" && source.at(k + 1) == "(" && source.partner(k) != Source::kNone;
    const std::size_t open = launches ? k + 1 : k;
    if (source.at(open) != "(" || source.partner(open) == Source::kNone) continue;
    const std::size_t name = called_at(source, launches ? source.partner(k) : k);
    if (name == Source::kNone) continue;
    const auto called = std::ranges::find(source.functions(), source.at(name), &Function::name);
    if (called == source.functions().end() || source.at(source.partner(open) + 1) == "{") continue;
    const auto arguments = arguments_of(source, open);
    for (std::size_t i = 0; i < std::min(arguments.size(), called->parameters.size()); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::string one = source.text(arguments[i].begin, arguments[i].end);
        if (is_pointer(called->parameters[i]) && is_pointer(called->parameters[j]) &&
            one == source.text(arguments[j].begin, arguments[j].end))
          return SamePointer{source.line(name), one};
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpmark::source_edits

#include "harness/build/explain.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include "harness/base/file.h"
#include "harness/build/diagnostics.h"

namespace warpmark::build {

namespace {

constexpr std::size_t kShownLines = 40;
constexpr int kLinesAround = 3;
constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kShownExports = 10;

std::string shown_limit(std::chrono::milliseconds limit) {
  return limit.count() % 1000 == 0 ? fmt::format("{} s", limit.count() / 1000)
                                   : fmt::format("{} ms", limit.count());
}

// The error's own place if it is in the submission, else the nearest thing there that led to it.
void point_to(const std::vector<Place>& places, const Workspace& workspace, Cause& cause) {
  for (const Place& place : places) {
    const std::optional<std::string> name = workspace.shown_name(place.file);
    if (!name) continue;
    cause.file = *name;
    cause.line = place.line;
    if (const Result<std::string> text = read_file(workspace.real_path(*name))) {
      cause.excerpt = excerpt_of(*text, place.line);
    }
    return;
  }
}

std::string undefined_message(const std::string& symbol, const std::string& display_name) {
  return fmt::format(
      "undefined reference to `{}`: every version is a library of its own, so what {} uses must be defined "
      "in it or in "
      "a header that it includes",
      symbol, display_name);
}

// "_Z3addPi" is add(int*).
bool is_mangled_form_of(std::string_view exported, const std::string& name) {
  return exported.starts_with(fmt::format("_Z{}{}", name.size(), name));
}

}  // namespace

std::vector<SourceLine> excerpt_of(const std::string& text, int line) {
  std::vector<SourceLine> excerpt;
  std::string_view rest = text;
  for (int number = 1; number <= line + kLinesAround && !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (number >= line - kLinesAround) {
      std::string_view shown = rest.substr(0, std::min(end, kLongestLine));
      if (shown.ends_with('\r')) shown.remove_suffix(1);
      excerpt.push_back({number, std::string(shown) + (end > kLongestLine ? "..." : "")});
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return excerpt;
}

Cause refused_cause(const Refused& refused, const Request& request, const Workspace& workspace, Engine engine,
                    std::chrono::milliseconds limit) {
  const sandbox::Ending& ending = refused.finished.ending;
  Cause cause;
  cause.kind = CauseKind::compile_error;
  cause.file = request.display_name;
  cause.type = request.value_type;
  cause.details = first_lines(workspace.shown_text(ending.output), kShownLines);
  if (refused.finished.timed_out) {
    cause.kind = CauseKind::timed_out;
    cause.message = fmt::format(
        "{} was not compiled within {}, the limit: look for a template, a macro or a constant expression "
        "that never ends",
        request.display_name, shown_limit(limit));
    return cause;
  }
  const std::optional<Diagnostic> error = first_error(ending.output);
  if (!error && ending.kind == sandbox::Ending::Kind::signalled) {
    cause.message =
        fmt::format("the compiler was ended by signal {} ({}): the file may need more memory than there is",
                    ending.code, strsignal(ending.code));
    return cause;
  }
  if (!error) {
    cause.message = fmt::format("the compiler refused the file without a reason (status {})", ending.code);
    return cause;
  }
  point_to(error->places, workspace, cause);
  const std::optional<std::string> missing =
      engine == Engine::simulator ? not_simulated(*error) : std::optional<std::string>();
  if (missing) {
    cause.kind = CauseKind::unsupported;
    cause.message =
        fmt::format("{} is not simulated: run this on a machine with a GPU, or do without it", *missing);
  } else if (!error->undefined_symbol.empty()) {
    cause.message = undefined_message(error->undefined_symbol, request.display_name);
  } else {
    cause.message = workspace.shown_text(error->message);
    // Where nothing of the submission is named, the place still helps.
    if (cause.line == 0 && !error->places.empty()) {
      const Place& place = error->places.front();
      cause.message += fmt::format(" (in {}, line {})", workspace.shown_text(place.file), place.line);
    }
  }
  return cause;
}

Cause unlinked_cause(const Refused& refused, const std::vector<Request>& requests) {
  const std::optional<Diagnostic> error = first_error(refused.finished.ending.output);
  std::vector<std::string> names;
  names.reserve(requests.size());
  for (const Request& request : requests) names.push_back(request.display_name);
  const std::string files = fmt::format("{}", fmt::join(names, ", "));
  Cause cause;
  cause.kind = CauseKind::compile_error;
  cause.details = first_lines(refused.finished.ending.output, kShownLines);
  if (!error) {
    cause.message = fmt::format("the linker refused {} without a reason", files);
    return cause;
  }
  // Debug information names files as they are shown, below the folder ".".
  for (const Place& place : error->places) {
    const std::string name = place.file.starts_with("./") ? place.file.substr(2) : place.file;
    if (std::ranges::find(names, name) == names.end()) continue;
    cause.file = name;
    cause.line = place.line;
    break;
  }
  const std::string& symbol = error->undefined_symbol;
  if (symbol == "main") {
    cause.kind = CauseKind::missing_function;
    cause.message = fmt::format(
        "{} {} no main function: a program begins with `int main()`; name the file that has it, too", files,
        names.size() == 1 ? "has" : "have");
  } else if (const std::optional<std::string> missing = not_simulated(*error)) {
    cause.kind = CauseKind::unsupported;
    cause.message =
        fmt::format("{} is not simulated: run this on a machine with a GPU, or do without it", *missing);
  } else if (!symbol.empty()) {
    cause.message =
        fmt::format("undefined reference to `{}`: {} {} not define it; name the file that does, too", symbol,
                    files, names.size() == 1 ? "does" : "do");
  } else {
    cause.message = error->message;
  }
  return cause;
}

std::optional<Cause> missing_function_cause(const Request& request,
                                            const std::vector<std::string>& exported) {
  std::vector<std::string> missing;
  std::string hint;
  for (const std::string& name : request.exports) {
    if (std::ranges::binary_search(exported, name)) continue;
    missing.push_back(name);
    if (std::ranges::any_of(exported,
                            [&](const std::string& other) { return is_mangled_form_of(other, name); })) {
      hint = fmt::format(
          " It has a C++ function of the name {}: include the contract's header, or write extern \"C\" "
          "before it, and "
          "keep the parameters as the header declares them.",
          name);
    }
  }
  if (missing.empty()) return std::nullopt;

  std::vector<std::string> others;
  for (const std::string& name : exported) {
    if (name.starts_with('_') || others.size() == kShownExports) continue;
    others.push_back(name);
  }
  Cause cause;
  cause.kind = CauseKind::missing_function;
  cause.file = request.display_name;
  cause.type = request.value_type;
  cause.expected = fmt::format("{}", fmt::join(missing, ", "));
  cause.actual = fmt::format("{}", fmt::join(others, ", "));
  cause.message = fmt::format("{} does not define {}; it defines {}.{}", request.display_name, cause.expected,
                              others.empty() ? "no extern \"C\" function" : cause.actual, hint);
  return cause;
}

}  // namespace warpmark::build

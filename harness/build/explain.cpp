#include "harness/build/explain.h"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/build/diagnostics.h"
#include "harness/build/foreign_libraries.h"
#include "harness/build/integrity.h"
#include "harness/build/not_simulated.h"
#include "harness/build/quoted_includes.h"

namespace warpmark::build {

namespace {

constexpr std::size_t kShownLines = 40;
constexpr std::size_t kShownExports = 10;

std::string shown_limit(std::chrono::milliseconds limit) {
  return limit.count() % 1000 == 0 ? fmt::format("{} s", limit.count() / 1000)
                                   : fmt::format("{} ms", limit.count());
}

// Sets the reported error's file and line to the compiler error's own location if that is in the submission,
// otherwise to the nearest related location (instantiation, include) in the submission.
void point_to(const std::vector<SourcePlace>& places, const Workspace& workspace, Cause& cause) {
  for (const SourcePlace& place : places) {
    const std::optional<std::string> name = workspace.shown_name(place.file);
    if (!name) continue;
    cause.file = *name;
    cause.line = place.line;
    if (const Result<std::string> text = read_own_file(workspace.real_path(*name))) {
      cause.excerpt = excerpt_of(*text, place.line);
    }
    return;
  }
}

// Returns the name of the assignment's header, which declares the functions to implement, in the first
// include folder: "reduction.h", or for C++ (CPU) files "reduction_host.h" if that exists. Empty for
// standalone programs, which have no such header.
std::string contract_of(const Request& request) {
  if (request.include_folders.empty() || request.exports.empty()) return {};
  std::error_code error;
  const std::filesystem::path& folder = request.include_folders.front();
  const std::string of_host = folder.filename().string() + "_host.h";
  if (request.source.extension() == ".cpp" && std::filesystem::exists(folder / of_host, error))
    return of_host;
  for (const auto& entry : std::filesystem::directory_iterator(request.include_folders.front(), error)) {
    if (entry.path().extension() == ".h" && entry.path().stem() == request.include_folders.front().filename())
      return entry.path().filename().string();
  }
  return {};
}

bool is_contract(const std::string& file, const Request& request) {
  const std::string contract = contract_of(request);
  std::error_code error;
  return !contract.empty() &&
         std::filesystem::equivalent(file, request.include_folders.front() / contract, error);
}

std::string undefined_message(const std::string& symbol, const std::string& display_name) {
  return fmt::format(
      "undefined reference to `{}`: every version is a library of its own, so what {} uses must be defined "
      "in it or in a header that it includes",
      symbol, display_name);
}

// Returns the source text of the declaration that starts at a location, up to its semicolon or brace.
std::string declaration_at(const SourcePlace& place) {
  constexpr std::size_t kMostLines = 8;
  const Result<std::string> text = read_file(place.file);
  if (!text) return {};
  std::string declaration;
  std::string_view rest = *text;
  std::size_t taken = 0;
  for (int number = 1; !rest.empty() && taken < kMostLines; ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (number < place.line) continue;
    ++taken;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!declaration.empty()) declaration += ' ';
    declaration += line;
    const std::size_t stop = declaration.find_first_of(";{");
    if (stop != std::string::npos) return declaration.substr(0, stop);
  }
  return {};
}

// Expands a declaration through a type alias: "reduce_fn v01" becomes "void v01(int* values)" if the file
// contains `using reduce_fn = void(int* values);`.
std::string spelt_out(const std::string& declaration, const std::string& file) {
  const std::size_t space = declaration.find(' ');
  if (space == std::string::npos || declaration.find('(') != std::string::npos) return declaration;
  const Result<std::string> text = read_file(file);
  const std::string mark = fmt::format("using {} = ", declaration.substr(0, space));
  const std::size_t at = text ? text->find(mark) : std::string::npos;
  if (at == std::string::npos) return declaration;
  const SourcePlace place{file, 1 + static_cast<int>(std::ranges::count(text->substr(0, at), '\n'))};
  const std::string type = declaration_at(place).substr(mark.size());
  const std::size_t open = type.find('(');
  if (open == std::string::npos) return declaration;
  return fmt::format("{} {}{}", type.substr(0, open), declaration.substr(space + 1), type.substr(open));
}

// Returns the line number of a word's first occurrence in a source text, or 0.
int line_of(std::string_view text, const std::string& word) {
  const std::size_t at = text.find(word);
  return at == std::string_view::npos ? 0
                                      : 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

// Returns the number of the last line up to `line` that starts a definition in column 0: "void kernel(...".
int definition_before(const std::string& text, int line) {
  int found = 0;
  std::string_view rest = text;
  for (int number = 1; number <= line && !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view at = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const bool begins =
        !at.empty() && (std::isalpha(static_cast<unsigned char>(at.front())) != 0 || at.front() == '_');
    if (begins && at.find('(') != std::string_view::npos) found = number;
  }
  return found;
}

// Adds an explanation to compiler messages that students often misread (wrong signature, missing __global__,
// missing header), and may change the reported line to a more helpful one.
void advise(const Diagnostic& error, const Request& request, const Workspace& workspace, Cause& cause) {
  const std::string_view message = error.message;
  const bool conflicts = message.find("conflicting types for") != std::string_view::npos ||
                         message.find("linkage") != std::string_view::npos ||
                         message.find("incompatible with previous") != std::string_view::npos;
  std::vector<SourcePlace> declared = error.places;
  if (conflicts && !request.include_folders.empty()) {
    // Searches the assignment's header for the declaration, because nvcc does not report the location of a
    // conflicting declaration.
    const std::filesystem::path contract = request.include_folders.front() / contract_of(request);
    for (const std::string& name : request.exports) {
      const Result<std::string> text = read_file(contract);
      if (message.find('"' + name + '"') == std::string_view::npos || !text) continue;
      for (const char* after : {";", "("}) {
        if (const int line = line_of(*text, ' ' + name + after); line > 0)
          declared.push_back({contract.string(), line});
      }
    }
  }
  for (const SourcePlace& place : declared) {
    // A `#line` directive can make the location name any file, so the file must really be the assignment's
    // header.
    if (!conflicts || !is_contract(place.file, request)) continue;
    const std::string declaration = spelt_out(declaration_at(place), place.file);
    if (declaration.empty()) continue;
    cause.expected = declaration;
    cause.message +=
        fmt::format(": {} declares {}", std::filesystem::path(place.file).filename().string(), declaration);
    return;
  }
  if (message.find("__shared__") != std::string_view::npos &&
      (message.find("__host__") != std::string_view::npos ||
       message.find("host function") != std::string_view::npos)) {
    cause.message += ": a kernel is declared with __global__ before its return type";
    const Result<std::string> text = read_own_file(workspace.real_path(cause.file));
    if (const int line = text ? definition_before(*text, cause.line) : 0; line > 0) {
      cause.line = line;
      cause.excerpt = excerpt_of(*text, line);
    }
    return;
  }
  if (const std::size_t end = message.find("' file not found");
      request.output == Output::object && message.starts_with("'") && end != std::string_view::npos) {
    const std::string header(message.substr(1, end - 1));
    if (const auto folder =
            folder_that_has(header, std::filesystem::absolute(request.source).parent_path())) {
      const std::filesystem::path shown = folder->lexically_relative(std::filesystem::current_path());
      cause.message += fmt::format(": {} has it, add -I{}", shown.string(), shown.string());
    }
    return;
  }
  if (message.starts_with("no template named 'texture'")) {
    cause.message +=
        ": texture references were removed in CUDA 12, write a texture object (cudaCreateTextureObject)";
    return;
  }
  if (request.exports.empty()) cause.message += missing_library_advice(message);
  constexpr std::string_view kRefusedCall = " declared with 'error' attribute";
  if (const std::size_t at = message.find(kRefusedCall); at != std::string_view::npos) {
    cause.message.erase(at, kRefusedCall.size());
    return;
  }
  const bool unknown = message.starts_with("unknown type name") ||
                       message.find("is undefined") != std::string_view::npos ||
                       message.starts_with("use of undeclared identifier");
  const std::string contract = contract_of(request);
  const Result<std::string> text = read_file(request.source);
  if (unknown && text && !contract.empty() && text->find('"' + contract + '"') == std::string::npos)
    cause.message +=
        fmt::format(": the file does not include the contract; begin it with #include \"{}\"", contract);
}

// Returns true if the exported symbol is a C++-mangled form of the name: "_Z3addPi" for add(int*).
bool is_mangled_form_of(std::string_view exported, const std::string& name) {
  return exported.starts_with(fmt::format("_Z{}{}", name.size(), name));
}

std::string not_simulated_message(const std::vector<std::string>& names) {
  return fmt::format("{} {} not simulated: run this on a machine with a GPU, or do without {}",
                     fmt::join(names, ", "), names.size() == 1 ? "is" : "are",
                     names.size() == 1 ? "it" : "them");
}

// Returns the unsupported CUDA features that the compiler's output names, plus the unsupported toolkit
// headers that the source includes after the missing header at which the compiler stopped.
std::vector<std::string> all_missing(std::string_view output, const Workspace& workspace) {
  std::vector<std::string> names = all_not_simulated(output);
  if (output.find("file not found") == std::string_view::npos) return names;
  const Result<std::string> source = read_own_file(workspace.source());
  for (std::string& header : toolkit_headers_in(source ? *source : std::string())) {
    const bool there = std::ranges::any_of(workspace.folders(), [&](const Folder& folder) {
      std::error_code error;
      return std::filesystem::exists(folder.real / header, error);
    });
    if (!there && std::ranges::find(names, header) == names.end()) names.push_back(std::move(header));
  }
  return names;
}

}  // namespace

Cause refused_cause(const FailedPass& refused, const Request& request, const Workspace& workspace,
                    Engine engine, std::chrono::milliseconds limit) {
  const sandbox::Ending& ending = refused.finished.ending;
  Cause cause;
  cause.kind = CauseKind::compile_error;
  cause.file = request.display_name;
  cause.type = request.value_type;
  cause.details =
      request.quick ? ending.output : first_lines(workspace.shown_text(ending.output), kShownLines);
  if (refused.finished.timed_out) {
    cause.kind = CauseKind::timed_out;
    cause.message = fmt::format(
        "{} was not compiled within {}, the limit: look for a template, a macro or a constant expression "
        "that never ends",
        request.display_name, shown_limit(limit));
    return cause;
  }
  if (ending.output.find("relocation truncated to fit") != std::string::npos) {
    cause.message =
        "static variables take more than the 2 GiB that a program can address: make the arrays smaller, or "
        "allocate them while it runs";
    return cause;
  }
  const std::optional<Diagnostic> error = first_error(ending.output);
  if (!error && ending.kind == sandbox::Ending::Kind::signalled) {
    cause.message = fmt::format(
        "the compiler was ended by signal {} ({}): {}", ending.code, strsignal(ending.code),
        ending.code == SIGXFSZ ? "what it made of the file was too large; look for large static arrays"
                               : "the file may need more memory than there is");
    // If SIGKILL ended the compiler, the OOM killer probably sent it: the harness set no limit that ends a
    // process by SIGKILL, and no other user may kill the compiler.
    if (ending.code == SIGKILL && ending.exceeded == sandbox::Cap::none) {
      cause.kind = CauseKind::internal;
      cause.message =
          "the compiler was ended from outside (SIGKILL): this machine may have too little memory for so "
          "many "
          "at a time. Grade again with --jobs 1";
    }
    return cause;
  }
  if (!error) {
    cause.message = fmt::format("the compiler refused the file without a reason (status {})", ending.code);
    return cause;
  }
  point_to(error->places, workspace, cause);
  const std::optional<std::string> missing =
      engine == Engine::simulator ? not_simulated(*error) : std::optional<std::string>();
  const std::optional<Cause> forbidden = missing ? forbidden_header(request, *missing) : std::nullopt;
  if (forbidden) {
    cause.kind = forbidden->kind;
    cause.message = forbidden->message;
    cause.expected = forbidden->expected;
    cause.actual = forbidden->actual;
  } else if (missing) {
    cause.kind = CauseKind::unsupported;
    cause.message = not_simulated_message(all_missing(ending.output, workspace));
  } else if (!error->undefined_symbol.empty()) {
    cause.message = undefined_message(error->undefined_symbol, request.display_name);
  } else {
    cause.message = workspace.shown_text(error->message);
    // If no file of the submission is involved in a compiler error, appends the location in the foreign
    // header to the message, because the report has no line to show.
    if (cause.line == 0 && !error->places.empty()) {
      const SourcePlace& place = error->places.front();
      cause.message += fmt::format(" (in {}, line {})", workspace.shown_text(place.file), place.line);
    }
    advise(*error, request, workspace, cause);
  }
  return cause;
}

Cause unlinked_cause(const FailedPass& refused, const std::vector<Request>& requests) {
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
  // Strips the "./" prefix: file names in debug information are relative to the folder ".".
  for (const SourcePlace& place : error->places) {
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
    cause.message = not_simulated_message({*missing});
  } else if (const std::string_view library = foreign_library(symbol); !library.empty()) {
    cause.message = fmt::format(
        "undefined reference to `{}`, a function of {}: programs are linked to the C++ library and CUDA "
        "alone, so do without it, or run this where it is installed",
        symbol, library);
  } else if (!symbol.empty()) {
    cause.message =
        fmt::format("undefined reference to `{}`: {} {} not define it; name the file that does, too", symbol,
                    files, names.size() == 1 ? "does" : "do");
  } else {
    const std::string advice = missing_library_advice(refused.finished.ending.output);
    cause.message = advice.empty() ? error->message : "the program uses OpenMP" + advice;
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
  const Result<std::string> text = read_file(request.source);
  const std::size_t most_typos = std::min<std::size_t>(3, missing.front().size() / 4);
  for (const std::string& other : others) {
    if (missing.size() != 1 || edit_distance(other, missing.front()) > most_typos) continue;
    cause.message += fmt::format(" Did you mean {}? It is written {} there.", missing.front(), other);
    cause.line = text ? line_of(*text, other + '(') : 0;
    if (cause.line > 0) cause.excerpt = excerpt_of(*text, cause.line);
    break;
  }
  return cause;
}

}  // namespace warpmark::build

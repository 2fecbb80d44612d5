#include "harness/build/source_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/tokens.h"
#include "harness/build/excerpt.h"

namespace warpmark::build {
namespace {

using Tokens = std::vector<std::string>;

// Prefixes of macros that only one compiler defines, or whose value depends on the compiler or the
// optimisation level.
constexpr std::array<std::string_view, 39> kTellsApart{"__CUDACC_VER_",
                                                       "__CUDA_ARCH_FEAT_",
                                                       "__CUDA_ARCH_LIST__",
                                                       "__CUDA_ARCH_SPECIFIC__",
                                                       "__CUDA__",
                                                       "__EDG",
                                                       "__GCC_",
                                                       "__GNUC_MINOR__",
                                                       "__GNUC_PATCHLEVEL__",
                                                       "__GNUC_STDC_INLINE__",
                                                       "__GNUC_GNU_INLINE__",
                                                       "__GNUG__",
                                                       "__GXX_",
                                                       "__NO_INLINE__",
                                                       "__NVCC__",
                                                       "__NVCOMPILER",
                                                       "__NVPTX",
                                                       "__OBJC_",
                                                       "__OPENCL_",
                                                       "__OPTIMIZE",
                                                       "__POINTER_WIDTH__",
                                                       "__PTX__",
                                                       "__VERSION__",
                                                       "__building_module",
                                                       "__clang",
                                                       "__has_builtin",
                                                       "__has_declspec",
                                                       "__has_embed",
                                                       "__has_ext",
                                                       "__has_feature",
                                                       "__has_warning",
                                                       "__is_identifier",
                                                       "__llvm__",
                                                       "__BITINT_MAXWIDTH__",
                                                       "__COUNTER__",
                                                       "__SEG_",
                                                       "__STRICT_ANSI__",
                                                       "__SANITIZE_",
                                                       "WARPMARK_"};

// Reserved macros that preprocessor conditions may use, because they mean the same to all compilers.
constexpr auto kMayBeAskedFor = std::to_array<std::string_view>(
    {"__CUDACC__", "__CUDA_ARCH__", "__cplusplus", "__linux__", "__unix__", "__x86_64__", "__aarch64__",
     "__FILE__", "__LINE__", "__GNUC__", "_OPENMP", "__cpp_concepts", "__has_include", "__has_cpp_attribute",
     "_WIN32", "_WIN64", "__APPLE__", "_MSC_VER", "__INTEL_COMPILER"});
// The C++ library's feature tests: all compilers that grade use the same library.
constexpr std::string_view kLibraryFeature = "__cpp_lib_";
// Attributes of the standard that every compiler used for grading knows.
constexpr auto kAttributes = std::to_array<std::string_view>(
    {"carries_dependency", "deprecated", "fallthrough", "likely", "maybe_unused", "no_unique_address",
     "nodiscard", "noreturn", "unlikely"});

// A macro that a student's file may compare only with values up to `most`: every compiler and device used for
// grading has at least that value, so the comparison `>= most` cannot distinguish them, nor `> most - 1`.
struct Minimum {
  std::string_view word;
  long most;
};
constexpr auto kMinima = std::to_array<Minimum>({{"__CUDA_ARCH__", 800},
                                                 {"CUDART_VERSION", 12000},
                                                 {"CUDA_VERSION", 12000},
                                                 {"__GNUC__", 4},
                                                 {"_OPENMP", 201511},
                                                 {"__cpp_concepts", 201907}});

// Returns the number of the first line that contains the word outside of comments, or 0.
int line_of_word(const std::string& text, const std::string& word) {
  int number = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (line.find(word) == std::string_view::npos) continue;
    const std::vector<std::string> tokens = tokens_of(line);
    if (std::ranges::find(tokens, word) != tokens.end()) return number;
  }
  return 0;
}

// Returns true if the condition only tests whether the macro at token `at` is defined, or compares that macro
// with a number up to `most`.
bool is_a_minimum(const Tokens& tokens, std::size_t at, long most) {
  const auto token = [&](std::size_t ahead) {
    return at + ahead < tokens.size() ? std::string_view(tokens[at + ahead]) : std::string_view("\n");
  };
  static constexpr std::array<std::string_view, 4> kEnds{")", "\n", "&&", "||"};
  if (std::ranges::find(kEnds, token(1)) != kEnds.end()) return true;
  static constexpr std::array<std::string_view, 4> kOrders{">=", ">", "<", "<="};
  if (std::ranges::find(kOrders, token(1)) == kOrders.end()) return false;
  long value = 0;
  const std::string_view number = token(2);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool includes_it = token(1) == ">=" || token(1) == "<";
  return error == std::errc() && (includes_it ? value <= most : value < most);
}

// Returns true if the token at `at` only tests whether the operator itself exists, asks __has_include for a
// header of the C++ standard library, or __has_cpp_attribute for a standard attribute: the answers are the
// same for all compilers.
bool asks_for_the_standard(const Tokens& tokens, std::size_t at) {
  if (is_a_minimum(tokens, at, 0)) return true;
  const auto is_word = [](std::string_view word) {
    return std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; }) &&
           !word.starts_with('_');
  };
  if (at + 5 < tokens.size() && tokens[at] == "__has_include")
    return tokens[at + 1] == "(" && tokens[at + 2] == "<" && is_word(tokens[at + 3]) &&
           tokens[at + 4] == ">" && tokens[at + 5] == ")";
  return at + 4 < tokens.size() && tokens[at + 1] == "(" &&
         std::ranges::find(kAttributes, tokens[at + 2]) != kAttributes.end() && tokens[at + 3] == ")" &&
         tokens[at + 4] != "==" && !tokens[at + 4].starts_with('<') && !tokens[at + 4].starts_with('>');
}

bool is_reserved(std::string_view word) {
  return word.size() > 1 && word[0] == '_' && (word[1] == '_' || (word[1] >= 'A' && word[1] <= 'Z'));
}

bool begins_a_condition(std::string_view word) {
  static constexpr std::array<std::string_view, 6> kConditions{"if",   "ifdef",   "ifndef",
                                                               "elif", "elifdef", "elifndef"};
  return std::ranges::find(kConditions, word) != kConditions.end();
}

// Returns the macros that the file defines, including its include guard.
std::set<std::string> defined_in(const Tokens& tokens) {
  std::set<std::string> names;
  for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
    if (tokens[at] == "#" && tokens[at + 1] == "define") names.insert(tokens[at + 2]);
  }
  return names;
}

// Returns the reserved macro names (such as __clang__) that a source file's preprocessor conditions test,
// without those that the file itself defines and those that all compilers define alike.
std::vector<std::string> asked_by_conditions(const Tokens& tokens) {
  const std::set<std::string> own = defined_in(tokens);
  std::vector<std::string> words;
  bool condition = false;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at] == "#" && at + 1 < tokens.size()) condition = begins_a_condition(tokens[at + 1]);
    if (tokens[at] == "\n") condition = false;
    if (!condition || !is_reserved(tokens[at]) || own.contains(tokens[at])) continue;
    if (tokens[at].starts_with(kLibraryFeature)) continue;
    if (std::ranges::find(kMayBeAskedFor, tokens[at]) == kMayBeAskedFor.end()) words.push_back(tokens[at]);
  }
  return words;
}

bool is_literal(std::string_view word) {
  return word.size() >= 2 && word.ends_with('"');
}

// Returns the character of a numeric escape sequence such as \056, \x2e, \u002e or \u{2e}, and moves `at`
// behind it; nullopt if the text there, behind a backslash, is none.
std::optional<char> numeric_escape(std::string_view text, std::size_t& at) {
  const auto digits = [&](std::size_t from, std::size_t most, int base) -> std::optional<char> {
    unsigned value = 0;
    std::size_t end = from;
    if (end < text.size() && text[end] == '{') ++end;
    const char* first = text.data() + end;
    const char* last = text.data() + std::min(text.size(), end + most);
    const auto [stop, error] = std::from_chars(first, last, value, base);
    if (error != std::errc{} || stop == first) return std::nullopt;
    at = static_cast<std::size_t>(stop - text.data());
    if (at < text.size() && text[at] == '}') ++at;
    return static_cast<char>(value);
  };
  switch (at < text.size() ? text[at] : '\0') {
    case 'x':
      return digits(at + 1, 8, 16);
    case 'u':
      return digits(at + 1, 4, 16);
    case 'U':
      return digits(at + 1, 8, 16);
    case 'o':
      return digits(at + 1, 11, 8);
    default:
      return digits(at, 3, 8);
  }
}

// Returns the characters of a string literal, raw or not. Escapes that stand for a letter are left as they
// are.
std::string text_of_literal(std::string_view word) {
  const std::size_t open = word.find('"');
  std::string_view inside = word.substr(open + 1, word.size() - open - 2);
  if (open > 0 && word[open - 1] == 'R') {
    const std::size_t begin = inside.find('(');
    const std::size_t end = inside.rfind(')');
    return begin < end && end != std::string_view::npos
               ? std::string(inside.substr(begin + 1, end - begin - 1))
               : std::string(inside);
  }
  std::string text;
  for (std::size_t at = 0; at < inside.size();) {
    if (inside[at] != '\\') {
      text += inside[at++];
      continue;
    }
    std::size_t behind = at + 1;
    if (const auto letter = numeric_escape(inside, behind)) {
      text += *letter;
      at = behind;
    } else {
      text += inside.substr(at, 2);
      at += 2;
    }
  }
  return text;
}

bool is_asm(std::string_view word) {
  return word == "asm" || word == "__asm" || word == "__asm__";
}

// Returns the position of the first string literal of the asm at token `at`, or 0 if something else stands
// there: a macro may then bring any literal of the file to the assembler.
std::size_t text_of_asm(const Tokens& tokens, std::size_t at) {
  static constexpr std::array<std::string_view, 5> kQualifiers{"volatile", "__volatile__", "__volatile",
                                                               "goto", "inline"};
  do ++at;
  while (at < tokens.size() && std::ranges::find(kQualifiers, tokens[at]) != kQualifiers.end());
  return at + 1 < tokens.size() && tokens[at] == "(" && is_literal(tokens[at + 1]) ? at + 1 : 0;
}

// Returns the string literals that may reach the assembler, with an empty one wherever two are not adjacent.
Tokens literals_of_assembly(const std::string& text) {
  Tokens tokens = tokens_of(text);
  std::erase(tokens, "\n");
  bool everywhere = false;
  for (std::size_t at = 0; at < tokens.size(); ++at)
    everywhere |= is_asm(tokens[at]) && text_of_asm(tokens, at) == 0;
  Tokens literals;
  int depth = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (depth == 0 && is_asm(tokens[at]) && !everywhere) {
      at = text_of_asm(tokens, at);
      depth = 1;
    }
    const bool counts = is_literal(tokens[at]) && (everywhere || depth > 0);
    literals.push_back(counts ? tokens[at] : "");
    if (depth > 0) depth += tokens[at] == "(" ? 1 : tokens[at] == ")" ? -1 : 0;
  }
  return literals;
}

Cause names_a_compiler(const Request& request, const OwnFile& file, const std::string& word) {
  return refused_in(file, line_of_word(file.text, word), request,
                    fmt::format("`{}` has another meaning with each compiler: a version has to be the same "
                                "for all of them; do without it",
                                word));
}

}  // namespace

Cause refused(CauseKind kind, const Request& request, std::string message) {
  Cause cause;
  cause.kind = kind;
  cause.file = request.display_name;
  cause.message = std::move(message);
  return cause;
}

Cause refused_in(const OwnFile& file, int line, const Request& request, std::string message) {
  Cause cause = refused(CauseKind::compile_error, request, std::move(message));
  cause.file = file.name;
  cause.line = line;
  if (line > 0) cause.excerpt = excerpt_of(file.text, line);
  return cause;
}

std::optional<Cause> hides_from_sanitizers(const Request& request, const OwnFile& file) {
  if (request.source.extension() != ".cpp") return std::nullopt;
  for (const std::string& word : tokens_of(file.text)) {
    if (!word.starts_with("no_sanitize") && !word.starts_with("__no_sanitize")) continue;
    return refused_in(file, line_of_word(file.text, word), request,
                      fmt::format("`{}` hides code from the sanitizers, and `clean` is what they see; do "
                                  "without it",
                                  word));
  }
  return std::nullopt;
}

std::optional<Cause> tells_apart(const Request& request, const OwnFile& file) {
  const Tokens tokens = tokens_of(file.text);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& word = tokens[at];
    // The digraph %: is an alternative spelling of #, which would hide a condition from this check.
    const bool tells = word == "%:" || std::ranges::any_of(kTellsApart, [&](std::string_view begin) {
                         return word.starts_with(begin);
                       });
    const bool asks = word == "__has_include" || word == "__has_cpp_attribute";
    if (tells || (asks && !asks_for_the_standard(tokens, at))) return names_a_compiler(request, file, word);
    for (const Minimum& minimum : kMinima) {
      if (word != minimum.word || is_a_minimum(tokens, at, minimum.most)) continue;
      return refused_in(file, line_of_word(file.text, word), request,
                        fmt::format("`{0}` may be asked for as a minimum of at most {1}, as in "
                                    "`#if {0} >= {2}`: a version has to be the same wherever it is graded",
                                    word, minimum.most, minimum.most / 4 * 3));
    }
  }
  const std::vector<std::string> asked = asked_by_conditions(tokens);
  if (!asked.empty()) return names_a_compiler(request, file, asked.front());
  return std::nullopt;
}

std::optional<Cause> renames_files(const Request& request, const OwnFile& file) {
  if (request.rules->libraries.empty()) return std::nullopt;
  bool in_directive = false;
  const Tokens tokens = tokens_of(file.text);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i] == "\n") in_directive = false;
    if (tokens[i] != "#" || std::exchange(in_directive, true)) continue;
    const std::string& next = tokens[i + 1];
    if (next != "line" && !next.starts_with('"') &&
        std::isdigit(static_cast<unsigned char>(next.front())) == 0)
      continue;
    return refused_in(file, 0, request,
                      "`#line` gives code the name of another file: take the directive away");
  }
  return std::nullopt;
}

// Searches the text that reaches the assembler for directives, with adjacent literals concatenated.
std::optional<Cause> directs_the_assembler(const Request& request, const OwnFile& file) {
  struct Directive {
    std::string_view word;
    const char* why;
  };
  static constexpr std::array<Directive, 4> kDirectives{
      {{".incbin", "puts a file into the library: a version is made of its sources"},
       {".section", "puts code where it runs without a call: a version works when it is called"},
       {".pushsection", "puts code where it runs without a call: a version works when it is called"},
       {".reloc", "changes what the linker does: a version is made of its sources"}}};
  std::string literal;
  for (const std::string& word : literals_of_assembly(file.text)) {
    if (word.empty()) {
      literal.clear();
      continue;
    }
    literal += text_of_literal(word);
    for (const Directive& directive : kDirectives) {
      if (literal.find(directive.word) == std::string::npos) continue;
      return refused_in(file, line_of_word(file.text, word), request,
                        fmt::format("`{}` {}", directive.word, directive.why));
    }
  }
  return std::nullopt;
}

}  // namespace warpmark::build

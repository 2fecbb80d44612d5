#include "harness/assignments/cpp_name.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpmark {
namespace {

constexpr std::size_t kLongest = 60;

// The keywords of C++20 and its alternative operators, sorted.
constexpr std::array<std::string_view, 92> kKeywords{
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq"};
static_assert(std::ranges::is_sorted(kKeywords));

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

bool is_cpp_name(std::string_view name) {
  const auto fits = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= kLongest && is_letter(name.front()) &&
         std::ranges::all_of(name, fits) && !std::ranges::binary_search(kKeywords, name);
}

}  // namespace warpmark

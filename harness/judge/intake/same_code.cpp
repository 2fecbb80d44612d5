#include "harness/judge/intake/same_code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/tokens.h"

namespace warpmark::judge {
namespace {

// Comparison of kernel files: an identifier after one of these tokens (types, `*`, `&`) is taken as a
// declared name.
constexpr std::array<std::string_view, 13> kBeforeADeclaredName{
    "void",     "int",  "float",   "double", "bool", "char", "long",
    "unsigned", "auto", "value_t", "size_t", "*",    "&"};

bool is_name(const std::string& token) {
  return !token.empty() &&
         (std::isalpha(static_cast<unsigned char>(token.front())) != 0 || token.front() == '_');
}

// Returns the source's tokens with each declared name replaced by a number, in order of first appearance.
std::string without_names(const std::string& text) {
  const std::vector<std::string> tokens = tokens_of(text);
  std::set<std::string> declared;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (is_name(tokens[i]) &&
        std::ranges::find(kBeforeADeclaredName, tokens[i - 1]) != kBeforeADeclaredName.end())
      declared.insert(tokens[i]);
  }
  std::map<std::string, std::size_t> numbers;
  std::string all;
  for (const std::string& token : tokens) {
    if (declared.contains(token)) {
      const auto number = numbers.try_emplace(token, numbers.size()).first->second;
      all += fmt::format("#{} ", number);
    } else {
      all += token + ' ';
    }
  }
  return all;
}

}  // namespace

std::map<std::string, std::string> same_code(const Submission& submission) {
  std::map<std::string, std::string> first;  // maps a kernel file's code to the first file that contains it
  std::map<std::string, std::string> same;
  for (const auto& [version, file] : submission.files) {
    if (!file.causes.empty() || file.text.empty()) continue;
    const auto [known, is_new] = first.try_emplace(without_names(file.text), version);
    if (!is_new) same.emplace(version, known->second);
  }
  return same;
}

}  // namespace warpmark::judge

#include "harness/judge/intake/same_code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/tokens.h"
#include "harness/base/file.h"
#include "harness/build/compiled_code.h"

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

bool equal_limits(const VersionRule& a, const VersionRule& b) {
  return std::ranges::equal(a.work, b.work, [](const WorkLimit& one, const WorkLimit& other) {
    return one.counter == other.counter && one.at_least == other.at_least && one.limit == other.limit;
  });
}

}  // namespace

std::string identity_of(const std::string& ptx, const Counted& counted) {
  std::string identity = fmt::format("{}\n{} {}\n", build::without_names(ptx), counted.type, counted.n);
  for (const CountedKernel& kernel : counted.kernels) {
    identity += fmt::format("{}", kernel.launches);
    for (const auto& [name, value] : kernel.counters) identity += fmt::format(" {}", value);
    identity += '\n';
  }
  return sha256(identity);
}

std::map<std::string, std::string> same_code(const Submission& submission, const Rubric& rubric,
                                             const std::map<std::string, std::string>& identities) {
  std::map<std::string, std::string> first;  // maps a source, or an identity, to the first file that has it
  std::map<std::string, std::string> same;
  for (const auto& [version, file] : submission.files) {
    if (!file.causes.empty() || file.text.empty()) continue;
    const auto source = first.try_emplace(without_names(file.text), version).first;
    if (source->second != version) same.emplace(version, source->second);
    const auto identity = identities.find(version);
    if (identity == identities.end()) continue;
    const std::string& earlier = first.try_emplace(identity->second, version).first->second;
    if (earlier != version && !equal_limits(*rubric.find(earlier), *rubric.find(version)))
      same.emplace(version, earlier);
  }
  return same;
}

}  // namespace warpmark::judge

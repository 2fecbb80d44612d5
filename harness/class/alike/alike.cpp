#include "harness/class/alike/alike.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "harness/assignments/tokens.h"

namespace warpmark::classroom {
namespace {

constexpr std::size_t kTokens = 8;  // length of a hashed token sequence; shorter matches are not found
// Consecutive hashes per winnowing window, which keeps one of them: any match of 12 tokens is found.
constexpr std::size_t kWindow = 5;
// A fingerprint shared by a larger fraction of the class is considered typical of the exercise and ignored.
constexpr double kCommon = 0.5;
constexpr std::size_t kSmallClass = 8;  // number of students below which no fingerprint counts as common

// Returns true for keywords and CUDA names, which keep their spelling; all other identifiers are replaced by
// one common token.
bool is_kept(const std::string& word) {
  static const std::set<std::string> kept{"if",
                                          "else",
                                          "for",
                                          "while",
                                          "do",
                                          "return",
                                          "break",
                                          "continue",
                                          "switch",
                                          "case",
                                          "template",
                                          "struct",
                                          "const",
                                          "void",
                                          "auto",
                                          "static",
                                          "blockIdx",
                                          "blockDim",
                                          "threadIdx",
                                          "gridDim",
                                          "__shared__",
                                          "__global__",
                                          "__device__",
                                          "__syncthreads",
                                          "volatile",
                                          "unsigned",
                                          "int",
                                          "__syncwarp",
                                          "atomicAdd",
                                          "__shfl_down_sync",
                                          "__threadfence",
                                          "warpSize"};
  return kept.contains(word);
}

std::string plain(const std::string& token) {
  const auto first = static_cast<unsigned char>(token.front());
  if (std::isdigit(first) != 0) return "0";
  if (first == '"' || first == '\'') return "\"";
  if (std::isalpha(first) != 0 || first == '_' || first >= 0x80) return is_kept(token) ? token : "x";
  return token;
}

// Returns the FNV-1a hash (64 bits, http://www.isthe.com/chongo/tech/comp/fnv/) of kTokens tokens from index
// `from` on.
std::uint64_t hash_of(const std::vector<std::string>& tokens, std::size_t from) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (std::size_t i = from; i < from + kTokens; ++i) {
    for (const char c : tokens[i] + ' ') hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  return hash;
}

}  // namespace

Fingerprints fingerprints_of(std::string_view source) {
  std::vector<std::string> tokens;
  for (const std::string& token : tokens_of(source)) {
    if (token != "\n") tokens.push_back(plain(token));
  }
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i + kTokens <= tokens.size(); ++i) hashes.push_back(hash_of(tokens, i));
  Fingerprints kept;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::size_t end = std::min(hashes.size(), i + kWindow);
    kept.insert(*std::min_element(hashes.begin() + static_cast<std::ptrdiff_t>(i),
                                  hashes.begin() + static_cast<std::ptrdiff_t>(end)));
  }
  return kept;
}

std::vector<Likeness> alike_in(const std::string& version, const std::vector<Authored>& texts,
                               const Fingerprints& known) {
  std::vector<std::size_t> sizes(texts.size());
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> authors;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const std::uint64_t print : fingerprints_of(texts[i].text)) {
      if (!known.contains(print)) authors[print].push_back(i);
    }
  }
  const bool small = texts.size() < kSmallClass;
  const auto most = static_cast<std::size_t>(kCommon * static_cast<double>(texts.size()));
  std::erase_if(authors, [&](const auto& entry) { return !small && entry.second.size() > most; });
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared;
  for (const auto& [print, who] : authors) {
    for (std::size_t i = 0; i < who.size(); ++i) {
      ++sizes[who[i]];
      for (std::size_t k = i + 1; k < who.size(); ++k) ++shared[{who[i], who[k]}];
    }
  }
  std::vector<Likeness> found;
  for (const auto& [pair, count] : shared) {
    const std::size_t smaller = std::min(sizes[pair.first], sizes[pair.second]);
    const double part = static_cast<double>(count) / static_cast<double>(smaller);
    if (smaller < kFewest || part < kAlike) continue;
    found.push_back({version, texts[pair.first].id, texts[pair.second].id, part});
  }
  std::ranges::stable_sort(found, std::greater<>{}, &Likeness::shared);
  return found;
}

}  // namespace warpmark::classroom

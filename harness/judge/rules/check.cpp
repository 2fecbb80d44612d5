#include "harness/judge/rules/check.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpmark::judge {
namespace {

constexpr std::array<std::string_view, 6> kNames{"builds", "correct", "clean", "work", "fast", "upload_once"};
// number of checks that grade a single kernel file; they come first in the list of checks
constexpr std::size_t kOfAVersion = 5;

}  // namespace

std::string_view name_of(Check check) {
  return kNames.at(static_cast<std::size_t>(check));
}

std::span<const std::string_view> check_names() {
  return kNames;
}

std::optional<Check> version_check_from(std::string_view name) {
  for (std::size_t i = 0; i < kOfAVersion; ++i) {
    if (kNames.at(i) == name) return static_cast<Check>(i);
  }
  return std::nullopt;
}

std::string known_version_checks() {
  return fmt::format("{}", fmt::join(kNames.begin(), kNames.begin() + kOfAVersion, ", "));
}

std::string id_of(const std::string& assignment, const CheckKey& key) {
  if (key.version.empty()) return fmt::format("{}.{}", assignment, name_of(key.check));
  return fmt::format("{}.{}.{}", assignment, key.version, name_of(key.check));
}

}  // namespace warpmark::judge

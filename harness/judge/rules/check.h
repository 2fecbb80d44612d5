// The checks and their ids. Ids are composed here and never parsed.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpmark::judge {

// In order of execution. upload_once concerns the whole submission, every other check one version.
enum class Check { builds, correct, clean, work, fast, upload_once };

std::string_view name_of(Check check);
// Returns the names of all checks, in order of execution.
std::span<const std::string_view> check_names();
// Returns the per-version check with this name, or nullopt.
std::optional<Check> version_check_from(std::string_view name);
// Returns the names that version_check_from() accepts, for error messages.
std::string known_version_checks();

// One check of one submission.
struct CheckKey {
  std::string version;  // empty for upload_once
  Check check = Check::builds;
  // NOLINTNEXTLINE(modernize-use-nullptr): a mistake of clang-tidy 14 about <=>
  friend auto operator<=>(const CheckKey&, const CheckKey&) = default;
};

// "reduction.v07_tree_sequential.correct", "reduction.upload_once".
std::string id_of(const std::string& assignment, const CheckKey& key);

}  // namespace warpmark::judge

// The checks, and their ids: made here at the edge, never taken apart.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace warpmark::judge {

// In the order in which they run. upload_once asks about the whole submission, every other about one version.
enum class Check { builds, correct, clean, work, fast, upload_once };

std::string_view name_of(Check check);
// A check that a version can have, by its name.
std::optional<Check> version_check_from(std::string_view name);
// The names that version_check_from() knows, for messages.
std::string known_version_checks();

// One check of one submission.
struct CheckKey {
  std::string version;  // empty for upload_once
  Check check = Check::builds;
  friend auto operator<=>(const CheckKey&, const CheckKey&) = default;
};

// "reduction.v07_tree_sequential.correct", "reduction.upload_once".
std::string id_of(const std::string& assignment, const CheckKey& key);

}  // namespace warpmark::judge

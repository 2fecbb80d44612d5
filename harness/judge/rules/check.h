// Kinds of check that grade a student's code, and the dotted ids under which reports list them. Ids are only
// composed here, never parsed.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpmark::judge {

// Checks that grade a student's code, in order of execution. `upload_once` grades the whole submission; every
// other check grades one kernel file.
enum class Check { builds, correct, clean, work, fast, upload_once };

std::string_view name_of(Check check);
// Returns the names of all checks, in order of execution.
std::span<const std::string_view> check_names();
// Returns the check of a single kernel file that has this name; nullopt if there is none.
std::optional<Check> version_check_from(std::string_view name);
// Returns the names of the checks of a single kernel file, separated by commas, for error messages.
std::string known_version_checks();

// Identifies one check of one submitted kernel file, or of the whole submission.
struct CheckKey {
  std::string version;  // name of the kernel file; empty for upload_once
  Check check = Check::builds;
  // NOLINTNEXTLINE(modernize-use-nullptr): a mistake of clang-tidy 14 about <=>
  friend auto operator<=>(const CheckKey&, const CheckKey&) = default;
};

// Returns the full id of a check: "reduction.v07_tree_sequential.correct" or "reduction.upload_once".
std::string id_of(const std::string& assignment, const CheckKey& key);

}  // namespace warpmark::judge

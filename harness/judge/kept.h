// Reuses results of an earlier grade for files that have not changed. For students, who grade after every
// edit; gradings of a class or in CI always run everything.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/grade_options.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/rules/check.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// SHA-256 digests of everything on which the results of a submission depend.
struct Digests {
  std::string rules;  // digest of rubric, adapters, headers, options and the installed programs
  // digest per kernel file, including all files that it could include
  std::map<std::string, std::string> versions;

  friend bool operator==(const Digests&, const Digests&) = default;
};
Digests digests_of(const Installation& installation, const GradeOptions& options, const Opened& opened);

// Name of the file with the SHA-256 digests of everything on which an earlier grade depends; it lies next to
// that grade's grade.json.
inline constexpr const char* kDigestsFile = "digests.txt";
std::string to_text(const Digests& digests);

// Reads the grade in `folder` and selects the kernel files that need not be checked again. Returns nullopt if
// there is no grade, a GPU was used, or the rules have changed.
std::optional<Kept> kept_from(const std::filesystem::path& folder, const Digests& now);

// Returns the kernel files whose results in an earlier grade are decided and do not depend on other files.
std::set<std::string> final_versions(const Grade& grade);

// Returns the stored outcome of a check; nullopt if the earlier grade does not contain that check.
std::optional<CheckOutcome> kept_outcome(const Kept& kept, const std::string& id);

}  // namespace warpmark::judge

// Reuses results of an earlier grade whose inputs have not changed. For students, who grade after every edit;
// class and CI gradings always run everything.
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

// SHA-256 digests of everything that the results of a submission depend on.
struct Digests {
  std::string rules;  // of rubric, contract, options and this installation's programs
  std::map<std::string, std::string> versions;  // per version: its file and all files that it could include

  friend bool operator==(const Digests&, const Digests&) = default;
};
Digests digests_of(const Installation& installation, const GradeOptions& options, const Opened& opened);

// Name of the digests' file; it lies beside grade.json.
inline constexpr const char* kDigestsFile = "digests.txt";
std::string to_text(const Digests& digests);

// Reads the grade in `folder` and selects the versions that need not be checked again. Returns nullopt if
// there is no grade, it used a GPU, or the rules have changed.
std::optional<Kept> kept_from(const std::filesystem::path& folder, const Digests& now);

// Returns the versions whose results in an earlier grade are final and depend on that version alone.
std::set<std::string> final_versions(const Grade& grade);

// Returns the outcome of a check as the kept grade holds it; nullopt if the grade does not hold that check.
std::optional<CheckOutcome> kept_outcome(const Kept& kept, const std::string& id);

}  // namespace warpmark::judge

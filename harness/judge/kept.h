// Results of an earlier grade that still hold, because nothing that they rest on has changed. For students,
// who grade after every line: a class and a CI job grade everything.
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

// What the results of a submission rest on, as digests.
struct Digests {
  std::string rules;  // rubric, contract, options, and the programs of this installation
  std::map<std::string, std::string> versions;  // the version's file, and all that it could include

  friend bool operator==(const Digests&, const Digests&) = default;
};
Digests digests_of(const Installation& installation, const GradeOptions& options, const Opened& opened);

// In the folder of the grade's reports, beside grade.json.
inline constexpr const char* kDigestsFile = "digests.txt";
std::string to_text(const Digests& digests);

// The grade in that folder with the versions that need not be asked again; nothing where there is none, or
// where it was made by other rules.
std::optional<Kept> kept_from(const std::filesystem::path& folder, const Digests& now);

// The versions of an earlier grade whose results are final and are those of the version alone.
std::set<std::string> final_versions(const Grade& grade);

// What a check of a kept version found then. Nothing where that grade does not hold the check.
std::optional<CheckOutcome> kept_outcome(const Kept& kept, const std::string& id);

}  // namespace warpmark::judge

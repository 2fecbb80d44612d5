#include "tests/mistakes/graded.h"

#include <cstdlib>
#include <sstream>

#include <toml++/toml.h>

#include "harness/assignment_check/shapes.h"
#include "harness/assignments/home.h"
#include "harness/base/file.h"
#include "tests/home.h"

namespace warpmark::mistakes {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20261122;

// The course's rubric with another limit for a call.
Result<std::string> rubric_with_call_seconds(const std::string& assignment, unsigned seconds) {
  const auto rules = read_file(home_of(assignment).rules());
  if (!rules) return tl::unexpected(rules.error());
  toml::table rubric = toml::parse(*rules);
  toml::table limits;
  if (const toml::table* given = rubric["limits"].as_table()) limits = *given;
  limits.insert_or_assign("call_seconds", seconds);
  rubric.insert_or_assign("limits", limits);
  std::ostringstream text;
  text << rubric;
  return text.str();
}

}  // namespace

judge::GradeOptions options_for(const fs::path& submission, const std::string& assignment,
                                const std::string& only, const std::string& type) {
  judge::GradeOptions options;
  options.submission = submission;
  options.assignment = assignment;
  options.only = only;
  options.focus.type = type;
  options.focus.seed = kSeed;
  return options;
}

Result<judge::GradeOptions> prepared(const Mistake& mistake, const fs::path& scratch) {
  const auto submission = edits::submission_of(mistake.edits, mistake.check == "upload_once");
  if (!submission) return tl::unexpected(submission.error());
  if (auto written = edits::write_submission(*submission, scratch / "submission"); !written)
    return tl::unexpected(written.error());
  const std::string assignment = mistake.edits.assignment();
  const std::string only = edits::check_id(mistake.edits, mistake.check.empty() ? kAllChecks : mistake.check);
  auto options = options_for(scratch / "submission", assignment, only, mistake.type);
  if (mistake.call_seconds == 0) return options;
  options.rubric = scratch / "rubric.toml";
  const auto rubric = rubric_with_call_seconds(assignment, mistake.call_seconds);
  if (!rubric) return tl::unexpected(rubric.error());
  if (auto written = write_file(options.rubric, *rubric); !written) return tl::unexpected(written.error());
  return options;
}

Result<void> write_shapes(const fs::path& folder) {
  for (const std::string& shape : assignment_check::shapes(WARPMARK_ROOT)) {
    if (auto written = assignment_check::write_assignment(WARPMARK_ROOT, shape, shape, folder); !written)
      return tl::unexpected(written.error());
  }
  setenv(kSearchPath, folder.c_str(), 1);
  return {};
}

}  // namespace warpmark::mistakes

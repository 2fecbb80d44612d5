#include "harness/assignment_check/trial_submission.h"

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/judge/judge.h"

namespace warpmark::assignment_check {

namespace fs = std::filesystem;

Files files_in(const fs::path& folder) {
  Files files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    if (auto text = read_file(it->path())) files[it->path().filename().string()] = std::move(*text);
  }
  return files;
}

Result<Grade> graded(const Setting& setting, const Files& files, const std::string& name,
                     const TrialOptions& trial) {
  const TemporaryFolder folder;
  const fs::path submission = folder.path() / name;
  std::error_code error;
  fs::create_directories(submission, error);
  for (const auto& [file, text] : files) {
    if (auto written = write_file(submission / file, text); !written) return tl::unexpected(written.error());
  }
  judge::GradeOptions options;
  options.program = setting.options.program;
  options.submission = submission;
  options.assignment = setting.rubric.home.folder.string();
  if (setting.rubric.home.built_in) options.assignment = setting.rubric.home.name;
  options.cache = setting.options.cache;
  options.ignores_same_code = true;
  options.jobs = setting.options.jobs;
  options.engine = trial.engine;
  options.only = trial.only;
  options.focus.seed = trial.seed;
  options.progress = [&](const std::string& line) {
    setting.options.progress(fmt::format("{}: {}", name, line));
  };
  return judge::grade_submission(setting.installation, options);
}

}  // namespace warpmark::assignment_check

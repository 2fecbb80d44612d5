#include "harness/assignment_check/program_mutants.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/intake/submission.h"
#include "harness/judge/programs/program_grading.h"
#include "harness/judge/programs/recording.h"
#include "harness/judge/score.h"

namespace warpmark::assignment_check {
namespace {

namespace fs = std::filesystem;
using judge::Check;
using judge::VersionRule;

constexpr std::chrono::milliseconds kShortestRun{3000};
// Time limit of one run of a mutant, as a multiple of the time that all runs of the solution in `correct`
// take.
constexpr double kRunsAsLong = 5;

void copy_solution(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    if (entry.is_regular_file()) fs::copy_file(entry.path(), to / entry.path().filename());
  }
}

void write(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (const auto written = write_file(file, text); !written)
    throw std::runtime_error(written.error().message);
}

}  // namespace

std::vector<std::string> solution_files(const judge::Rubric& rubric, const VersionRule& version) {
  if (!rubric.program) return {version.file()};
  return judge::sources_in(rubric.home.reference, version);
}

ProgramMutants::ProgramMutants(const Setting& setting, const std::map<std::string, double>& seconds)
    : setting_(setting),
      seconds_(seconds),
      engines_(setting.engines.only(Engine::simulator)),
      rubric_(setting.rubric),
      builder_(setting.installation, setting.rubric, engines_, setting.options.cache) {}

Result<std::unique_ptr<ProgramMutants>> ProgramMutants::make(const Setting& setting,
                                                             const std::map<std::string, double>& seconds) {
  std::unique_ptr<ProgramMutants> mutants(new ProgramMutants(setting, seconds));
  if (auto done = mutants->record_outputs(); !done) return tl::unexpected(done.error());
  return mutants;
}

// Copies the assignment and adds the solution's outputs, so that the solution is not run again for each
// mutant.
Result<void> ProgramMutants::record_outputs() try {
  const auto outputs =
      judge::recorded_outputs(setting_.installation, setting_.rubric, setting_.options.cache, true);
  if (!outputs) return tl::unexpected(outputs.error());
  const fs::path home = course_.path() / "assignment";
  fs::copy(setting_.rubric.home.folder, home, fs::copy_options::recursive);
  for (const auto& [place, text] : *outputs) write(home / place, text);
  rubric_.home.folder = home;
  return {};
} catch (const std::exception& error) {
  return fail(fmt::format("the assignment cannot be copied for its mutants: {}", error.what()));
}

judge::Rubric ProgramMutants::rules_for(const std::string& version, bool with_clean) const {
  judge::Rubric rubric = rubric_;
  std::erase_if(rubric.versions, [&](const VersionRule& rule) { return rule.name != version; });
  for (VersionRule& rule : rubric.versions) {
    std::erase_if(rule.checks, [&](Check check) {
      return check == Check::fast || (check == Check::clean && !with_clean);
    });
    rule.needs.clear();
  }
  program::Spec spec = *rubric.program;
  const auto found = seconds_.find(version);
  const auto longest = std::chrono::milliseconds(
      static_cast<std::int64_t>(1000 * kRunsAsLong * (found == seconds_.end() ? 0 : found->second)));
  spec.run_limit = std::min(spec.run_limit, std::max(kShortestRun, longest));
  rubric.program = std::make_shared<const program::Spec>(std::move(spec));
  return rubric;
}

const std::optional<build::Code>& ProgramMutants::solution_of(const VersionRule& version) {
  const std::scoped_lock lock(mutex_);
  const auto found = solutions_.find(version.name);
  if (found != solutions_.end()) return found->second;
  const auto built = builder_.build(setting_.rubric.home.reference, version);
  std::optional<build::Code> code;
  if (built.causes.empty()) {
    if (auto read = build::code_of(built.program)) code = std::move(*read);
  }
  return solutions_[version.name] = std::move(code);
}

// Grades a mutant by the rules; returns true if its grade is not full, which decides its fate.
bool ProgramMutants::decided_by(const judge::Rubric& rubric, const fs::path& submission,
                                MutantResult& result) {
  auto taken = judge::take_in(submission, rubric, setting_.installation.root);
  if (!taken) throw std::runtime_error(taken.error().message);
  judge::GradeOptions options;
  options.engine = Engine::simulator;
  options.cache = setting_.options.cache;
  options.jobs = 1;
  const judge::Course course = judge::resolve(rubric);
  const auto grade = judge::grade_programs(setting_.installation, options, course, *taken, engines_);
  if (!grade) throw std::runtime_error(grade.error().message);
  for (const CheckResult& check : grade->checks) {
    if (check.verdict == Verdict::passed || check.causes.empty()) continue;
    const Cause& cause = check.causes.front();
    result.check = check.check;
    const bool failed = check.verdict == Verdict::failed;
    result.fate = failed ? Fate::failed : Fate::undecided;
    result.reason = failed ? std::string(rule_of(cause.kind).title) : cause.message;
    return true;
  }
  return false;
}

MutantResult ProgramMutants::judge(const source_edits::Mutant& mutant) {
  MutantResult result{
      mutant.version, mutant.file, mutant.kind, mutant.line, mutant.line_text, mutant.edit, mutant.nth,
      Fate::survived, "",          "",          ""};
  const VersionRule& version = *setting_.rubric.find(mutant.version);
  const TemporaryFolder folder;
  const fs::path submission = folder.path() / "mutant";
  copy_solution(setting_.rubric.home.reference, submission);
  write(submission / mutant.file, mutant.text);
  const auto built = builder_.build(submission, version);
  if (!built.causes.empty()) {
    result.fate = built.causes.front().kind == CauseKind::internal ? Fate::undecided : Fate::not_compiled;
    result.check = "builds";
    result.reason = built.causes.front().message;
    return result;
  }
  if (const auto& solution = solution_of(version)) {
    const auto code = build::code_of(built.program);
    if (code && *code == *solution) {
      result.fate = Fate::same_code;
      return result;
    }
  }
  // Most mutants print something wrong, so that their other orders need not be run.
  for (const bool with_clean : {false, true}) {
    if (with_clean && !version.has(Check::clean)) break;
    if (decided_by(rules_for(version.name, with_clean), submission, result)) return result;
  }
  const source_edits::Operator* kind = source_edits::find_operator(mutant.kind);
  if (kind != nullptr && kind->needs_huge_sizes) result.fate = Fate::out_of_reach;
  return result;
}

}  // namespace warpmark::assignment_check

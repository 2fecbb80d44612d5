#include "harness/assignment_check/feedback.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <optional>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "harness/assignment_check/mutant_judge.h"
#include "harness/assignment_check/program_mutants.h"
#include "harness/assignment_check/trial_submission.h"
#include "harness/base/system_entry.h"
#include "reports/grade/cards.h"

namespace warpmark::assignment_check {
namespace {

std::vector<source_edits::Mutant> mutants_to_grade(const judge::Rubric& rubric) {
  std::vector<source_edits::Mutant> all;
  for (const judge::VersionRule& version : rubric.versions) {
    if (!is_to_write(version) || !obstacle_to_mutants(version).empty()) continue;
    for (const std::string& file : solution_files(rubric, version)) {
      const auto text = read_file(rubric.home.reference / file);
      if (!text) continue;
      auto of_file = source_edits::mutants_of(version.name, file, *text);
      std::ranges::move(of_file, std::back_inserter(all));
    }
  }
  return all;
}

}  // namespace

std::optional<FeedbackMutant> first_seen(const Grade& grade, const source_edits::Mutant& mutant) {
  for (const Card& card : cards_of(grade)) {
    if (card.whole || card.name != mutant.version) continue;
    FeedbackMutant seen{mutant.version,
                        mutant.file,
                        mutant.kind,
                        mutant.line,
                        mutant.line_text,
                        mutant.edit,
                        "",
                        "",
                        "",
                        "",
                        {}};
    if (card.causes.empty()) return seen;
    const Cause& cause = *card.causes.front().cause;
    seen.check = card.causes.front().checks.front();
    seen.cause = name_of(cause.kind);
    seen.mistake = cause.mistake;
    seen.message = cause.message;
    seen.named_lines = lines_named_by(cause, mutant.file);
    return seen;
  }
  return std::nullopt;
}

Result<FeedbackReport> measure_feedback(const Setting& setting) {
  const judge::Rubric& rubric = setting.rubric;
  const CheckOptions& options = setting.options;
  FeedbackReport report;
  report.assignment = rubric.assignment;
  report.tool_version = WARPMARK_VERSION;
  report.made_at = fmt::format("{:%F}", fmt::gmtime(std::time(nullptr)));
  report.machine = fmt::format("{}, {} threads", system_entry("/proc/cpuinfo", "model name"),
                               std::thread::hardware_concurrency());
  report.seed = options.seed;
  std::vector<source_edits::Mutant> chosen = mutants_to_grade(rubric);
  report.all_mutants = chosen.size();
  chosen = source_edits::sample_of(std::move(chosen), options.mutants, options.seed);
  report.graded = chosen.size();
  const Files reference = files_in(rubric.home.reference);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    options.progress(fmt::format("mutants: {} of {}", i, chosen.size()));
    const source_edits::Mutant& mutant = chosen[i];
    Files files = reference;
    files[mutant.file] = mutant.text;
    const auto grade = graded(setting, files, "mutant", {Engine::simulator, mutant.version, options.seed});
    if (!grade) return tl::unexpected(grade.error());
    auto seen = first_seen(*grade, mutant);
    if (!seen)
      ++report.passed;
    else if (seen->check == name_of(judge::Check::builds))
      ++report.no_program;
    else
      report.mutants.push_back(std::move(*seen));
  }
  return report;
}

}  // namespace warpmark::assignment_check

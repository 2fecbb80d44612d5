#include "harness/assignment_check/check.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <map>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignment_check/feedback.h"
#include "harness/assignment_check/mutant_judge.h"
#include "harness/assignment_check/program_mutants.h"
#include "harness/assignment_check/programs.h"
#include "harness/assignment_check/proposal.h"
#include "harness/assignment_check/reading.h"
#include "harness/assignment_check/record.h"
#include "harness/assignment_check/survivors.h"
#include "harness/assignment_check/worth.h"
#include "harness/base/parallel.h"
#include "harness/judge/intake/opening.h"
#include "harness/source_edits/mutants.h"

namespace warpmark::assignment_check {
namespace {

using judge::VersionRule;

bool has_open(const std::vector<AssignmentFinding>& findings) {
  return std::ranges::find(findings, Standing::open, &AssignmentFinding::standing) != findings.end();
}

// Returns true if an entry of the assignment's list of equivalent mutants (mutants that no input can tell
// from the solution) names the given mutant.
bool means(const judge::Equivalent& entry, const std::string& version, const std::string& line,
           const std::string& edit, std::uint64_t nth) {
  return entry.line == line && entry.edit == edit && entry.nth == nth &&
         (entry.version.empty() || entry.version == version);
}

class AssignmentCheck {
 public:
  AssignmentCheck(const judge::Installation& installation, const CheckOptions& options)
      : options_(options), setting_{installation, options_, {}, {}, {}} {}

  // Reads an assignment's rules and files, and finds the engines (GPU, simulator) that can grade it. Returns
  // false if mistakes in the assignment prevent grading.
  Result<bool> read() {
    const auto home = find_assignment(setting_.installation.root, options_.assignment);
    if (!home) return tl::unexpected(home.error());
    report_.assignment = home->name;
    report_.folder = home->folder.string();
    report_.tool_version = WARPMARK_VERSION;
    report_.checked_at = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
    report_.class_size = options_.class_size;
    report_.jobs = options_.jobs;
    report_.seed = options_.seed;
    for (const source_edits::Operator& each : source_edits::operators())
      report_.kinds.push_back({std::string(each.name), std::string(each.what)});
    using judge::WorkLimits;
    const WorkLimits limits = options_.propose ? WorkLimits::optional : WorkLimits::required;
    auto rubric = read_rules(*home, limits, report_.reading);
    if (!rubric) return false;
    setting_.rubric = std::move(*rubric);
    report_.title = setting_.rubric.title;
    report_.reading = read_files(setting_.rubric);
    setting_.engines = judge::find_engines(setting_.installation, judge::kEngineLimit, true);
    if (!setting_.engines.has(Engine::simulator) && !setting_.has_gpu())
      return fail("nothing here can grade: " + setting_.engines.missing.at(Engine::simulator).message);
    for (const auto& [engine, toolchain] : setting_.engines.toolchains) {
      if (!is_sanitizer(engine))
        report_.engines.push_back(fmt::format(
            "{}: {}, {}", name_of(engine), setting_.engines.devices.at(engine).name, toolchain.description));
    }
    if (setting_.rubric.program) return !has_open(report_.reading);
    auto made = judge::make_assignment(setting_.rubric, setting_.installation, options_.cache);
    if (!made) {
      report_.reading.push_back({Standing::open, made.error().message, "", 0, ""});
      return false;
    }
    setting_.assignment = std::move(*made);
    const auto built = build_course_code(setting_);
    report_.reading.insert(report_.reading.end(), built.begin(), built.end());
    return !has_open(report_.reading);
  }

  Result<AssignmentReport> run() {
    const auto ready = read();
    if (!ready) return tl::unexpected(ready.error());
    report_.stopped = !*ready;
    if (report_.stopped) return std::move(report_);
    const auto recorded = findings_of_record(setting_.rubric);
    report_.reading.insert(report_.reading.end(), recorded.begin(), recorded.end());
    try {
      if (auto done = grade_all(); !done) return tl::unexpected(done.error());
    } catch (const AssignmentFault& fault) {
      report_.expected.push_back({Standing::open, fault.what(), "", 0, ""});
      report_.stopped = true;
    }
    return std::move(report_);
  }

  Result<std::string> proposal() {
    if (const auto ready = readable(); !ready) return tl::unexpected(ready.error());
    if (setting_.rubric.program)
      return fail("programs have no check `work`, so there are no limits to propose");
    return propose_limits(setting_);
  }

  Result<ReferenceWork> record() try {
    if (const auto ready = readable(); !ready) return tl::unexpected(ready.error());
    if (!setting_.engines.has(Engine::simulator))
      return fail(setting_.engines.missing.at(Engine::simulator).message);
    return record_work(setting_);
  } catch (const AssignmentFault& fault) {
    return fail(fault.what());
  }

  Result<FeedbackReport> feedback() try {
    if (const auto ready = readable(); !ready) return tl::unexpected(ready.error());
    if (!setting_.engines.has(Engine::simulator))
      return fail("mutants run on the simulator; " + setting_.engines.missing.at(Engine::simulator).message);
    return measure_feedback(setting_);
  } catch (const AssignmentFault& fault) {
    return fail(fault.what());
  }

 private:
  // Reads the assignment; fails with its first mistake if nothing can be graded.
  Result<void> readable() {
    const auto ready = read();
    if (!ready) return tl::unexpected(ready.error());
    for (const AssignmentFinding& finding : report_.reading) {
      if (finding.standing != Standing::open || *ready) continue;
      return fail(fmt::format("{}{}{}", finding.file,
                              finding.line > 0       ? fmt::format(":{}: ", finding.line)
                              : finding.file.empty() ? ""
                                                     : ": ",
                              finding.message));
    }
    return {};
  }

  Result<void> grade_programs() {
    auto worth = worth_of(setting_);
    if (!worth) return tl::unexpected(worth.error());
    report_.worth = std::move(worth->rows);
    report_.costs = std::move(worth->costs);
    report_.gaps = gaps_of_cases(setting_.rubric);
    report_.gaps.insert(report_.gaps.end(), worth->gaps.begin(), worth->gaps.end());
    failed_ = std::move(worth->failed);
    if (auto done = grade_mutants(*worth); !done) return done;
    const auto checks = gaps_of_checks(setting_, report_.mutants, failed_);
    report_.gaps.insert(report_.gaps.end(), checks.begin(), checks.end());
    return {};
  }

  Result<void> grade_all() {
    if (setting_.rubric.program) return grade_programs();
    report_.expected = call_expected_twice(setting_);
    report_.stopped = has_open(report_.expected);
    const auto timed = time_answers_of_fast(setting_);
    report_.expected.insert(report_.expected.end(), timed.begin(), timed.end());
    if (report_.stopped) return {};
    auto worth = worth_of(setting_);
    if (!worth) return tl::unexpected(worth.error());
    report_.worth = std::move(worth->rows);
    report_.costs = std::move(worth->costs);
    report_.gaps = gaps_of_sizes(setting_);
    report_.gaps.insert(report_.gaps.end(), worth->gaps.begin(), worth->gaps.end());
    failed_ = std::move(worth->failed);
    if (auto done = grade_mutants(*worth); !done) return done;
    const auto checks = gaps_of_checks(setting_, report_.mutants, failed_);
    report_.gaps.insert(report_.gaps.end(), checks.begin(), checks.end());
    return {};
  }

  void note(Standing standing, std::string message) {
    report_.gaps.push_back({standing, std::move(message), "", 0, ""});
  }

  // Returns the mutants of all versions (kernels of the exercise) whose mutants can be graded, and stores the
  // source of each such version's solution.
  std::vector<source_edits::Mutant> all_mutants(const WorthResult& worth) {
    std::vector<source_edits::Mutant> all;
    for (const VersionRule& version : setting_.rubric.versions) {
      if (!is_to_write(version)) continue;
      std::vector<source_edits::Mutant> mutants;
      std::string source;
      for (const std::string& file : solution_files(setting_.rubric, version)) {
        const auto text = read_file(setting_.rubric.home.reference / file);
        if (!text) continue;
        auto of_file = source_edits::mutants_of(version.name, file, *text);
        // the work of programs has no limits
        if (setting_.rubric.program)
          std::erase_if(of_file, [](const source_edits::Mutant& mutant) {
            return source_edits::find_operator(mutant.kind)->costs_only;
          });
        mutants.insert(mutants.end(), of_file.begin(), of_file.end());
        source += *text;
      }
      if (source.empty()) continue;
      match_equivalent(version.name, mutants);
      if (const std::string obstacle = obstacle_to_mutants(version); !obstacle.empty()) {
        note(version.gpu_only ? Standing::elsewhere : Standing::remark,
             fmt::format("{}: no mutants are graded: {}", version.name, obstacle));
        continue;
      }
      if (std::ranges::find(worth.sound, version.name) == worth.sound.end()) {
        note(Standing::remark,
             fmt::format("{}: no mutants are graded, because its solution does not earn full marks",
                         version.name));
        continue;
      }
      if (mutants.empty())
        note(Standing::remark,
             fmt::format("{}: nothing in its solution can be changed by a mutant", version.name));
      sources_[version.name] = source;
      all.insert(all.end(), mutants.begin(), mutants.end());
    }
    return all;
  }

  void match_equivalent(const std::string& version, const std::vector<source_edits::Mutant>& mutants) {
    for (const judge::Equivalent& entry : setting_.rubric.equivalent) {
      for (const source_edits::Mutant& mutant : mutants) {
        if (means(entry, version, mutant.line_text, mutant.edit, mutant.nth))
          ++matched_[&entry];
        else if (entry.line == mutant.line_text)
          edits_[&entry].push_back(mutant.edit);
      }
    }
  }

  Result<void> grade_mutants(const WorthResult& worth) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<source_edits::Mutant> all = all_mutants(worth);
    report_.all_mutants = all.size();
    for (const judge::Equivalent& entry : setting_.rubric.equivalent) {
      if (matched_.contains(&entry)) continue;
      const auto edits = edits_.find(&entry);
      report_.gaps.push_back(
          {Standing::open,
           fmt::format(
               "equivalent: no mutant changes the line \"{}\" by \"{}\"{}{}; correct the entry, or remove it",
               entry.line, entry.edit, entry.nth > 1 ? fmt::format(" with nth = {}", entry.nth) : "",
               edits == edits_.end() ? "" : fmt::format(" (its edits: {})", fmt::join(edits->second, "; "))),
           setting_.rubric.home.rules().string(), entry.at, ""});
    }
    if (!setting_.engines.has(Engine::simulator)) {
      note(Standing::elsewhere, "no mutants are graded: they run on the simulator; " +
                                    setting_.engines.missing.at(Engine::simulator).message);
      return {};
    }
    const std::vector<source_edits::Mutant> chosen =
        source_edits::sample_of(all, options_.mutants, options_.seed);
    if (setting_.rubric.program) {
      if (chosen.empty()) return {};
      auto judge = ProgramMutants::make(setting_, worth.correct_seconds);
      if (!judge) return tl::unexpected(judge.error());
      judge_all(chosen, **judge);
    } else {
      MutantJudge judge(setting_, worth.correct_seconds);
      judge_all(chosen, judge);
      look_for_unclean(judge, all);
    }
    report_.mutant_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return {};
  }

  void judge_all(const std::vector<source_edits::Mutant>& chosen, auto& judge) {
    report_.mutants.resize(chosen.size());
    std::atomic<std::size_t> done{0};
    in_parallel(chosen.size(), options_.jobs, [&](std::size_t i) {
      report_.mutants[i] = judge.judge(chosen[i]);
      options_.progress(fmt::format("mutants: {} of {}", ++done, chosen.size()));
    });
    for (MutantResult& mutant : report_.mutants) settle(mutant);
  }

  // Most mutants already fail `correct` (right answers), so `clean` (no races, no invalid accesses) is never
  // run on them. Runs `clean` on some of them until one mutant per version fails it, as evidence that the
  // check finds something.
  void look_for_unclean(MutantJudge& judge, const std::vector<source_edits::Mutant>& all) {
    std::vector<std::string> versions;
    for (const VersionRule& version : setting_.rubric.versions) {
      if (version.has(judge::Check::clean) && !failed_[version.name].contains("clean"))
        versions.push_back(version.name);
    }
    std::vector<std::atomic<bool>> found(versions.size());
    in_parallel(versions.size(), options_.jobs,
                [&](std::size_t i) { found[i] = any_is_unclean(judge, all, versions[i]); });
    for (std::size_t i = 0; i < versions.size(); ++i) {
      if (found[i]) failed_[versions[i]]["clean"] = "a mutant";
    }
  }

  // Tries the mutants of one version that are most likely to fail `clean`.
  static bool any_is_unclean(MutantJudge& judge, const std::vector<source_edits::Mutant>& all,
                             const std::string& version) {
    static constexpr std::size_t kMostTries = 12;
    static constexpr std::array<std::string_view, 4> kLikely{"test", "barrier", "index", "comparison"};
    std::size_t tries = 0;
    for (const std::string_view kind : kLikely) {
      for (const source_edits::Mutant& mutant : all) {
        if (mutant.version != version || mutant.kind != kind) continue;
        if (++tries > kMostTries) return false;
        if (judge.fails_clean(mutant)) return true;
      }
    }
    return false;
  }

  // Marks a surviving mutant that the assignment lists as equivalent; for any other survivor, suggests a test
  // that would catch it.
  void settle(MutantResult& mutant) {
    const auto entry = std::ranges::find_if(setting_.rubric.equivalent, [&](const judge::Equivalent& each) {
      return means(each, mutant.version, mutant.line_text, mutant.edit, mutant.nth);
    });
    const bool listed = entry != setting_.rubric.equivalent.end();
    if (listed && mutant.fate == Fate::failed)
      report_.gaps.push_back(
          {Standing::remark,
           fmt::format(
               "equivalent: \"{}\", \"{}\" of {} fails `{}`, so it is not equivalent; remove the entry",
               entry->line, entry->edit, mutant.version, mutant.check),
           setting_.rubric.home.rules().string(), entry->at, ""});
    if (listed && (mutant.fate == Fate::survived || mutant.fate == Fate::out_of_reach))
      mutant.fate = Fate::equivalent;
    if (mutant.fate == Fate::failed) failed_[mutant.version].try_emplace(mutant.check, "a mutant");
    if (mutant.fate == Fate::survived || mutant.fate == Fate::out_of_reach)
      mutant.remedy = remedy_for(setting_, mutant, sources_[mutant.version]);
  }

  CheckOptions options_;
  Setting setting_;
  AssignmentReport report_;
  Failed failed_;
  // Source code of the reference solutions, keyed by kernel version name.
  std::map<std::string, std::string> sources_;
  // Number of mutants that match each entry of the assignment's list of equivalent mutants.
  std::map<const judge::Equivalent*, std::size_t> matched_;
  // Per entry of the list of equivalent mutants: the edits of all mutants on the source line that the entry
  // names.
  std::map<const judge::Equivalent*, std::vector<std::string>> edits_;
};

}  // namespace

Result<AssignmentReport> check_assignment(const judge::Installation& installation,
                                          const CheckOptions& options) {
  return AssignmentCheck(installation, options).run();
}

Result<std::string> propose(const judge::Installation& installation, const CheckOptions& options) {
  return AssignmentCheck(installation, options).proposal();
}

Result<ReferenceWork> record(const judge::Installation& installation, const CheckOptions& options) {
  return AssignmentCheck(installation, options).record();
}

Result<std::filesystem::path> record_file(const judge::Installation& installation,
                                          const CheckOptions& options) {
  const auto home = find_assignment(installation.root, options.assignment);
  if (!home) return tl::unexpected(home.error());
  return home->folder / kReferenceFile;
}

Result<FeedbackReport> feedback(const judge::Installation& installation, const CheckOptions& options) {
  return AssignmentCheck(installation, options).feedback();
}

}  // namespace warpmark::assignment_check

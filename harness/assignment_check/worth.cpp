#include "harness/assignment_check/worth.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/stubs.h"
#include "harness/assignments/tokens.h"
#include "harness/judge/rounding.h"
#include "harness/judge/score.h"

namespace warpmark::assignment_check {
namespace {

using judge::Check;
using judge::VersionRule;

// Tolerance for comparing points: sums of binary fractions have rounding errors.
constexpr double kTiny = 1e-6;

// The points that a submission earned for one version of the exercise.
struct Earned {
  double points = 0, possible = 0, open = 0;
  double points_here = 0, possible_here = 0;  // points that the version earned in the checks that need no GPU
  // The version's first failed check, or else the first check that earned less than its full points.
  const CheckResult* lost = nullptr;
  bool broken = false;
};

bool needs_gpu(const VersionRule& version, std::string_view check) {
  return !version.host && (version.gpu_only || check == name_of(Check::fast));
}

Earned earned_by(const Grade& grade, const VersionRule& version) {
  Earned earned;
  for (const CheckResult& check : grade.checks) {
    if (check.version != version.name) continue;
    // A bonus version has bonus points only: they count like ordinary points for each check that this machine
    // decided (passed or failed).
    const bool counts_bonus =
        version.is_bonus && (check.verdict == Verdict::passed || check.verdict == Verdict::failed);
    const double points = check.points + (counts_bonus ? check.bonus : 0);
    const double possible = check.possible + (counts_bonus ? check.bonus_possible : 0);
    earned.points += points;
    earned.possible += possible;
    earned.open += check.open;
    const bool not_earned = points + check.open + kTiny < possible || check.verdict == Verdict::failed;
    const bool explains = earned.lost == nullptr ||
                          (earned.lost->verdict != Verdict::failed && check.verdict == Verdict::failed);
    if (not_earned && explains) earned.lost = &check;
    if (check.verdict == Verdict::broken || check.verdict == Verdict::inconclusive) earned.broken = true;
    if (needs_gpu(version, check.check)) continue;
    earned.points_here += points;
    earned.possible_here += possible;
  }
  return earned;
}

std::string why_lost(const judge::Rubric& rubric, const CheckResult& check) {
  if (check.causes.empty())
    return fmt::format("{}: {}", check.check, check.notes.empty() ? "" : check.notes.front().message);
  const Cause& cause = check.causes.front();
  const std::string place = cause.line > 0 ? fmt::format(" ({}:{})", cause.file, cause.line) : "";
  return fmt::format("{}: {}{}{}", check.check, cause.message, place, judge::tolerance_advice(rubric, cause));
}

class Gradings {
 public:
  explicit Gradings(const Setting& setting)
      : setting_(setting), reference_(files_in(setting.rubric.home.reference)) {}

  Result<WorthResult> run() {
    for (auto step : {&Gradings::grade_reference, &Gradings::grade_template}) {
      if (auto done = (this->*step)(); !done) return tl::unexpected(done.error());
    }
    if (setting_.rubric.program) return std::move(result_);
    for (auto step : {&Gradings::grade_naive, &Gradings::grade_neighbours}) {
      if (auto done = (this->*step)(); !done) return tl::unexpected(done.error());
    }
    ask_for_more_than_answers();
    return std::move(result_);
  }

 private:
  Result<Grade> graded(const Files& files, const std::string& name, std::optional<Engine> engine,
                       const std::string& only = "*") {
    return assignment_check::graded(setting_, files, name, {engine, only});
  }

  [[nodiscard]] std::string engine_name(std::optional<Engine> engine) const {
    return std::string(name_of(engine ? *engine : setting_.has_gpu() ? Engine::gpu : Engine::simulator));
  }

  void note_failures(const Grade& grade, const std::string& submission) {
    for (const CheckResult& check : grade.checks) {
      if (check.verdict == Verdict::failed && !check.version.empty())
        result_.failed[check.version].try_emplace(check.check, submission);
    }
  }

  // Grades the reference solution as a submission that is not in the build cache, so that the measured times
  // are those of a new submission by a student.
  Result<void> grade_reference() {
    Files files = reference_;
    const std::uint64_t nonce = judge::seed_from_the_system();
    for (auto& [name, text] : files) {
      if (name.ends_with(".cu") || name.ends_with(".cpp")) text += fmt::format("\n// {:x}\n", nonce);
    }
    std::vector<std::optional<Engine>> engines{std::nullopt};
    if (setting_.has_gpu() && setting_.engines.has(Engine::simulator))
      engines.emplace_back(Engine::simulator);
    std::map<std::string, bool> sound;
    for (const auto& engine : engines) {
      const auto grade = graded(files, "reference", engine);
      if (!grade) return tl::unexpected(grade.error());
      for (const VersionRule& version : setting_.rubric.versions) {
        const Earned earned = earned_by(*grade, version);
        WorthRow row{"reference",     engine_name(engine), version.name,
                     earned.points,   earned.possible,     earned.open,
                     earned.possible, Standing::fine,      ""};
        if (earned.lost != nullptr || earned.broken) {
          row.standing = Standing::open;
          row.why = earned.lost != nullptr ? why_lost(setting_.rubric, *earned.lost)
                                           : "a check was inconclusive or broke";
        } else if (earned.open > 0) {
          row.standing = Standing::elsewhere;
          row.why = "open: needs a GPU, or what else this machine lacks";
        }
        const bool good = row.standing != Standing::open;
        sound[version.name] = (sound.contains(version.name) ? sound[version.name] : true) && good;
        result_.rows.push_back(std::move(row));
      }
      if (engine.has_value() && engines.size() > 1) continue;
      for (const CheckResult& check : grade->checks) {
        if (check.seconds > 0 && !check.version.empty())
          result_.costs.push_back({check.version, check.check, check.seconds});
        if (check.check == name_of(Check::correct)) result_.correct_seconds[check.version] = check.seconds;
      }
      for (const CheckResult& check : grade->checks) {
        if (check.version.empty() && check.points + check.open + kTiny < check.possible)
          result_.rows.push_back({"reference", engine_name(engine), check.check, check.points, check.possible,
                                  check.open, check.possible, Standing::open,
                                  why_lost(setting_.rubric, check)});
      }
    }
    for (const auto& [name, good] : sound) {
      if (good) result_.sound.push_back(name);
    }
    return {};
  }

  // Grading skips the compilation of an unedited template. An extra token turns the template into a student's
  // attempt, which must compile, so that no student begins with an error.
  Result<void> grade_template() {
    Files files;
    for (const auto& [name, text] : reference_) {
      if (is_reference_only(text)) continue;
      auto stub = stub_of(setting_.rubric.home, name);
      if (!stub) return tl::unexpected(stub.error());
      files[name] = std::move(*stub);
    }
    const auto grade = graded(files, "template", std::nullopt);
    if (!grade) return tl::unexpected(grade.error());
    note_failures(*grade, "template");
    for (auto& [name, text] : files) {
      if (name.ends_with(".cu") || name.ends_with(".cpp")) text += "\nstatic_assert(true);\n";
    }
    const auto touched = graded(files, "touched template", std::nullopt, "*.builds");
    if (!touched) return tl::unexpected(touched.error());
    for (const VersionRule& version : setting_.rubric.versions) {
      if (version.reference_only) continue;
      const Earned earned = earned_by(*grade, version);
      WorthRow row{"template",
                   engine_name(std::nullopt),
                   version.name,
                   earned.points,
                   earned.possible,
                   earned.open,
                   0,
                   Standing::fine,
                   ""};
      if (version.given) {
        row.submission = "template, given version";
        row.at_most = earned.possible;
        if (earned.lost != nullptr) {
          row.standing = Standing::open;
          row.why = why_lost(setting_.rubric, *earned.lost);
        }
      } else if (earned.points > kTiny) {
        row.standing = Standing::open;
        row.why =
            "the untouched template must earn nothing: mark what students write with // <solution> and // "
            "</solution>";
      } else {
        const Earned attempt = earned_by(*touched, version);
        if (attempt.lost != nullptr && !version.gpu_only) {
          row.standing = Standing::open;
          row.why = "the template does not compile once a student changes it; " +
                    why_lost(setting_.rubric, *attempt.lost);
        }
      }
      result_.rows.push_back(std::move(row));
    }
    return {};
  }

  // Returns the versions that students write for points, except the naive version. Each of them is compared
  // with the naive version.
  [[nodiscard]] std::vector<const VersionRule*> to_write() const {
    std::vector<const VersionRule*> versions;
    for (const VersionRule& version : setting_.rubric.versions) {
      const std::string& naive = version.host ? setting_.rubric.host.naive : setting_.rubric.naive;
      if (is_to_write(version) && version.name != naive) versions.push_back(&version);
    }
    return versions;
  }

  Result<void> grade_naive() {
    const judge::Rubric& rubric = setting_.rubric;
    Files files = reference_;
    std::vector<const VersionRule*> compared;
    for (const VersionRule* version : to_write()) {
      const std::string& naive = version->host ? rubric.host.naive : rubric.naive;
      if (naive.empty() || !reference_.contains(rubric.file_of(naive))) continue;
      files[version->file()] = renamed(reference_.at(rubric.file_of(naive)), naive, version->name);
      compared.push_back(version);
    }
    if (compared.empty()) {
      if (!to_write().empty())
        result_.gaps.push_back(
            {Standing::remark,
             "no `naive` version is named, so nothing shows what a version without its lesson earns",
             rubric.home.rules().string(), 0, ""});
      return {};
    }
    for (const VersionRule& version : rubric.versions) {
      if (std::ranges::find(compared, &version) == compared.end()) files.erase(version.file());
    }
    const auto grade = graded(files, "naive", std::nullopt);
    if (!grade) return tl::unexpected(grade.error());
    note_failures(*grade, "the naive version");
    for (const VersionRule* version : compared) compare_naive(*version, *grade);
    return {};
  }

  void compare_naive(const VersionRule& version, const Grade& grade) {
    const Earned earned = earned_by(grade, version);
    const double share = version.naive_may_earn.value_or(kNaiveMayEarn);
    WorthRow row{"naive version",
                 engine_name(std::nullopt),
                 version.name,
                 earned.points,
                 earned.possible,
                 earned.open,
                 share * earned.possible,
                 Standing::fine,
                 ""};
    const double percent = earned.possible > 0 ? 100 * earned.points / earned.possible : 0;
    const double here = earned.possible_here > 0 ? 100 * earned.points_here / earned.possible_here : 0;
    if (earned.points > share * earned.possible + kTiny ||
        earned.points_here > share * earned.possible_here + kTiny) {
      row.standing = Standing::open;
      row.why = fmt::format(
          "it earns {:.0f} % of the points, and {:.0f} % of those that need no GPU; at most {:.0f} %: give "
          "`work` and `fast` more of the points, add a "
          "[[version.work]] that the naive version breaks, or set naive_may_earn",
          percent, here, 100 * share);
    } else {
      row.why = fmt::format("{:.0f} % of the points, {:.0f} % of those that need no GPU; at most {:.0f} %",
                            percent, here, 100 * share);
      if (version.has(Check::fast) && !version.host && earned.open > 0 &&
          version.speed_unit == judge::SpeedUnit::naive && version.steps.front().at_least <= 1) {
        row.standing = Standing::remark;
        row.why += fmt::format(
            "; on a GPU without calibration it also earns `fast`: the required speedup is {:g}, and 1 is the "
            "naive version's own",
            version.steps.front().at_least);
      }
    }
    result_.rows.push_back(std::move(row));
  }

  // Grades each version's solution file in the place of the next version's, to find versions that ask for
  // nothing new.
  Result<void> grade_neighbours() {
    const judge::Rubric& rubric = setting_.rubric;
    Files files = reference_;
    std::map<const VersionRule*, const VersionRule*> before;
    for (std::size_t i = 0; i < rubric.versions.size(); ++i) {
      const VersionRule& version = rubric.versions[i];
      files.erase(version.file());
      if (i == 0 || !is_to_write(version)) continue;
      const VersionRule& last = rubric.versions[i - 1];
      if (last.host != version.host || !reference_.contains(last.file())) continue;
      before[&version] = &last;
    }
    for (const auto& [version, last] : before)
      files[version->file()] = renamed(reference_.at(last->file()), last->name, version->name);
    if (before.empty()) return {};
    const auto grade = graded(files, "neighbours", std::nullopt);
    if (!grade) return tl::unexpected(grade.error());
    note_failures(*grade, "the version before");
    for (const VersionRule& version : rubric.versions) {
      const auto found = before.find(&version);
      if (found == before.end()) continue;
      const Earned earned = earned_by(*grade, version);
      if (earned.lost != nullptr || earned.possible <= 0) continue;
      const bool undecided = earned.open > 0;
      result_.gaps.push_back(
          {undecided ? Standing::remark : Standing::open,
           fmt::format("{}: the file of {}, the version before, earns {}; give the version a "
                       "[[version.work]] that {} breaks, or the two are one exercise",
                       version.name, found->second->name,
                       undecided
                           ? "everything that can be decided here, so that `fast` alone tells them apart"
                           : "full marks under its name",
                       found->second->name),
           rubric.home.rules().string(), 0, ""});
    }
    return {};
  }

  void ask_for_more_than_answers() {
    for (const VersionRule* version : to_write()) {
      if (!version->has(Check::correct) || version->has(Check::work) || version->has(Check::fast)) continue;
      result_.gaps.push_back(
          {Standing::remark,
           fmt::format(
               "{}: it has `correct` but neither `work` nor `fast`, so any right answer earns all its points",
               version->name),
           setting_.rubric.home.rules().string(), 0, ""});
    }
  }

  const Setting& setting_;
  Files reference_;
  WorthResult result_;
};

}  // namespace

std::string renamed(const std::string& source, const std::string& from, const std::string& to) {
  std::string text;
  std::size_t copied = 0;
  for (const PlacedToken& token : placed_tokens_of(source)) {
    if (token.text != from) continue;
    text += source.substr(copied, token.begin - copied) + to;
    copied = token.end;
  }
  return text + source.substr(copied);
}

Result<WorthResult> worth_of(const Setting& setting) {
  return Gradings(setting).run();
}

}  // namespace warpmark::assignment_check

#include "harness/class/run/tally.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/parallel.h"
#include "harness/judge/selection.h"
#include "harness/model/grade.h"
#include "reports/grade/cards.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

// The parts of one student's grade that enter the class statistics.
struct Part {
  struct Checked {
    std::string version;
    std::string check;
    std::uint64_t CheckTally::*went = nullptr;
    bool unearned = false;
  };
  struct Caused {
    std::string version;
    CauseKind kind = CauseKind::internal;
    std::string again;
  };
  std::vector<Checked> checks;
  std::vector<Caused> causes;   // first cause of failure of each of the student's kernel files
  std::set<std::string> wrong;  // texts of all causes of failure in a student's grade
  std::optional<Fastest> fastest;
};

std::uint64_t CheckTally::*went(const CheckResult& check, VersionState standing) {
  if (standing == VersionState::not_started) return &CheckTally::not_started;
  if (check.verdict == Verdict::passed) return &CheckTally::passed;
  const bool failed = check.verdict == Verdict::failed || waits_for_another(check);
  return failed ? &CheckTally::failed : &CheckTally::not_decided;
}

bool passed_unearned(const CheckResult& check) {
  return check.verdict == Verdict::passed && is_unearned(check);
}

// Returns the cause's text without file and line, which differ between submissions that fail for the same
// reason.
std::string words_of(const Cause& cause) {
  const std::string_view title =
      cause.kind == CauseKind::compile_error ? "not built" : rule_of(cause.kind).title;
  return fmt::format("{}: {}", title, cause.message);
}

Part part_of(const Grade& grade) {
  Part part;
  const Table table = table_of(grade);
  for (const TableRow& row : table.rows) {
    const VersionState standing = standing_of(row);
    for (const CheckResult* check : row.cells) {
      if (check != nullptr)
        part.checks.push_back({row.version, check->check, went(*check, standing), passed_unearned(*check)});
    }
  }
  for (const CheckResult* check : table.whole_submission)
    part.checks.push_back({"", check->check, went(*check, VersionState::works), passed_unearned(*check)});
  for (const Card& card : cards_of(grade)) {
    if (card.causes.empty()) continue;
    const Cause& first = *card.causes.front().cause;
    part.causes.push_back({card.name, first.kind, first.again});
    for (const CardCause& each : card.causes) part.wrong.insert(words_of(*each.cause));
  }
  for (const Measurement& measured : grade.measurements) {
    if (measured.over_reference) continue;  // skips times that are not a speedup over the naive kernel
    if (part.fastest && part.fastest->speedup >= measured.speedup) continue;
    part.fastest = Fastest{{}, {}, measured.version, measured.speedup, measured.gb_per_s};
  }
  return part;
}

// Reads the whole grades: with staged help, those of the instructor.
std::vector<std::optional<Part>> read_parts(const ClassResult& result, const fs::path& out) {
  const std::vector<StudentResult>& students = result.students;
  std::vector<std::optional<Part>> parts(students.size());
  in_parallel(students.size(), std::max(1U, std::thread::hardware_concurrency()), [&](std::size_t i) {
    if (students[i].grade.empty()) return;
    const auto text = read_file(result.staged ? out / "instructor" / students[i].id / "grade.json"
                                              : out / students[i].grade);
    if (!text) return;
    if (const auto grade = grade_from_json(*text)) parts[i] = part_of(*grade);
  });
  return parts;
}

std::string secret_of(const fs::path& out) {
  const fs::path file = out / ".pseudonyms";
  if (const auto there = read_file(file); there && !there->empty()) return *there;
  std::random_device source;
  std::string drawn = fmt::format("{:08x}{:08x}{:08x}{:08x}", source(), source(), source(), source());
  if (auto written = write_file(file, drawn); !written) throw std::runtime_error(written.error().message);
  return drawn;
}

constexpr std::array kColours{"amber",   "azure", "black", "blue",   "bronze", "brown",  "coral", "copper",
                              "crimson", "cyan",  "gold",  "green",  "grey",   "indigo", "ivory", "jade",
                              "lilac",   "lime",  "navy",  "ochre",  "olive",  "orange", "pearl", "pink",
                              "plum",    "red",   "ruby",  "silver", "teal",   "violet", "white", "yellow"};
constexpr std::array kAnimals{"badger", "bear",   "beaver", "bison", "crane",  "deer",  "dolphin", "eagle",
                              "falcon", "ferret", "finch",  "fox",   "gecko",  "goose", "hare",    "hawk",
                              "heron",  "ibex",   "jackal", "koala", "lemur",  "lynx",  "marten",  "mole",
                              "otter",  "owl",    "panda",  "raven", "salmon", "seal",  "stork",   "wolf"};

}  // namespace

std::string pseudonym_of(const std::string& id, const std::string& secret) {
  const std::string digest = sha256(secret + '\n' + id);
  const auto number = [&](std::size_t at) { return std::stoul(digest.substr(at, 6), nullptr, 16); };
  return fmt::format("{}-{}-{:03}", kColours[number(0) % kColours.size()],
                     kAnimals[number(6) % kAnimals.size()], number(12) % 1000);
}

std::vector<CommonCause> common_causes(const WhatWentWrong& all) {
  constexpr std::size_t kFewest = 5;
  constexpr double kNearlyAll = 0.8;
  std::map<std::string, std::vector<std::string>> students;
  for (const auto& [id, causes] : all) {
    for (const std::string& cause : causes) students[cause].push_back(id);
  }
  std::vector<CommonCause> common;
  for (auto& [what, ids] : students) {
    const bool nearly_all = static_cast<double>(ids.size()) >= kNearlyAll * static_cast<double>(all.size());
    if (all.size() >= kFewest && nearly_all) common.push_back({what, std::move(ids), all.size()});
  }
  std::ranges::stable_sort(common, std::greater{},
                           [](const CommonCause& each) { return each.students.size(); });
  return common;
}

void add_tallies(ClassResult& result, const fs::path& out, const InstructorsCommand& command) {
  const auto parts = read_parts(result, out);
  std::map<std::pair<std::string, CauseKind>, CauseTally> causes;
  WhatWentWrong wrong;
  std::string secret;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const StudentResult& student = result.students[i];
    const std::string& id = student.id;
    const bool has_no_grade =
        student.state == StudentState::unusable || student.state == StudentState::broken;
    if (has_no_grade && student.cause) wrong[id] = {fmt::format("not graded: {}", student.cause->message)};
    if (!parts[i]) continue;
    wrong[id] = parts[i]->wrong;
    for (const auto& one : parts[i]->checks) {
      auto known = std::ranges::find_if(result.checks, [&](const CheckTally& each) {
        return each.version == one.version && each.check == one.check;
      });
      if (known == result.checks.end())
        known = result.checks.insert(known, CheckTally{.version = one.version, .check = one.check});
      ++((*known).*one.went);
      if (one.unearned) ++known->unearned;
    }
    for (const auto& [version, kind, again] : parts[i]->causes) {
      CauseTally& tally = causes[{version, kind}];
      if (tally.students.empty()) {
        tally = {version,
                 kind,
                 {},
                 judge::command_of_instructor(again, command.program, "submissions/" + id, command.more)};
      }
      tally.students.push_back(id);
    }
    if (!parts[i]->fastest) continue;
    if (secret.empty()) secret = secret_of(out);
    Fastest fastest = *parts[i]->fastest;
    fastest.id = id;
    fastest.pseudonym = pseudonym_of(id, secret);
    result.fastest.push_back(std::move(fastest));
  }
  for (auto& [key, tally] : causes) result.causes.push_back(std::move(tally));
  std::ranges::stable_sort(result.causes, std::greater{},
                           [](const CauseTally& each) { return each.students.size(); });
  std::ranges::stable_sort(result.fastest, std::greater{}, &Fastest::speedup);
  result.common_causes = common_causes(wrong);
}

}  // namespace warpmark::classroom

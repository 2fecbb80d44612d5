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
#include "harness/model/grade.h"
#include "reports/cards.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

// Of one grade no more than is added up.
struct Part {
  struct Checked {
    std::string version;
    std::string check;
    std::uint64_t CheckTally::*went = nullptr;
  };
  std::vector<Checked> checks;
  std::vector<std::pair<std::string, CauseKind>> causes;  // of versions: what each one's card begins with
  std::optional<Fastest> fastest;
};

std::uint64_t CheckTally::*went(const CheckResult& check, Standing standing) {
  if (standing == Standing::not_started) return &CheckTally::not_started;
  if (check.verdict == Verdict::passed) return &CheckTally::passed;
  const bool failed = check.verdict == Verdict::failed || waits_for_another(check);
  return failed ? &CheckTally::failed : &CheckTally::not_decided;
}

Part part_of(const Grade& grade) {
  Part part;
  const Table table = table_of(grade);
  for (const TableRow& row : table.rows) {
    const Standing standing = standing_of(row);
    for (const CheckResult* check : row.cells) {
      if (check != nullptr) part.checks.push_back({row.version, check->check, went(*check, standing)});
    }
  }
  for (const CheckResult* check : table.whole_submission)
    part.checks.push_back({"", check->check, went(*check, Standing::works)});
  for (const Card& card : cards_of(grade)) {
    if (!card.causes.empty()) part.causes.emplace_back(card.name, card.causes.front().cause->kind);
  }
  for (const Measurement& measured : grade.measurements) {
    if (part.fastest && part.fastest->speedup >= measured.speedup) continue;
    part.fastest = Fastest{{}, {}, measured.version, measured.speedup, measured.gb_per_s};
  }
  return part;
}

std::vector<std::optional<Part>> read_parts(const std::vector<StudentResult>& students, const fs::path& out) {
  std::vector<std::optional<Part>> parts(students.size());
  in_parallel(students.size(), std::max(1U, std::thread::hardware_concurrency()), [&](std::size_t i) {
    if (students[i].grade.empty()) return;
    const auto text = read_file(out / students[i].grade);
    if (!text) return;
    if (const auto grade = grade_from_json(*text)) parts[i] = part_of(*grade);
  });
  return parts;
}

std::string secret_of(const fs::path& out) {
  const fs::path file = out / ".pseudonyms";
  if (const auto there = read_file(file); there && !there->empty()) return *there;
  std::random_device source;
  const std::string drawn = fmt::format("{:08x}{:08x}{:08x}{:08x}", source(), source(), source(), source());
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

void add_tallies(ClassResult& result, const fs::path& out) {
  const auto parts = read_parts(result.students, out);
  std::map<std::pair<std::string, CauseKind>, std::vector<std::string>> causes;
  std::string secret;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i]) continue;
    const std::string& id = result.students[i].id;
    for (const auto& [version, check, which] : parts[i]->checks) {
      auto known = std::ranges::find_if(result.checks, [&](const CheckTally& each) {
        return each.version == version && each.check == check;
      });
      if (known == result.checks.end())
        known = result.checks.insert(known, CheckTally{.version = version, .check = check});
      ++((*known).*which);
    }
    for (const auto& cause : parts[i]->causes) causes[cause].push_back(id);
    if (!parts[i]->fastest) continue;
    if (secret.empty()) secret = secret_of(out);
    Fastest fastest = *parts[i]->fastest;
    fastest.id = id;
    fastest.pseudonym = pseudonym_of(id, secret);
    result.fastest.push_back(std::move(fastest));
  }
  for (auto& [cause, students] : causes)
    result.causes.push_back({cause.first, cause.second, std::move(students)});
  std::ranges::stable_sort(result.causes, std::greater{},
                           [](const CauseTally& each) { return each.students.size(); });
  std::ranges::stable_sort(result.fastest, std::greater{}, &Fastest::speedup);
}

}  // namespace warpmark::classroom

#include "tests/class/generator.h"

#include <algorithm>
#include <cctype>
#include <random>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "harness/base/file.h"
#include "tests/engines/without_fast.h"
#include "tests/mistakes/mistake.h"
#include "tests/mutations/mutate.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using mistakes::Mistake;

constexpr const char* kAssignment = "reduction";
constexpr std::size_t kVersionsEach = 2;
// Short to run, and with many mistakes in the tables.
const std::vector<std::string> kVersions{"v01_atomic_per_element", "v03_atomic_coalesced",
                                         "v04_atomic_per_block",   "v05_tree_modulo",
                                         "v07_tree_sequential",    "v08_tree_first_add"};

Result<std::map<std::string, std::vector<Mistake>>> mistakes_by_version() {
  std::map<std::string, std::vector<Mistake>> found;
  const auto read = mistakes::read_mistakes(WARPMARK_ROOT "/tests/mistakes");
  if (!read) return tl::unexpected(read.error());
  for (const Mistake& each : *read) {
    // Shows above 262,144 values, more than the small rubric asks.
    if (each.name == "launch_grid_and_block_swapped") continue;
    const bool usable = each.edits.assignment() == kAssignment && !each.right && each.check.empty() &&
                        each.type == "int" && each.call_seconds == 0 && !each.simulator.known_gap &&
                        each.edits.source_name() == each.edits.version + ".cu";
    if (usable) found[each.edits.version].push_back(each);
  }
  return found;
}

// The course's rubric with these versions alone, values of one type and no upload.
Result<std::string> small_rubric() {
  const auto text = read_file(WARPMARK_ROOT "/harness/assignments/reduction/assignment.toml");
  if (!text) return tl::unexpected(text.error());
  toml::table rubric = toml::parse(*text);
  rubric.insert_or_assign("types", toml::array{"int"});
  // What names other versions goes: the upload, and edits that leave a solution right.
  for (const char* name : {"upload", "upload_once", "equivalent"}) rubric.erase(name);
  toml::table& correct = *rubric["correct"].as_table();
  correct.insert_or_assign("sizes", toml::array{0, 1, 2, 33, 256, 257, 1023, 4099, 65537});
  correct.insert_or_assign("secret_max", 20000);
  toml::array versions;
  for (const toml::node& node : *rubric["version"].as_array()) {
    const auto name = (*node.as_table())["name"].value_or(std::string());
    if (std::ranges::find(kVersions, name) != kVersions.end()) versions.push_back(*node.as_table());
  }
  rubric.insert_or_assign("version", std::move(versions));
  std::ostringstream written;
  written << rubric;
  return written.str();
}

std::string name_of_student(std::size_t number) {
  static const std::vector<std::string> names{"Ada Lovelace",  "Zoë Müller", "李小龍",  "Σωκράτης",
                                              "Иван Петров",   "محمد علي",   "O'Brien", "Nguyễn Văn An",
                                              "_under_score_", "山田 太郎"};
  return fmt::format("{} {}", names[number % names.size()], number);
}

// The version, right or wrong as chance has it. `mistakes` may be empty.
Result<edits::Submission> version_by_chance(const std::string& version, const std::vector<Mistake>& mistakes,
                                            std::mt19937_64& random) {
  auto submission = edits::reference_submission(kAssignment, {version});
  if (!submission) return submission;
  std::string& text = submission->files[version + ".cu"];
  switch (random() % 3) {
    case 0:
      if (!mistakes.empty()) return edits::submission_of(mistakes[random() % mistakes.size()].edits, false);
      break;
    case 1:
      if (const auto mutants = mutations::mutants_of(text); !mutants.empty())
        text = mutants[random() % mutants.size()].text;
      break;
    default:
      break;
  }
  return submission;
}

}  // namespace

std::string with_own_kernels(std::string text, std::size_t student) {
  static const std::regex kKernel(R"(__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\()");
  std::set<std::string> names;
  for (std::size_t at = text.find("__global__"); at != std::string::npos;
       at = text.find("__global__", at + 1)) {
    std::smatch found;
    if (std::regex_search(text.cbegin() + static_cast<std::ptrdiff_t>(at), text.cend(), found, kKernel,
                          std::regex_constants::match_continuous))
      names.insert(found[1]);
  }
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const std::string& name : names) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool whole =
          (at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end]));
      if (whole) text.insert(end, fmt::format("_of_{}", student));
    }
  }
  return text;
}

Result<void> generate_students(const fs::path& folder, std::size_t count, std::uint64_t seed) {
  const auto table = mistakes_by_version();
  if (!table) return tl::unexpected(table.error());
  auto rubric = small_rubric();
  if (rubric) rubric = engines::without_fast(*rubric);
  if (!rubric) return tl::unexpected(rubric.error());
  fs::create_directories(folder);
  if (auto written = write_file(folder / "rubric.toml", *rubric); !written) return written;
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> versions = kVersions;
    std::shuffle(versions.begin(), versions.end(), random);
    versions.resize(kVersionsEach);
    for (const std::string& version : versions) {
      const auto mistakes = table->find(version);
      auto submission = version_by_chance(
          version, mistakes == table->end() ? std::vector<Mistake>() : mistakes->second, random);
      if (!submission) return tl::unexpected(submission.error());
      std::string& text = submission->files[version + ".cu"];
      text = with_own_kernels(std::move(text), i);
      if (auto written = edits::write_submission(*submission, folder / "students" / name_of_student(i));
          !written)
        return written;
    }
  }
  return {};
}

Result<GeneratedClass> generate_class(const fs::path& folder, std::size_t count, std::uint64_t seed) {
  const auto table = mistakes_by_version();
  if (!table) return tl::unexpected(table.error());
  const auto rubric = small_rubric();
  if (!rubric) return tl::unexpected(rubric.error());
  fs::create_directories(folder / "students");
  if (auto written = write_file(folder / "rubric.toml", *rubric); !written)
    return tl::unexpected(written.error());
  std::mt19937_64 random(seed);
  GeneratedClass made;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = name_of_student(i);
    const fs::path home = folder / "students" / name;
    std::vector<std::string> versions = kVersions;
    std::shuffle(versions.begin(), versions.end(), random);
    versions.resize(kVersionsEach);
    for (const std::string& version : versions) {
      auto submission = edits::reference_submission(kAssignment, {version});
      ExpectedVersion expected;
      const auto found = table->find(version);
      if (found != table->end() && random() % 2 == 0) {
        const Mistake& mistake = found->second[random() % found->second.size()];
        submission = edits::submission_of(mistake.edits, false);
        expected = {mistake.name,
                    mistake.simulator.cause,
                    {mistake.simulator.also.begin(), mistake.simulator.also.end()}};
      }
      if (!submission) return tl::unexpected(submission.error());
      if (auto written = edits::write_submission(*submission, home); !written)
        return tl::unexpected(written.error());
      made.students[name][version] = std::move(expected);
    }
  }
  return made;
}

std::vector<std::string> differences(const ExpectedStudent& student, const Grade& grade) {
  std::vector<std::string> wrong;
  for (const CheckResult& check : grade.checks) {
    const bool in_question = check.check == "builds" || check.check == "correct" || check.check == "clean";
    const auto found = student.find(check.version);
    if (!in_question || check.verdict != Verdict::failed) continue;
    if (found == student.end()) {
      if (check.causes.front().kind != CauseKind::not_implemented)
        wrong.push_back(check.id + " failed, and was not handed in");
      continue;
    }
    for (const Cause& cause : check.causes) {
      const std::string kind(name_of(cause.kind));
      if (kind != found->second.cause && !found->second.also.contains(kind))
        wrong.push_back(fmt::format("{}: {} in place of {}", check.id, kind,
                                    found->second.cause.empty() ? "no failure" : found->second.cause));
    }
  }
  for (const auto& [version, expected] : student) {
    const auto is_it = [&](const Cause& cause) { return name_of(cause.kind) == expected.cause; };
    // What is a note by default leaves the verdict alone, and is said all the same.
    const bool said = std::ranges::any_of(grade.checks, [&](const CheckResult& check) {
      return check.version == version &&
             ((check.verdict == Verdict::failed && std::ranges::any_of(check.causes, is_it)) ||
              std::ranges::any_of(check.notes, is_it));
    });
    if (!expected.cause.empty() && !said)
      wrong.push_back(fmt::format("{}: {} was not found ({})", version, expected.cause, expected.mistake));
    const bool passed = std::ranges::any_of(grade.checks, [&](const CheckResult& check) {
      return check.version == version && check.check == "correct" && check.verdict == Verdict::passed;
    });
    if (expected.cause.empty() && !passed) wrong.push_back(version + ": is right and did not pass `correct`");
  }
  return wrong;
}

}  // namespace warpmark

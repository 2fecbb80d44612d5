#include "harness/judge/kept.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/intake/intake.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRules = "rules";

std::string text_of(const fs::path& file) {
  return read_file(file).value_or("");
}

// Identifies a program by size and modification time: hashing several MiB after every edit would take longer
// than the checks.
std::string stamp_of(const fs::path& program) {
  std::error_code error;
  const auto size = fs::file_size(program, error);
  if (error) return "none";
  return fmt::format("{} {}", size, fs::last_write_time(program, error).time_since_epoch().count());
}

// Returns the text of the rules without the entries of `equivalent`: which mutants the assignment's author
// regards as equivalent does not change a grade.
std::string rules_text(const Rubric& rubric, const fs::path& file) {
  std::set<int> left_out;
  for (const Equivalent& entry : rubric.equivalent) left_out.insert(entry.at);
  std::string text;
  int number = 0;
  for (const std::string& line : lines_of(text_of(file))) {
    if (!left_out.contains(++number)) text += line + "\n";
  }
  return text;
}

std::string rules_digest(const Installation& installation, const GradeOptions& options,
                         const Opened& opened) {
  const AssignmentHome& home = opened.rubric.home;
  std::string all =
      fmt::format("{} {} {} {}\n", WARPMARK_VERSION, opened.assignment_name,
                  options.engine ? name_of(*options.engine) : "auto", static_cast<int>(installation.sandbox));
  for (const fs::path& program :
       {fs::path("/proc/self/exe"), installation.worker(Engine::simulator),
        installation.libraries / "workers/common.o", installation.worker(Engine::host),
        installation.libraries / "libwarpmark_cudart.so"}) {
    all += stamp_of(program) + "\n";
  }
  all += rules_text(opened.rubric, options.rubric.empty() ? home.rules() : options.rubric);
  // The part of the rules that describes the calls is read from the assignment's own file.
  if (!options.rubric.empty()) all += text_of(home.rules());
  for (const std::string& name :
       {opened.rubric.contract, opened.rubric.host.contract, std::string("adapter.cu"),
        std::string("adapter_host.cpp"), std::string("expected.cpp"), std::string("data.cpp"),
        std::string("judge.cpp")})
    all += text_of(home.folder / name);
  for (const fs::path& header : given_headers(home)) all += text_of(header);
  if (opened.rubric.program) {
    for (const fs::path& file : opened.rubric.program->files()) all += text_of(home.folder / file);
    for (const VersionRule& version : opened.rubric.versions) all += text_of(home.reference / version.file());
  }
  return sha256(all);
}

// Returns true if a student's source includes another .cu or .cpp file. Its digest then covers all files of
// the submission, because any of them may be part of it.
bool includes_sources(const std::string& text) {
  return std::ranges::any_of(std::array{".cu\"", ".cu>", ".cpp\"", ".cpp>"},
                             [&](const char* end) { return text.find(end) != std::string::npos; });
}

}  // namespace

Digests digests_of(const Installation& installation, const GradeOptions& options, const Opened& opened) {
  Digests digests{rules_digest(installation, options, opened), {}};
  const Submission& submission = opened.submission;
  std::string headers;
  std::string everything;
  if (const auto found = look_through(submission.folder)) {
    for (const fs::path& file : found->files) {
      const std::string each = fmt::format("{}\n{}\n", file.string(), text_of(file));
      everything += each;
      if (file.extension() != ".cu" && file.extension() != ".cpp") headers += each;
    }
    for (const RefusedFile& refused : found->refused) headers += refused.name + "\n";
  }
  for (const VersionRule& version : opened.rubric.versions) {
    const auto file = submission.files.find(version.name);
    if (file == submission.files.end()) continue;
    // A kernel file's digest includes the reasons to reject the file, because they depend on more than its
    // text: also on the template given to students and on the kind of directory entry (such as a symbolic
    // link).
    std::string text = file->second.text + "\n";
    for (const Cause& cause : file->second.causes) text += cause.message + "\n";
    digests.versions[version.name] = sha256(text + (includes_sources(text) ? everything : headers));
  }
  return digests;
}

std::string to_text(const Digests& digests) {
  std::string text = fmt::format("{}  {}\n", digests.rules, kRules);
  for (const auto& [version, digest] : digests.versions) text += fmt::format("{}  {}\n", digest, version);
  return text;
}

std::set<std::string> final_versions(const Grade& grade) {
  static constexpr std::array kDecided{CauseKind::no_gpu, CauseKind::unsupported, CauseKind::depends};
  std::set<std::string> versions;
  std::set<std::string> doubtful;
  for (const CheckResult& check : grade.checks) {
    // A kernel file that the earlier grade's upload audit names in a failure or note (for host-to-device
    // copies) is checked again: the file's own stored results do not contain that reason.
    for (const auto* causes : {&check.causes, &check.notes}) {
      for (const Cause& cause : *causes) {
        if (check.version.empty() && !cause.file.empty())
          doubtful.insert(fs::path(cause.file).stem().string());
      }
    }
    if (check.version.empty()) continue;
    versions.insert(check.version);
    const bool decided = check.causes.empty() || check.verdict == Verdict::failed ||
                         std::ranges::find(kDecided, check.causes.front().kind) != kDecided.end();
    if (!decided) doubtful.insert(check.version);
  }
  for (const std::string& version : doubtful) versions.erase(version);
  return versions;
}

std::optional<Kept> kept_from(const fs::path& folder, const Digests& now) {
  std::map<std::string, std::string> then;
  for (const std::string& line : lines_of(text_of(folder / kDigestsFile))) {
    const std::size_t gap = line.find("  ");
    if (gap != std::string::npos) then[line.substr(gap + 2)] = line.substr(0, gap);
  }
  if (then[std::string(kRules)] != now.rules) return std::nullopt;
  auto grade = grade_from_json(text_of(folder / "grade.json"));
  if (!grade) return std::nullopt;
  // On a GPU, kernel files are timed relative to each other, so one grading must check all of them together:
  // nothing is reused.
  const auto on_gpu = [](const EngineUsed& used) { return used.engine == Engine::gpu; };
  if (std::ranges::any_of(grade->engines, on_gpu)) return std::nullopt;
  std::set<std::string> versions = final_versions(*grade);
  std::erase_if(versions, [&](const std::string& version) {
    const auto current = now.versions.find(version);
    return current == now.versions.end() || then[version] != current->second;
  });
  return Kept{std::move(*grade), std::move(versions)};
}

std::optional<CheckOutcome> kept_outcome(const Kept& kept, const std::string& id) {
  const auto check = std::ranges::find(kept.grade.checks, id, &CheckResult::id);
  if (check == kept.grade.checks.end()) return std::nullopt;
  CheckOutcome outcome{.causes = check->causes, .seconds = check->seconds, .parts = check->parts};
  // Drops the stored notes that refer to other checks or kernel files; the new grading adds such notes from
  // its own results.
  std::ranges::copy_if(check->notes, std::back_inserter(outcome.notes), [](const Cause& note) {
    return note.kind != CauseKind::depends && note.kind != CauseKind::same_code;
  });
  const auto counted = std::ranges::find(kept.grade.counters, check->version, &Counted::version);
  if (check->check == "clean" || check->check == "work") {
    if (counted != kept.grade.counters.end()) outcome.counted = *counted;
  }
  return outcome;
}

}  // namespace warpmark::judge

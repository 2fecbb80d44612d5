#include "harness/program_analysis/findings.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include "harness/base/file.h"
#include "harness/build/excerpt.h"
#include "harness/build/source_hints.h"
#include "harness/program_analysis/library_kernels.h"
#include "harness/wire/finding_key.h"

namespace warpmark::program_analysis {
namespace {

namespace fs = std::filesystem;

// Returns true for kinds of findings that are shown as notes and do not change the exit status of `warpmark
// simulate`. (A schedule_dependent finding is also a note if only the printed text differs.)
bool is_note(CauseKind kind) {
  return rule_of(kind).severity == Severity::note;
}

std::optional<fs::path> file_of(const std::string& shown, const SourceFolders& folders) {
  if (shown.empty() || shown.starts_with('/')) return std::nullopt;
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (fs::is_regular_file(folder / shown, error)) return folder / shown;
  }
  return std::nullopt;
}

// Returns the innermost call site in the user's files. in_stub: the innermost frame is the host stub of a
// kernel launch, whose location is that of the kernel, so it is skipped.
std::optional<build::SourcePlace> place_of(const std::vector<std::uint64_t>& frames, bool in_stub,
                                           const build::PlacesOfAddresses& places,
                                           const SourceFolders& folders) {
  for (const std::uint64_t frame : frames) {
    const auto known = places.find(frame);
    if (known == places.end()) continue;
    for (const build::SourcePlace& place : known->second) {
      if (is_library_file(place.file) || !file_of(place.file, folders)) continue;
      if (!std::exchange(in_stub, false)) return place;
    }
  }
  return std::nullopt;
}

std::vector<SourceLine> excerpt(const std::string& file, int line, const SourceFolders& folders) {
  if (line <= 0) return {};
  const auto path = file_of(file, folders);
  const auto text = path ? read_file(*path) : fail("");
  return text ? build::excerpt_of(*text, line) : std::vector<SourceLine>{};
}

struct Merged {
  ShownFinding finding;
  std::set<std::size_t> runs;
};

std::string seen_in(const std::set<std::size_t>& in, const std::vector<ProgramRun>& runs) {
  if (in.size() == runs.size() || in.contains(0)) return {};
  std::vector<std::string> names;
  names.reserve(in.size());
  for (const std::size_t run : in) names.push_back(name_of(runs[run].mode));
  return fmt::format("only in the run{} {}", names.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

}  // namespace

std::vector<wire::Finding> findings_of_ending(const ProgramRun& run, const RunLimits& limits,
                                              double limit_seconds) {
  const auto finding = [&](CauseKind kind, std::string message) {
    wire::Finding raw;
    raw.kind = kind;
    if (run.journal.running) {
      raw.kernel = run.journal.running->kernel;
      message += fmt::format("; kernel {} was running", raw.kernel);
    }
    raw.message = std::move(message);
    return raw;
  };
  switch (run.stopped) {
    case Stopped::time:
      return {finding(
          CauseKind::timed_out,
          fmt::format("the program had not ended after {:.0f} s, the limit (--timeout): a loop in host code "
                      "that does not end, or too much work for the simulator",
                      limit_seconds))};
    case Stopped::memory:
      return {finding(CauseKind::memory_limit,
                      fmt::format("the program took more than {} MiB of memory, the limit (--memory): use a "
                                  "smaller input, or free memory that is no longer used",
                                  limits.memory >> 20))};
    case Stopped::output:
      return {finding(CauseKind::output_limit,
                      fmt::format("the program printed more than {} MiB, the limit: a loop that prints "
                                  "and does not end?",
                                  limits.output >> 20))};
    case Stopped::files:
      return {finding(CauseKind::output_limit,
                      "the files in the program's folder took more than their limit: a loop that writes and "
                      "does not end?")};
    case Stopped::processes:
      return {finding(CauseKind::process_limit,
                      "the program started more than 256 processes at a time, the limit: a fork in a "
                      "loop?")};
    case Stopped::by_itself:
      break;
  }
  if (run.ending.kind != sandbox::Ending::Kind::signalled) return {};
  // Adds no finding for a crash that the simulator's own finding explains in more detail, nor for an abort()
  // after a kernel's error, which is the program's own error handling.
  const bool gave_up = run.ending.code == SIGABRT;
  const bool explained = std::ranges::any_of(run.journal.findings, [&](const wire::Finding& raw) {
    const bool kernel_stopped = !raw.kernel.empty() && rule_of(raw.kind).after == After::ends;
    return raw.kind == CauseKind::crashed || raw.kind == CauseKind::device_pointer ||
           (gave_up && kernel_stopped);
  });
  if (explained) return {};
  return {finding(CauseKind::crashed, fmt::format("the program was ended by signal {} ({})", run.ending.code,
                                                  strsignal(run.ending.code)))};
}

bool ended_early(const ProgramRun& run) {
  return run.stopped != Stopped::by_itself || run.ending.kind == sandbox::Ending::Kind::signalled ||
         std::ranges::any_of(run.journal.findings,
                             [](const wire::Finding& raw) { return rule_of(raw.kind).after == After::ends; });
}

std::vector<std::uint64_t> addresses_in(const std::vector<ProgramRun>& runs) {
  std::set<std::uint64_t> all;
  for (const ProgramRun& run : runs) {
    for (const wire::Finding& finding : run.journal.findings) {
      all.insert(finding.frames.begin(), finding.frames.end());
      all.insert(finding.other_frames.begin(), finding.other_frames.end());
    }
  }
  return {all.begin(), all.end()};
}

std::vector<ShownFinding> merge_findings(const std::vector<ProgramRun>& runs,
                                         const build::PlacesOfAddresses& places,
                                         const SourceFolders& folders) {
  std::vector<Merged> merged;
  std::map<wire::FindingKey, std::size_t> known;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const wire::Finding& raw : runs[run].journal.findings) {
      ShownFinding finding{.kind = raw.kind,
                           .note = is_note(raw.kind),
                           .kernel = shown_kernel(raw.kernel),
                           .file = raw.file,
                           .line = raw.line,
                           .other_line = raw.other_line,
                           .message = shown_message(raw.message),
                           .seen = {},
                           .excerpt = {},
                           .other_excerpt = {}};
      // A finding in library code (such as a Thrust header) is reported at the line of the user's code that
      // calls the library.
      const bool elsewhere = finding.line == 0 || is_library_file(finding.file);
      const bool in_stub = !raw.kernel.empty() && !is_library_kernel(raw.kernel);
      if (const auto place = elsewhere ? place_of(raw.frames, in_stub, places, folders) : std::nullopt) {
        finding.file = place->file;
        finding.line = place->line;
        finding.other_line = 0;
      }
      // The excerpt of a race shows both lines only if they are in one file; otherwise the message alone
      // names the second location.
      if (const auto other = place_of(raw.other_frames, raw.other_in_launch, places, folders);
          other && other->file == finding.file) {
        finding.other_line = other->line;
      }
      const auto [entry, added] = known.emplace(wire::key_of(finding), merged.size());
      if (added) merged.push_back({std::move(finding), {}});
      merged[entry->second].runs.insert(run);
    }
  }
  std::vector<ShownFinding> findings;
  for (Merged& each : merged) {
    ShownFinding& finding = each.finding;
    finding.seen = seen_in(each.runs, runs);
    finding.excerpt = excerpt(finding.file, finding.line, folders);
    if (const auto path = file_of(finding.file, folders); path && finding.kind == CauseKind::out_of_bounds) {
      if (const auto text = read_file(*path))
        finding.message = build::with_bounds_test(std::move(finding.message), *text, finding.line);
    }
    if (finding.other_line != 0 && finding.other_line != finding.line)
      finding.other_excerpt = excerpt(finding.file, finding.other_line, folders);
    findings.push_back(std::move(finding));
  }
  wire::fold_races(findings);
  return findings;
}

}  // namespace warpmark::program_analysis

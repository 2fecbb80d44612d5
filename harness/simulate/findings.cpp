#include "harness/simulate/findings.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include "harness/base/file.h"
#include "harness/build/explain.h"

namespace warpmark::simulate {
namespace {

namespace fs = std::filesystem;

// Shown, but no reason to call a program wrong. schedule_dependent is one where it rests on printed text
// alone.
constexpr std::array<std::string_view, 3> kNotes{"leak", "unchecked_error", "early_exit"};

// Errors after which a launch goes on.
constexpr std::array<std::string_view, 4> kGoesOn{"race", "warp_synchronous", "same_word_store",
                                                  "uninitialised_read"};

bool is_note(const std::string& kind) {
  return std::ranges::find(kNotes, kind) != kNotes.end();
}

constexpr std::string_view kCrashed = "crashed";

std::optional<fs::path> file_of(const std::string& shown, const SourceFolders& folders) {
  if (shown.empty() || shown.starts_with('/')) return std::nullopt;
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (fs::is_regular_file(folder / shown, error)) return folder / shown;
  }
  return std::nullopt;
}

// The call in the user's own files that led there.
std::optional<build::Place> place_of(const RawFinding& finding, const build::PlacesOfAddresses& places,
                                     const SourceFolders& folders) {
  // A finding about a launch comes out of the kernel's stub, which lies where the kernel does.
  bool in_stub = !finding.kernel.empty();
  for (const std::uint64_t frame : finding.frames) {
    const auto known = places.find(frame);
    if (known == places.end()) continue;
    for (const build::Place& place : known->second) {
      if (!file_of(place.file, folders)) continue;
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

// Addresses differ from run to run, and so do estimates.
std::string without_numbers(const std::string& message) {
  std::string text;
  bool inside = false;
  for (const char c : message) {
    const bool digit = std::isxdigit(static_cast<unsigned char>(c)) != 0;
    const bool number =
        std::isdigit(static_cast<unsigned char>(c)) != 0 || (inside && (digit || c == 'x' || c == '.'));
    if (!number) text += c;
    if (number && !inside) text += '#';
    inside = number;
  }
  return text;
}

// What makes two findings the same: a pair of lines, in either order, or else the words.
using Key = std::tuple<std::string, std::string, std::string, int, int, std::string>;
Key key_of(const Finding& finding) {
  const int low = finding.other_line == 0 ? finding.line : std::min(finding.line, finding.other_line);
  const int high = finding.other_line == 0 ? 0 : std::max(finding.line, finding.other_line);
  return {finding.kind, finding.kernel, finding.file,
          low,          high,           finding.line > 0 ? "" : without_numbers(finding.message)};
}

struct Merged {
  Finding finding;
  std::set<std::size_t> runs;
};

std::string seen_in(const std::set<std::size_t>& in, const std::vector<Run>& runs) {
  if (in.size() == runs.size() || in.contains(0)) return {};
  std::vector<std::string> names;
  names.reserve(in.size());
  for (const std::size_t run : in) names.push_back(name_of(runs[run].mode));
  return fmt::format("only in the run{} {}", names.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

}  // namespace

std::vector<RawFinding> findings_of_ending(const Run& run, const Limits& limits, double limit_seconds) {
  const auto finding = [&](std::string kind, std::string message) {
    RawFinding raw;
    raw.kind = std::move(kind);
    if (run.record.running) {
      raw.kernel = run.record.running->value("kernel", "");
      message += fmt::format("; kernel {} was running", raw.kernel);
    }
    raw.message = std::move(message);
    return raw;
  };
  switch (run.stopped) {
    case Stopped::time:
      return {finding(
          "timed_out",
          fmt::format("the program had not ended after {:.0f} s, the limit (--timeout): a loop in host code "
                      "that does not end, or too much work for the simulator",
                      limit_seconds))};
    case Stopped::memory:
      return {finding(
          "memory_limit",
          fmt::format("the program took more than {} MiB of memory, the limit (--memory): use a smaller "
                      "input, or free what is done with",
                      limits.memory >> 20))};
    case Stopped::output:
      return {finding("output_limit",
                      fmt::format("the program printed more than {} MiB, the limit: a loop that prints "
                                  "and does not end?",
                                  limits.output >> 20))};
    case Stopped::processes:
      return {finding("process_limit",
                      "the program started more than 256 processes at a time, the limit: a fork in a "
                      "loop?")};
    case Stopped::by_itself:
      break;
  }
  if (run.ending.kind != sandbox::Ending::Kind::signalled) return {};
  // The runtime says more, where it could.
  const bool explained = std::ranges::any_of(run.record.findings, [](const RawFinding& raw) {
    return raw.kind == kCrashed || raw.kind == "device_pointer";
  });
  if (explained) return {};
  return {finding(std::string(kCrashed), fmt::format("the program was ended by signal {} ({})",
                                                     run.ending.code, strsignal(run.ending.code)))};
}

bool ended_early(const Run& run) {
  return run.stopped != Stopped::by_itself || run.ending.kind == sandbox::Ending::Kind::signalled ||
         std::ranges::any_of(run.record.findings, [](const RawFinding& raw) {
           return !is_note(raw.kind) && std::ranges::find(kGoesOn, raw.kind) == kGoesOn.end();
         });
}

std::vector<std::uint64_t> addresses_in(const std::vector<Run>& runs) {
  std::set<std::uint64_t> all;
  for (const Run& run : runs) {
    for (const RawFinding& finding : run.record.findings)
      all.insert(finding.frames.begin(), finding.frames.end());
  }
  return {all.begin(), all.end()};
}

std::vector<Finding> merge_findings(const std::vector<Run>& runs, const build::PlacesOfAddresses& places,
                                    const SourceFolders& folders) {
  std::vector<Merged> merged;
  std::map<Key, std::size_t> known;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const RawFinding& raw : runs[run].record.findings) {
      Finding finding{.kind = raw.kind,
                      .note = is_note(raw.kind),
                      .kernel = raw.kernel,
                      .file = raw.file,
                      .line = raw.line,
                      .other_line = raw.other_line,
                      .message = raw.message,
                      .seen = {},
                      .excerpt = {},
                      .other_excerpt = {}};
      if (const auto place = finding.line == 0 ? place_of(raw, places, folders) : std::nullopt) {
        finding.file = place->file;
        finding.line = place->line;
      }
      const auto [entry, added] = known.emplace(key_of(finding), merged.size());
      if (added) merged.push_back({std::move(finding), {}});
      merged[entry->second].runs.insert(run);
    }
  }
  std::vector<Finding> findings;
  for (Merged& each : merged) {
    Finding& finding = each.finding;
    finding.seen = seen_in(each.runs, runs);
    finding.excerpt = excerpt(finding.file, finding.line, folders);
    if (finding.other_line != 0 && finding.other_line != finding.line)
      finding.other_excerpt = excerpt(finding.file, finding.other_line, folders);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace warpmark::simulate

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/build/not_simulated.h"
#include "harness/build/program_warnings.h"
#include "harness/build/quoted_includes.h"
#include "harness/program_analysis/compare.h"
#include "harness/program_analysis/findings.h"
#include "harness/program_analysis/simulation.h"

namespace warpmark::program_analysis {
namespace {

namespace fs = std::filesystem;
using sandbox::Clock;

constexpr std::size_t kMostOutput = std::size_t{64} << 20;
// Simulated warp instructions per second, as slow kernels reach.
constexpr double kInstructionsPerSecond = 100e6;
// Fraction of the time limit that the checked part of one run may take, because the program runs several
// times.
constexpr double kShareOfARun = 0.25;

// Returns true if a C file must be compiled as CUDA, because it uses a library that the simulator implements
// as kernels or C++.
bool uses_a_library(std::string_view source) {
  return std::ranges::any_of(build::toolkit_headers_in(source), [&](const std::string& header) {
    return header == "nvml.h" || std::ranges::any_of(build::kSimulatedLibraries, [&](std::string_view name) {
             return header.starts_with(name);
           });
  });
}

// Returns one compile request per file that the user named, or an error if the files are not a program.
Result<std::vector<build::Request>> requests_for(const Options& options) {
  std::vector<build::Request> requests;
  for (const std::string& name : options.sources) {
    const fs::path path = name;
    if (auto usable = check_path(path, PathKind::file, "name the .cu files of one program"); !usable)
      return tl::unexpected(usable.error());
    const std::string extension = path.extension().string();
    constexpr std::array<std::string_view, 6> kKnown{".cu", ".c", ".cpp", ".cc", ".cxx", ".C"};
    if (std::ranges::find(kKnown, extension) == kKnown.end()) {
      return fail(
          fmt::format("{} is no CUDA program: its name has to end in .cu (or .c, .cpp, .cc, .cxx)", name));
    }
    const Result<std::string> text = read_file(path);
    if (!text) return tl::unexpected<Error>(text.error());
    if (text->find_first_not_of(" \t\r\n") == std::string::npos)
      return fail(fmt::format("{} is empty; a program needs a function main", name));
    build::Request request;
    request.source = fs::absolute(path);
    // In messages, a source file outside of the working folder is shown without its path.
    const std::string shown = path.lexically_normal().string();
    request.display_name = path.is_absolute() || shown.starts_with("..") ? path.filename().string() : shown;
    request.include_folders = options.include_folders;
    for (fs::path& folder : build::folders_included_from(request.source, options.include_folders))
      request.include_folders.push_back(std::move(folder));
    request.defines = options.defines;
    request.is_c = extension == ".c" && !uses_a_library(*text);
    requests.push_back(std::move(request));
  }
  return requests;
}

SourceFolders folders_of(const std::vector<build::Request>& requests) {
  SourceFolders folders;
  for (const build::Request& request : requests) {
    std::string source = request.source.lexically_normal().string();
    if (source.ends_with("/" + request.display_name))
      source.resize(source.size() - request.display_name.size());
    folders.emplace_back(source.ends_with('/') ? source : request.source.parent_path().string());
  }
  return folders;
}

std::size_t memory_limit(const Options& options) {
  if (options.memory != 0) return options.memory;
  const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  return pages / 2 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

class ProgramRuns {
 public:
  ProgramRuns(const Options& options, fs::path program) : options_(options), program_(std::move(program)) {
    limits_.deadline = Clock::now() + options.timeout;
    limits_.memory = memory_limit(options);
    limits_.output = kMostOutput;
    limits_.checked_work = static_cast<std::uint64_t>(seconds() * kShareOfARun * kInstructionsPerSecond);
  }

  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(options_.timeout).count(); }

  [[nodiscard]] bool has_seconds(double wanted) const {
    return std::chrono::duration<double>(limits_.deadline - Clock::now()).count() >= wanted;
  }

  Result<ProgramRun> first() { return run_program(command({}, true)); }

  // Runs the simulated program concurrently, once per mode (optimisation level and order of blocks and
  // warps), each on one host thread so that it is deterministic. Runs for which no time was left are missing
  // from the result.
  Result<std::vector<ProgramRun>> more(std::vector<ProgramMode> modes) {
    std::vector<std::optional<Result<ProgramRun>>> results(modes.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < modes.size(); i = next++) {
        if (Clock::now() >= limits_.deadline) return;
        modes[i].host_threads = 1;
        results[i] = run_program(command(modes[i], false));
      }
    };
    {
      const std::size_t side_by_side = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4);
      std::vector<std::jthread> helpers;
      for (std::size_t i = 1; i < std::min(side_by_side, modes.size()); ++i) helpers.emplace_back(work);
      work();
    }
    std::vector<ProgramRun> runs;
    for (auto& result : results) {
      if (!result) continue;
      if (!*result) return tl::unexpected<Error>(result->error());
      // Drops runs of the simulated program that ended only because the time for all runs was up: they show
      // nothing about the program.
      if ((*result)->stopped != Stopped::time) runs.push_back(std::move(**result));
    }
    return runs;
  }

 private:
  RunCommand command(ProgramMode mode, bool first) {
    RunCommand command;
    command.program = program_;
    command.device = options_.device;
    command.devices = options_.devices;
    command.arguments = options_.arguments;
    command.folder = folder_.path() / fmt::format("run{}", count_++);
    fs::create_directory(command.folder);
    command.working = fs::current_path();
    const fs::path kept = folder_.path() / "input";
    if (first) {
      command.kept_input = kept;
    } else {
      command.input = kept;
    }
    command.shown = first;
    command.mode = mode;
    command.limits = limits_;
    return command;
  }

  const Options& options_;
  fs::path program_;
  TemporaryFolder folder_;
  RunLimits limits_;
  std::atomic<int> count_{0};
};

// Returns true if other orders than that of the first run could produce other findings.
bool order_matters(const ProgramRun& first) {
  const auto matters = [](const wire::Finding& finding) { return finding.kind != CauseKind::leak; };
  return !first.one_order || std::ranges::any_of(first.journal.findings, matters);
}

std::vector<ProgramMode> further_modes(int schedules, bool record_all) {
  std::vector<ProgramMode> modes;
  ProgramMode counting;
  counting.checking = false;
  modes.push_back(counting);
  for (int i = 1; i <= schedules; ++i) {
    ProgramMode mode;
    mode.schedule = static_cast<std::uint64_t>(i);
    // Only one of the further runs defers work on streams until something waits for it. The others vary only
    // the order of blocks and warps, so a finding tells which of the two it depends on.
    mode.late = i == schedules;
    mode.record_all = record_all;
    modes.push_back(mode);
  }
  return modes;
}

struct Runs {
  std::vector<ProgramRun> all;  // all runs of one simulated program; the user sees the output of the first
  // Repeats of the first run, made if the runs' output or exit status differs.
  std::vector<ProgramRun> controls;
  std::vector<std::string> remarks;
};

bool found(const ProgramRun& run, CauseKind kind) {
  return std::ranges::find(run.journal.findings, kind, &wire::Finding::kind) != run.journal.findings.end();
}

// Returns the reason why running a simulated program again with other orders of blocks and warps would find
// nothing new or is impossible; empty if it should run again.
std::string why_only_once(const ProgramRun& first) {
  if (first.stopped != Stopped::by_itself) return "the program was ended";
  if (found(first, CauseKind::endless_loop) || found(first, CauseKind::launch_limit))
    return "a kernel did not end";
  if (!first.input_kept) return "the program's input was too long to be kept";
  return {};
}

// Makes all runs after the first one: at -O2, with other schedules, and control runs.
Result<void> run_further(ProgramRuns& session, const Options& options, Runs& runs) {
  for (const std::string& note : runs.all.front().journal.notes) runs.remarks.push_back(note);
  const int left = runs.all.front().ending.left_behind;
  if (left > 0 && runs.all.front().stopped == Stopped::by_itself) {
    runs.remarks.push_back(
        fmt::format("{} process{} that the program had started still ran when it ended; {} ended, too", left,
                    left == 1 ? "" : "es", left == 1 ? "it was" : "they were"));
  }
  if (const std::string why = why_only_once(runs.all.front()); !why.empty()) {
    runs.remarks.push_back(why + ", so that it was not run in other orders");
    return {};
  }
  const bool unchecked = runs.all.front().rest_unchecked;
  const int schedules = order_matters(runs.all.front()) && !unchecked ? options.schedules : 0;
  if (schedules < options.schedules) {
    runs.remarks.emplace_back(
        unchecked ? "no other order of blocks and warps was tried: the time limit leaves no time for it"
                  : "no other order of blocks and warps was tried: none of their accesses depends on it");
  }
  // If the time allowed checking only a part of the first run, the rest of that run was faster than a run at
  // -O2, which counts every instruction. The run at -O2 is therefore skipped unless at least as much time is
  // left as the first run took.
  if (unchecked && !session.has_seconds(runs.all.front().seconds)) return {};
  const std::vector<ProgramMode> modes = further_modes(schedules, runs.all.front().uncompared);
  options.progress(schedules == 0 ? "running at -O2"
                                  : fmt::format("running at -O2 and in {} other orders", schedules));
  Result<std::vector<ProgramRun>> more = session.more(modes);
  if (!more) return tl::unexpected<Error>(more.error());
  if (more->size() < modes.size()) {
    runs.remarks.push_back(
        fmt::format("{} of {} further runs did not end in time; allow more with --timeout SECONDS",
                    modes.size() - more->size(), modes.size()));
  }
  if (unchecked && std::ranges::any_of(*more, &ProgramRun::rest_unchecked))
    runs.remarks.emplace_back(
        "the counts cover only the first part of the run: counting all of it takes too long");
  for (ProgramRun& run : *more) runs.all.push_back(std::move(run));
  // Control runs (repeats of the first run) are left out if a fatal finding ended a run early, since
  // different outputs are then expected, or if the first run was only partly checked, since there is no time.
  if (unchecked || std::ranges::any_of(runs.all, ended_early) || !answers_differ(runs.all)) return {};
  options.progress("comparing answers");
  Result<std::vector<ProgramRun>> equal = session.more({ProgramMode{}, ProgramMode{}});
  if (!equal) return tl::unexpected<Error>(equal.error());
  if (equal->size() == 2) runs.controls = std::move(*equal);
  return {};
}

void add_endings(std::vector<ProgramRun>& runs, const ProgramRuns& session) {
  for (ProgramRun& run : runs) {
    for (wire::Finding& raw : findings_of_ending(run, session.limits(), session.seconds()))
      run.journal.findings.push_back(std::move(raw));
  }
}

bool is_about_order(const wire::Finding& finding) {
  return finding.kind == CauseKind::missing_synchronize || !finding.other_frames.empty();
}

// If another run already reports missing synchronisation, drops the other findings of the run with deferred
// stream work: they are consequences.
void drop_consequences_of_late_work(std::vector<ProgramRun>& runs) {
  const bool known = std::ranges::any_of(runs, [](const ProgramRun& run) {
    return !run.mode.late && std::ranges::any_of(run.journal.findings, is_about_order);
  });
  if (!known) return;
  for (ProgramRun& run : runs) {
    if (run.mode.late)
      std::erase_if(run.journal.findings, [](const auto& finding) { return !is_about_order(finding); });
  }
}

Simulation summary_of(std::vector<ProgramRun>& runs, std::vector<ShownFinding> findings) {
  Simulation result;
  result.findings = std::move(findings);
  std::ranges::stable_sort(result.findings, {}, &ShownFinding::note);
  const bool errors =
      std::ranges::any_of(result.findings, [](const ShownFinding& finding) { return !finding.note; });
  const int status = runs.front().stopped == Stopped::by_itself ? runs.front().status() : 1;
  result.exit_status = status == 0 && errors ? 1 : status;
  for (const ProgramRun& run : runs) result.runs.push_back({run.mode, run.status(), run.seconds});
  const auto counting =
      std::ranges::find(runs, false, [](const ProgramRun& run) { return run.mode.checking; });
  ProgramRun& counted =
      counting == runs.end() || counting->journal.launches.empty() ? runs.front() : *counting;
  result.transfers = runs.front().journal.transfers;
  result.launches = std::move(counted.journal.launches);
  return result;
}

}  // namespace

Result<tl::expected<Simulation, Unusable>> simulate(const Options& options) {
  const Clock::time_point start = Clock::now();
  const auto unusable = [](Unusable why) -> tl::expected<Simulation, Unusable> {
    return tl::unexpected(std::move(why));
  };
  const Result<std::vector<build::Request>> requests = requests_for(options);
  if (!requests) return unusable({{}, requests.error().message});
  Result<build::Toolchain> toolchain = build::find_toolchain(Engine::simulator);
  if (!toolchain) return unusable({{}, toolchain.error().message});

  options.progress(fmt::format("building with {}", toolchain->description));
  const TemporaryFolder built_in;
  const fs::path program = built_in.path() / fs::path(options.sources.front()).stem();
  const build::Builder builder(std::move(*toolchain), options.build);
  const Result<build::Built> built = builder.build_program(*requests, program);
  if (!built) return tl::unexpected<Error>(built.error());
  if (!built->causes.empty()) return unusable({built->causes, {}});

  // Ignores SIGPIPE: this process forwards stdin to the simulated program, which may close its end unread.
  std::signal(SIGPIPE, SIG_IGN);
  ProgramRuns session(options, program);
  options.progress(fmt::format("running at {}", name_of(ProgramMode{})));
  Result<ProgramRun> first = session.first();
  if (!first) return tl::unexpected<Error>(first.error());
  Runs runs;
  if (const auto warnings = read_file(build::warnings_beside(program))) runs.remarks = lines_of(*warnings);
  runs.all.push_back(std::move(*first));
  if (const Result<void> done = run_further(session, options, runs); !done)
    return tl::unexpected<Error>(done.error());
  add_endings(runs.all, session);
  drop_consequences_of_late_work(runs.all);
  std::vector<ShownFinding> findings =
      merge_findings(runs.all, build::symbolize(program, addresses_in(runs.all)), folders_of(*requests));
  for (ShownFinding& finding : compare_answers(runs.all, runs.controls))
    findings.push_back(std::move(finding));
  Simulation result = summary_of(runs.all, std::move(findings));
  result.remarks = std::move(runs.remarks);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace warpmark::program_analysis

#include "harness/program_analysis/analysis.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/build/symbolize.h"
#include "harness/program_analysis/compare.h"
#include "harness/program_analysis/findings.h"

namespace warpmark::program_analysis {
namespace {

namespace fs = std::filesystem;
using sandbox::Clock;

// simulator's speed for slow kernels, in warp instructions per second
constexpr double kInstructionsPerSecond = 100e6;
// Fraction of the time limit that the simulator may spend on checking one run of the program for races,
// because several runs share the limit; the rest of a longer run executes unchecked.
constexpr double kShareOfARun = 0.25;

std::size_t memory_limit(const RunOptions& options) {
  if (options.memory != 0) return options.memory;
  const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  return pages / 2 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void say(const RunOptions& options, const std::string& line) {
  if (options.progress) options.progress(line);
}

}  // namespace

class Analysis::Runs {
 public:
  Runs(const RunOptions& options, const fs::path& program) : options_(options), program_(program) {
    limits_.deadline = Clock::now() + options.timeout;
    limits_.memory = memory_limit(options);
    limits_.output = options.output;
    limits_.kept = std::max(kComparedOutput, options.isolation ? options.output : 0);
    limits_.checked_work = static_cast<std::uint64_t>(seconds() * kShareOfARun * kInstructionsPerSecond);
  }

  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(options_.timeout).count(); }

  [[nodiscard]] bool has_seconds(double wanted) const {
    return std::chrono::duration<double>(limits_.deadline - Clock::now()).count() >= wanted;
  }

  Result<ProgramRun> first() {
    RunCommand once = command({}, true);
    if (options_.first_timeout.count() > 0)
      once.limits.deadline = std::min(limits_.deadline, Clock::now() + options_.first_timeout);
    return run_program(once);
  }

  // Runs the program concurrently in several modes (schedules, -O0 or -O2), each run on one host thread so
  // that it is deterministic. Runs for which no time is left are missing from the result.
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
      // Drops a run that was stopped by the time limit of all runs, because it shows nothing about the
      // program.
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
    const int number = count_++;
    command.folder = folder_.path() / fmt::format("run{}", number);
    fs::create_directory(command.folder);
    command.working = options_.working ? options_.working(number) : fs::current_path();
    const fs::path kept = folder_.path() / "input";
    command.input = !options_.input.empty() ? options_.input : first ? fs::path() : kept;
    command.kept_input = kept;
    command.shown = first && options_.input.empty();
    command.isolation = options_.isolation;
    command.mode = mode;
    command.limits = limits_;
    return command;
  }

  const RunOptions& options_;
  const fs::path& program_;
  TemporaryFolder folder_;
  RunLimits limits_;
  std::atomic<int> count_{0};
};

namespace {

// Returns true if another order of blocks and warps than that of the first run could lead to other findings.
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
    // Among the additional runs, only the last defers work on CUDA streams. Findings that also depend on the
    // block order therefore appear in another run, too.
    mode.late = i == schedules;
    mode.record_all = record_all;
    modes.push_back(mode);
  }
  return modes;
}

struct RunsMade {
  std::vector<ProgramRun> all;  // finished runs in order; the user sees the output of the first
  // Repeats of the first run, made if the runs' output or exit status differs.
  std::vector<ProgramRun> controls;
  std::vector<std::string> remarks;
};

bool found(const ProgramRun& run, CauseKind kind) {
  return std::ranges::find(run.journal.findings, kind, &wire::Finding::kind) != run.journal.findings.end();
}

// Returns the reason why other schedules would find nothing new or cannot be tried; empty if they should be
// tried.
std::string why_only_once(const ProgramRun& first) {
  if (first.stopped != Stopped::by_itself) return "the program was ended";
  if (found(first, CauseKind::endless_loop) || found(first, CauseKind::launch_limit))
    return "a kernel did not end";
  if (!first.input_kept) return "the program's input was too long to be kept";
  return {};
}

// Makes the runs of a program after its first one: at -O2, under other schedules and, if outputs differ,
// control runs (repeats of the first).
template <class Session>
Result<void> run_further(Session& session, const RunOptions& options, RunsMade& runs) {
  for (const std::string& note : runs.all.front().journal.notes) runs.remarks.push_back(note);
  const int left = runs.all.front().ending.left_behind;
  if (left > 0 && runs.all.front().stopped == Stopped::by_itself) {
    runs.remarks.push_back(
        fmt::format("{} process{} that the program had started still ran when it ended; {} ended, too", left,
                    left == 1 ? "" : "es", left == 1 ? "it was" : "they were"));
  }
  if (options.once) {
    runs.remarks.emplace_back("one run, in one order of blocks and warps, as asked; nothing was counted");
    return {};
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
  // If the simulator checked only a part of the first run, the rest of it ran faster than the -O2 run, which
  // counts everything. The -O2 run therefore needs at least as much time as the first, and is skipped if less
  // is left.
  if (unchecked && !session.has_seconds(runs.all.front().seconds)) return {};
  const std::vector<ProgramMode> modes = further_modes(schedules, runs.all.front().uncompared);
  say(options,
      schedules == 0 ? "running at -O2" : fmt::format("running at -O2 and in {} other orders", schedules));
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
  // Control runs (repeats of the first run) are not made if a fatal finding ended a run early, since
  // different outputs are then expected, or if the first run was only partly checked, since there is no time.
  if (unchecked || std::ranges::any_of(runs.all, ended_early) || !answers_differ(runs.all)) return {};
  say(options, "comparing answers");
  Result<std::vector<ProgramRun>> equal = session.more({ProgramMode{}, ProgramMode{}});
  if (!equal) return tl::unexpected<Error>(equal.error());
  if (equal->size() == 2) runs.controls = std::move(*equal);
  return {};
}

// Adds findings on how the program's runs ended (crash, time limit, ...). If the program is in a sandbox,
// violated limits are left out: the caller reports them.
void add_endings(std::vector<ProgramRun>& runs, const RunOptions& options, const RunLimits& limits) {
  const double seconds = std::chrono::duration<double>(options.timeout).count();
  for (ProgramRun& run : runs) {
    if (options.isolation && run.stopped != Stopped::by_itself) continue;
    for (wire::Finding& raw : findings_of_ending(run, limits, seconds))
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

Analysis::Analysis(const RunOptions& options, fs::path program, SourceFolders folders)
    : options_(options),
      program_(std::move(program)),
      folders_(std::move(folders)),
      runs_(std::make_unique<Runs>(options_, program_)) {
  // Ignores SIGPIPE: writing to the stdin of a program that does not read its input must not kill the process
  // that runs the analysis.
  std::signal(SIGPIPE, SIG_IGN);
}

Analysis::~Analysis() = default;

Result<ProgramRun> Analysis::first() {
  return runs_->first();
}

std::vector<ShownFinding> Analysis::findings_of(ProgramRun run) const {
  std::vector<ProgramRun> runs;
  runs.push_back(std::move(run));
  add_endings(runs, options_, runs_->limits());
  return merge_findings(runs, build::symbolize(program_, addresses_in(runs)), folders_);
}

Result<Simulation> Analysis::further(ProgramRun first, std::vector<std::string> remarks) {
  const Clock::time_point start = Clock::now();
  const double before = first.seconds;
  RunsMade runs;
  runs.remarks = std::move(remarks);
  runs.all.push_back(std::move(first));
  if (const Result<void> done = run_further(*runs_, options_, runs); !done)
    return tl::unexpected<Error>(done.error());
  add_endings(runs.all, options_, runs_->limits());
  drop_consequences_of_late_work(runs.all);
  std::vector<ShownFinding> findings =
      merge_findings(runs.all, build::symbolize(program_, addresses_in(runs.all)), folders_);
  for (ShownFinding& finding : compare_answers(runs.all, runs.controls))
    findings.push_back(std::move(finding));
  Simulation result = summary_of(runs.all, std::move(findings));
  result.remarks = std::move(runs.remarks);
  result.seconds = before + std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

Result<Simulation> analyse(const RunOptions& options, const fs::path& program, const SourceFolders& folders,
                           std::vector<std::string> remarks) {
  Analysis analysis(options, program, folders);
  say(options, fmt::format("running at {}", name_of(ProgramMode{})));
  Result<ProgramRun> first = analysis.first();
  if (!first) return tl::unexpected<Error>(first.error());
  return analysis.further(std::move(*first), std::move(remarks));
}

}  // namespace warpmark::program_analysis

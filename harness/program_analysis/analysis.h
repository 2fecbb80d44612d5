// Runs a program that was built for the simulator several times and combines the findings.
//
// The program runs once at -O0 in order; then again at -O0 with other schedules and at -O2, with the same
// input. A finding of any run counts. Counters come from the run at -O2, whose instructions are closest to a
// GPU's. If the runs' output or exit status differs, two more runs in order serve as controls: output that
// differs between the controls (times, addresses) does not depend on the schedule and is ignored.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "harness/program_analysis/program_run.h"

namespace warpmark::program_analysis {

// Options for running a program on the simulator, the same for all runs of the program.
struct RunOptions {
  std::vector<std::string> arguments;
  int schedules = 3;                           // number of additional runs under other schedules
  bool once = false;                           // true: only the first run, which counts nothing
  std::chrono::milliseconds timeout{300'000};  // time limit of all runs together
  std::chrono::milliseconds first_timeout{0};  // time limit of the first run; 0: the limit of all runs
  std::size_t memory = 0;  // memory limit of one run in bytes; 0: half of the machine's memory
  std::size_t output = std::size_t{64} << 20;  // limit on the output of one run in bytes
  // Path of the program warpmark-device, which simulates the GPU; empty: the program runs natively, only
  // once.
  std::filesystem::path device;
  int devices = 1;                                   // number of GPUs that the program sees
  std::function<void(const std::string&)> progress;  // receives the messages to the user, one line per call
  // Path of the program's stdin; empty: this process's stdin, of which a copy is kept for the later runs. The
  // first run's output is forwarded to this process's stdout only if this is empty.
  std::filesystem::path input;
  // Prepares the working folder of a run, numbered from 0, and returns its path; thread-safe. Empty: every
  // run works in the current folder.
  std::function<std::filesystem::path(int)> working;
  // sandbox of a student's program; nullopt: none, the program is the user's own
  std::optional<Isolation> isolation;
};

struct ShownFinding {
  CauseKind kind = CauseKind::unsupported;
  bool note = false;   // true: the finding is information, not an error
  std::string kernel;  // name of the kernel; empty: the finding concerns host code only
  std::string file;
  int line = 0;  // source line of the finding; 0: unknown
  int other_line = 0;
  std::string message;
  std::string seen;  // runs in which this finding appeared; empty if it appeared in all
  std::vector<SourceLine> excerpt;
  std::vector<SourceLine> other_excerpt;
};

struct RunSummary {
  ProgramMode mode;
  int status = 0;
  double seconds = 0;
};

struct Simulation {
  // exit status of `warpmark simulate`: 1 if there are findings, else the program's exit status
  int exit_status = 0;
  std::vector<RunSummary> runs;
  std::vector<ShownFinding> findings;  // findings in all runs, errors first
  std::vector<std::string> remarks;  // runs or checks that were left out, each in a sentence with the reason
  std::vector<wire::Launch> launches;     // kernel launches of the run at -O2; empty if there was none
  std::vector<wire::Transfer> transfers;  // copies between host and device in the first run
  double seconds = 0;
};

// Search path for source files: a shown name is relative to the first of these folders that has the file.
using SourceFolders = std::vector<std::filesystem::path>;

// Makes all runs of a program (class Analysis) and merges their findings. Fails only for internal errors.
// `remarks`: messages that the user sees first.
Result<Simulation> analyse(const RunOptions& options, const std::filesystem::path& program,
                           const SourceFolders& folders, std::vector<std::string> remarks = {});

// Runs one program several times on the same input and merges the findings.
class Analysis {
 public:
  // `options` must outlive the Analysis. The time limit of all runs starts with the constructor.
  Analysis(const RunOptions& options, std::filesystem::path program, SourceFolders folders);
  ~Analysis();
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  // Runs the program once, compiled at -O0, with blocks and warps in index order. Fails only for internal
  // errors.
  Result<ProgramRun> first();
  // Returns the simulator's findings in one run of the program, not merged with those of other runs.
  [[nodiscard]] std::vector<ShownFinding> findings_of(ProgramRun run) const;
  // Makes the runs of a program after its first one, and merges the findings of all. `remarks`: messages
  // that the user sees first, before those that the runs add.
  Result<Simulation> further(ProgramRun first, std::vector<std::string> remarks = {});

 private:
  class Runs;
  const RunOptions& options_;
  std::filesystem::path program_;
  SourceFolders folders_;
  std::unique_ptr<Runs> runs_;
};

}  // namespace warpmark::program_analysis

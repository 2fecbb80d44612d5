#include "harness/remote/slurm.h"

#include <chrono>

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/remote/shell.h"
#include "harness/sandbox/process.h"

namespace warpmark::remote {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Time limit of a Slurm command. sbatch itself retries for two minutes while the queue is full, which is too
// long to wait for a refusal.
constexpr std::chrono::seconds kAnswerLimit{30};
// Limit in bytes on the output of a Slurm command; `scontrol show job` prints 1.3 KB per task.
constexpr std::size_t kMostOutput = std::size_t{64} << 20;

// Runs a Slurm command and returns its output. Fails with that output if the command failed or timed out.
Result<std::string> ask(const fs::path& program, std::vector<std::string> arguments) {
  sandbox::Command command;
  arguments.insert(arguments.begin(), program.string());
  command.argv = std::move(arguments);
  command.environment = whole_environment();
  command.level = sandbox::Level::none;
  command.output_cap = kMostOutput;
  const auto finished = sandbox::run(command, kAnswerLimit);
  if (!finished) return tl::unexpected(finished.error());
  const sandbox::Ending& ending = finished->ending;
  if (finished->timed_out) {
    return fail(fmt::format("{} got no answer in {} s: {}", program.filename().string(), kAnswerLimit.count(),
                            trimmed(ending.output)));
  }
  if (ending.kind != sandbox::Ending::Kind::exited || ending.code != 0) {
    const std::string why = sandbox::why_not_started(ending);
    return fail(
        fmt::format("{}: {}", program.filename().string(), why.empty() ? trimmed(ending.output) : why));
  }
  return ending.output;
}

}  // namespace

Result<Slurm> Slurm::find() {
  Slurm slurm;
  for (const char* name : {"sbatch", "squeue", "scontrol", "scancel"}) {
    const auto program = sandbox::find_program(name);
    if (!program) {
      return fail(
          fmt::format("--on slurm: {} is not on PATH; run this on a login node of the cluster (Debian's "
                      "package: slurm-client), or grade here with --on local",
                      name));
    }
    slurm.programs_[name] = *program;
  }
  return slurm;
}

Result<std::string> Slurm::submit(const Batch& batch) const {
  const auto printed = ask(programs_.at("sbatch"), sbatch_arguments(batch));
  if (!printed) return tl::unexpected(printed.error());
  std::string id = job_id_in(*printed);
  if (id.empty()) return fail(fmt::format("sbatch printed no job id: {}", trimmed(*printed)));
  return id;
}

void Slurm::cancel(const std::string& name) const {
  static_cast<void>(ask(programs_.at("scancel"), {"--name=" + name}));
}

Result<std::vector<QueuedTask>> Slurm::queued(const std::string& name) const {
  const auto printed = ask(programs_.at("squeue"), {"--noheader", "--array", "--name=" + name,
                                                    std::string("--format=") + kQueueFormat});
  if (!printed) return tl::unexpected(printed.error());
  return queue_in(*printed);
}

std::map<std::size_t, EndedTask> Slurm::ended(const std::string& job) const {
  const auto printed = ask(programs_.at("scontrol"), {"--oneliner", "show", "job", job});
  return printed ? ended_in(*printed) : std::map<std::size_t, EndedTask>{};
}

std::size_t Slurm::largest_array() const {
  const auto printed = ask(programs_.at("scontrol"), {"show", "config"});
  return largest_array_in(printed ? *printed : "");
}

}  // namespace warpmark::remote

#include "harness/judge/workers/mpi.h"

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/sandbox/process.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{20};
constexpr std::string_view kRemedy =
    "install Open MPI (on Debian and Ubuntu: sudo apt-get install libopenmpi-dev openmpi-bin) and start "
    "again";

// Runs a program and returns its output; nullopt if it fails or times out.
std::optional<std::string> output_of(std::vector<std::string> argv) {
  sandbox::Command command;
  command.argv = std::move(argv);
  command.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"HOME", "/tmp"}, {"LC_ALL", "C.UTF-8"}};
  // Inside a Slurm allocation, srun and similar commands need SLURM_JOB_ID and SLURM_CONF.
  for (const char* name : {"SLURM_JOB_ID", "SLURM_CONF"}) {
    if (const char* value = std::getenv(name)) command.environment[name] = value;
  }
  const auto done = sandbox::run(command, kPatience);
  const bool well = done && !done->timed_out && done->ending.kind == sandbox::Ending::Kind::exited &&
                    done->ending.code == 0;
  return well ? std::optional(done->ending.output) : std::nullopt;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Returns "Open MPI 4.1.4" for "mpirun (Open MPI) 4.1.4"; nullopt for another MPI.
std::optional<std::string> open_mpi_in(const std::string& version) {
  constexpr std::string_view kName = "(Open MPI) ";
  const std::size_t at = version.find(kName);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + kName.size();
  return "Open MPI " + version.substr(begin, version.find_first_of(" \n", begin) - begin);
}

// Returns srun if this process is in a Slurm allocation that supports PMIx; else an empty path.
fs::path find_srun() {
  const auto srun = sandbox::find_program("srun");
  if (std::getenv("SLURM_JOB_ID") == nullptr || !srun) return {};
  const auto kinds = output_of({srun->string(), "--mpi=list"});
  return kinds && kinds->find("pmix") != std::string::npos ? *srun : fs::path();
}

}  // namespace

Result<Mpi> find_mpi() {
  Mpi mpi;
  const auto mpirun = sandbox::find_program("mpirun");
  const auto compiler = sandbox::find_program("mpicxx");
  if (!mpirun || !compiler)
    return fail(fmt::format("there is no {}: {}", mpirun ? "mpicxx" : "mpirun", kRemedy));
  const auto version = output_of({mpirun->string(), "--version"});
  const auto known = version ? open_mpi_in(*version) : std::nullopt;
  if (!known) return fail(fmt::format("{} is not that of Open MPI: {}", mpirun->string(), kRemedy));
  const auto compile = output_of({compiler->string(), "--showme:compile"});
  const auto link = output_of({compiler->string(), "--showme:link"});
  if (!compile || !link)
    return fail(fmt::format("{} does not print its compiler flags: {}", compiler->string(), kRemedy));
  mpi.mpirun = *mpirun;
  mpi.srun = find_srun();
  mpi.compile_flags = words_of(*compile);
  // Excludes MPI's deprecated C++ bindings, which cause warnings.
  mpi.compile_flags.emplace_back("-DOMPI_SKIP_MPICXX");
  mpi.link_flags = words_of(*link);
  mpi.description = *known;
  return mpi;
}

std::vector<std::string> rank_starter(const RankStart& start, bool in_box) {
  const std::string count = std::to_string(start.ranks);
  if (!in_box && !start.mpi.srun.empty()) {
    return {start.mpi.srun.string(), "--mpi=pmix",   "--quiet",      "--overlap",           "--nodes=1-1",
            "--ntasks=" + count,     "--overcommit", "--export=ALL", "--kill-on-bad-exit=1"};
  }
  return {
      start.mpi.mpirun.string(), "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", count};
}

// All ranks run on one machine, so Open MPI is limited to shared memory: no network, and no access to other
// processes' memory (which a sandbox forbids). Open MPI 4 and 5 (with PRRTE's mpirun) name these settings
// differently and ignore each other's.
std::map<std::string, std::string> rank_environment(const RankStart& start, const fs::path& folder,
                                                    bool in_box) {
  std::map<std::string, std::string> environment{
      {"HOME", folder.string()},
      {"TMPDIR", folder.string()},
      {"PATH", "/usr/local/bin:/usr/bin:/bin"},
      {"OMPI_MCA_btl", "self,vader"},
      {"OMPI_MCA_pml", "ob1"},
      {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
      {"OMPI_MCA_btl_vader_backing_directory", folder.string()},
      {"OMPI_MCA_smsc", "^cma,xpmem"},
      {"OMPI_MCA_btl_sm_backing_directory", folder.string()},
      {"OMPI_MCA_orte_tmpdir_base", folder.string()},
      {"PRTE_MCA_prte_tmpdir_base", folder.string()},
      {"OMPI_MCA_orte_execute_quiet", "1"},  // the harness reports how a rank ended
      {"PRTE_MCA_prte_execute_quiet", "1"},
      {"OMPI_MCA_oob_tcp_if_include", "lo"},
      {"OMPI_MCA_opal_signal", ""},  // the harness handles crashes
      {"UCX_HANDLE_ERRORS", "none"},
      {"UCX_LOG_LEVEL", "fatal"},
      {"UCX_MEM_EVENTS", "n"},  // UCX would overwrite munmap and the like, too
      {"UCX_TLS", "shm,self"},
      // Open MPI's hooks overwrite the first instructions of munmap and similar functions. AddressSanitizer's
      // replacements are too short for that, so neighbouring code would be overwritten, too.
      {"OMPI_MCA_memory", "^patcher"},
      {"HWLOC_HIDE_ERRORS", "2"},  // a sandbox has no /sys
      // PMIx's default store maps memory at a fixed address, which may collide with the address range of the
      // simulated device's memory.
      {"PMIX_MCA_gds", "hash"},
      {"OMPI_MCA_mpi_yield_when_idle", "1"},  // idle ranks yield instead of spinning on a shared core
  };
  // Of the components for one-sided communication in Open MPI 4, one does without threads that call MPI and
  // one needs access to other processes' memory; the choice would fall on them.
  if (start.mpi.description.starts_with("Open MPI 4.")) environment["OMPI_MCA_osc"] = "^pt2pt,rdma";
  if (!in_box && !start.mpi.srun.empty()) {
    for (char** each = ::environ; *each != nullptr; ++each) {
      const std::string_view text = *each;
      const std::size_t equals = text.find('=');
      if (text.starts_with("SLURM_") && equals != std::string_view::npos)
        environment[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    }
  } else {
    environment["OMPI_MCA_plm"] = "isolated";
  }
  return environment;
}

}  // namespace warpmark::judge

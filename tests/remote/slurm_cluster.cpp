#include "tests/remote/slurm_cluster.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "tests/cli/child.h"
#include "tests/remote/processes.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPatience = 60s;  // for a daemon to be ready on a machine that is busy

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  const std::string whole = name.data();
  return whole.substr(0, whole.find('.'));
}

bool becomes_true(const auto& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(50ms);
  }
  return true;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

constexpr const char* kConfiguration = R"(ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 Gres=gpu:2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES State=UP
{more}
)";

}  // namespace

Result<void> SlurmCluster::start(const fs::path& folder, const std::string& more) {
  if (geteuid() != 0) return fail("slurmd runs as root alone");
  for (const char* program :
       {"/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/sbatch"}) {
    if (!fs::exists(program)) {
      return fail(
          fmt::format("{} is missing; sudo apt-get install munge slurmctld slurmd slurm-client", program));
    }
  }
  folder_ = folder;
  for (const char* part : {"state", "spool"}) fs::create_directories(folder / part);
  for (const char* device : {"gpu0", "gpu1"}) fs::create_symlink("/dev/null", folder / device);
  write(folder / "gres.conf", fmt::format("Name=gpu File={}/gpu[0-1]\n", folder.string()));
  write(folder / "slurm.conf", fmt::format(kConfiguration, fmt::arg("host", host_name()),
                                           fmt::arg("controller", free_port()), fmt::arg("node", free_port()),
                                           fmt::arg("folder", folder.string()), fmt::arg("more", more)));
  write(folder / "munge.key", std::string(1024, 'k'));
  fs::permissions(folder / "munge.key", fs::perms(0600));
  const auto in_folder = [&](const char* file) { return (folder / file).string(); };
  munged_ = spawn({"/usr/sbin/munged", "--foreground", "--force", "--num-threads=1",
                   "--socket=" + in_folder("munge.sock"), "--key-file=" + in_folder("munge.key"),
                   "--pid-file=" + in_folder("munge.pid"), "--seed-file=" + in_folder("munge.seed"),
                   "--log-file=" + in_folder("munge.log")},
                  "munged.txt");
  if (!becomes_true([&] { return fs::exists(folder / "munge.sock"); })) return fail("munged does not start");
  controller_ = spawn({"/usr/sbin/slurmctld", "-D", "-f", in_folder("slurm.conf")}, "slurmctld.txt");
  return start_node();
}

Result<void> SlurmCluster::start_node() {
  node_ = spawn({"/usr/sbin/slurmd", "-D", "-f", (folder_ / "slurm.conf").string()}, "slurmd.txt");
  // "idle*" is one that does not answer; one that is back may have work at once.
  const bool ready = becomes_true([&] {
    const std::string state = ask({"/usr/bin/sinfo", "-h", "-o", "%T"});
    return state == "idle\n" || state == "mixed\n" || state == "allocated\n";
  });
  if (ready) return {};
  std::string said = ask({"/usr/bin/sinfo"});
  for (const char* log : {"slurmctld.txt", "slurmd.txt"}) said += read_file(folder_ / log).value_or("");
  return fail("the node does not come up: " + said);
}

SlurmCluster::~SlurmCluster() {
  kill_node();
  kill_and_wait(controller_);
  kill_and_wait(munged_);
}

std::map<std::string, std::string> SlurmCluster::environment() const {
  return {{"SLURM_CONF", (folder_ / "slurm.conf").string()}, {"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}};
}

std::string SlurmCluster::ask(std::vector<std::string> command) const {
  return run_child(command, environment(), folder_).output;
}

void SlurmCluster::kill_node() {
  kill_and_wait(node_);
  // What slurmd had started has a session of its own: the jobs' processes and, before them, those of Slurm
  // that would report their end.
  const auto all = all_processes();
  std::vector<pid_t> jobs;
  std::set<pid_t> steps;
  for (const Proc& process : all) {
    if (!is_in_job(fmt::format("/proc/{}", process.id))) continue;
    jobs.push_back(process.id);
    std::string program;
    std::getline(std::ifstream(fmt::format("/proc/{}/comm", process.parent)), program);
    if (program == "slurmstepd") steps.insert(process.parent);
  }
  for (const pid_t step : steps) kill(step, SIGKILL);
  for (const pid_t job : jobs) kill(job, SIGKILL);
}

bool SlurmCluster::is_in_job(const fs::path& process) const {
  const std::string environment = proc_text(process / "environ");
  const std::string own = "SLURM_CONF=" + (folder_ / "slurm.conf").string();
  return environment.find(own) != std::string::npos && environment.find("SLURM_JOB_ID=") != std::string::npos;
}

void SlurmCluster::lose_node() {
  kill_node();
  ask({"/usr/bin/scontrol", "update", "nodename=" + host_name(), "state=down", "reason=power"});
}

pid_t SlurmCluster::spawn(std::vector<std::string> command, const std::string& log) {
  return spawn_daemon(
      std::move(command),
      {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "SLURM_CONF=" + (folder_ / "slurm.conf").string()},
      folder_ / log);
}

}  // namespace warpmark

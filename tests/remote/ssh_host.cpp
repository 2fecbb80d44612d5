#include "tests/remote/ssh_host.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "tests/cli/child.h"
#include "tests/remote/processes.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kSshd = "/usr/sbin/sshd";

constexpr const char* kServer = R"(ListenAddress 127.0.0.1
Port {port}
HostKey "{folder}/host_key"
AuthorizedKeysFile "{folder}/user_key.pub"
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
SetEnv "TMPDIR={folder}/temporary there"
)";

constexpr const char* kClient = R"(Host there
  HostName 127.0.0.1
  Port {port}
  IdentityFile "{folder}/user_key"
  IdentitiesOnly yes
  UserKnownHostsFile "{folder}/known_hosts"
  StrictHostKeyChecking accept-new
)";

void write(const fs::path& file, const char* pattern, int port, const fs::path& folder) {
  std::ofstream(file) << fmt::format(fmt::runtime(pattern), fmt::arg("port", port),
                                     fmt::arg("folder", folder.string()));
}

}  // namespace

Result<void> SshHost::start(const fs::path& folder) {
  for (const char* program : {kSshd, "/usr/bin/ssh", "/usr/bin/ssh-keygen"}) {
    if (!fs::exists(program))
      return fail(fmt::format("{} is missing; sudo apt-get install openssh-server openssh-client", program));
  }
  folder_ = folder;
  fs::create_directories(temporary());
  // sshd asks for this folder of its own when it runs as root.
  if (geteuid() == 0) fs::create_directories("/run/sshd");
  for (const char* key : {"host_key", "user_key"}) {
    const Child made =
        run_child({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key}, {}, folder);
    if (made.status != 0) return fail("ssh-keygen: " + made.output);
  }
  const int port = free_port();
  write(folder / "sshd_config", kServer, port, folder);
  write(folder / "config", kClient, port, folder);
  std::vector<std::string> words{kSshd, "-D", "-e", "-f", folder / "sshd_config"};
  daemon_ = spawn_daemon(words, {"PATH=/usr/sbin:/usr/bin:/sbin:/bin"}, folder / "sshd.txt");
  Child asked;
  for (int attempt = 0; attempt < 100; ++attempt) {
    asked = run_child({"/usr/bin/ssh", "-F", configuration(), "-o", "BatchMode=yes", "there", "true"},
                      {{"PATH", "/usr/bin:/bin"}}, folder);
    if (asked.status == 0) return {};
    std::this_thread::sleep_for(100ms);
  }
  return fail("sshd does not let anybody in: " + asked.output + read_file(folder / "sshd.txt").value_or(""));
}

SshHost::~SshHost() {
  cut_connections();
  stop_listening();
}

void SshHost::cut_connections() const {
  for (const Proc& each : all_processes()) {
    if (daemon_ > 0 && each.parent == daemon_) {
      // The process that talks to the client is the child of one with privileges.
      for (const Proc& other : all_processes()) {
        if (other.parent == each.id && other.command.find("sshd") != std::string::npos)
          kill(other.id, SIGKILL);
      }
      kill(each.id, SIGKILL);
    }
  }
}

void SshHost::stop_listening() {
  kill_and_wait(daemon_);
}

std::vector<std::string> SshHost::processes() const {
  std::vector<std::string> found;
  const std::string mark = temporary().string() + "/warpmark-there.";
  for (const Proc& each : all_processes()) {
    const std::string environment = proc_text(fmt::format("/proc/{}/environ", each.id));
    if (each.command.find(mark) != std::string::npos || environment.find(mark) != std::string::npos)
      found.push_back(each.command);
  }
  return found;
}

}  // namespace warpmark

#include "tests/remote/processes.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

pid_t parent_of(const fs::path& process) {
  std::string line;
  std::getline(std::ifstream(process / "stat"), line);
  // "12 (name) S 3 ...": the name may hold anything.
  const std::size_t end = line.rfind(") ");
  return end == std::string::npos || end + 4 > line.size() ? -1 : std::atoi(line.c_str() + end + 4);
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

int free_port() {
  const UniqueFd probe(socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(probe.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(probe.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw_errno("a port");
  return ntohs(address.sin_port);
}

pid_t spawn_daemon(std::vector<std::string> command, std::vector<std::string> environment,
                   const fs::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {1, 2})
    posix_spawn_file_actions_addopen(&actions, fd, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  pid_t process = -1;
  const auto argv = pointers_to(command);
  const int error =
      posix_spawn(&process, argv.front(), &actions, nullptr, argv.data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : -1;
}

void kill_and_wait(pid_t& process) {
  if (process <= 0) return;
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  process = -1;
}

std::string proc_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<Proc> all_processes() {
  std::vector<Proc> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string command = proc_text(entry.path() / "cmdline");
    std::ranges::replace(command, '\0', ' ');
    found.push_back({std::atoi(name.c_str()), parent_of(entry.path()), std::move(command)});
  }
  return found;
}

}  // namespace warpmark

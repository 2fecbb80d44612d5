// Daemons that a test starts, and what /proc says of processes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace warpmark {

// A port that is free now.
int free_port();

// Starts a daemon with this environment alone; its output is appended to the log. Returns -1 on failure.
pid_t spawn_daemon(std::vector<std::string> command, std::vector<std::string> environment,
                   const std::filesystem::path& log);
// Kills it and waits for its end; sets it to -1.
void kill_and_wait(pid_t& process);

// Returns a file of /proc; as much as there is if the process ends meanwhile.
std::string proc_text(const std::filesystem::path& file);

struct Proc {
  pid_t id = -1;
  pid_t parent = -1;
  std::string command;  // its command line, separated by blanks
};
std::vector<Proc> all_processes();

}  // namespace warpmark

// Starts what its arguments say, LEVEL PROGRAM ARGUMENT..., with descriptor 3 passed on, prints its output as
// it comes, and is killed by the test.

#include <cstdio>
#include <thread>

#include <poll.h>
#include <unistd.h>

#include "harness/sandbox/process.h"

int main(int argc, char** argv) {
  using namespace warpmark::sandbox;
  if (argc < 3) return 4;
  Command command;
  command.level = level_from(argv[1]).value_or(Level::none);
  command.argv.assign(argv + 2, argv + argc);
  command.box.read_only = {command.argv.front()};
  command.pass_fds = {3};
  warpmark::Result<Process> process = Process::start(command);
  if (!process) return 1;
  pollfd output{process->output_fd(), POLLIN, 0};
  poll(&output, 1, -1);
  std::puts("started");
  std::fflush(stdout);
  return process->wait_until(Clock::now() + std::chrono::hours(1)) ? 2 : 3;
}

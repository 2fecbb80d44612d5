// Connects the program to its device process at start-up. The worker process gets the connection from the
// judge process; for any other program, the environment variable wire::kDeviceVariable names two descriptors.
// The variable is removed before the program's own constructors run.
#include <cstdlib>
#include <sstream>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/simulator/both/address_plan.h"
#include "harness/simulator/program/client.h"
#include "harness/simulator/program/connection.h"
#include "harness/simulator/program/fault.h"
#include "harness/simulator/program/own_device.h"
#include "harness/wire/device.h"

using namespace warpmark;
using namespace warpmark::simulator;

void warpmark_device_connect(int socket, int last_words) {
  Connection::instance().connect(socket);
  explain_faults(kDeviceRange, kDeviceRangeBytes);
  report_faults_to(last_words);
}

void warpmark_device_on_demand(char** arguments) {
  Connection& connection = Connection::instance();
  if (connection.is_connected()) return;
  if (std::getenv("WARPMARK_CHECK") != nullptr) run_checked(arguments);
  connection.connect_on_demand();
}

namespace {

// Reports the end of the program to the device process. A forked child reports nothing: allocations inherited
// from its parent are not its leaks.
void at_exit(int status, void* /*unused*/) {
  Connection& connection = Connection::instance();
  if (connection.is_ours()) connection.call(Special::end_program, [=](Packer& to) { to.put(status); });
}

// Connects to the device process before the program's own constructors run: the program depends on the
// runtime library, and the dynamic linker initialises a dependency first.
[[gnu::constructor]] void start() {
  const char* text = std::getenv(wire::kDeviceVariable);
  if (text == nullptr) return;
  std::istringstream told(text);
  unsetenv(wire::kDeviceVariable);
  int socket = -1;
  int last_words = -1;
  if (!(told >> socket >> last_words)) return;
  for (const int descriptor : {socket, last_words}) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  warpmark_device_connect(socket, last_words);
  report_crashes();
  // Registers the handler that reports the end of the program. It is registered before all others, so it runs
  // after them: on_exit handlers run in reverse order.
  on_exit(at_exit, nullptr);
  // Line-buffers stdout as on a terminal, so that output before a crash is not lost in a pipe.
  setvbuf(stdout, nullptr, _IOLBF, 0);
}

}  // namespace

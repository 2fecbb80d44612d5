// A program of its own, not a worker, under the simulator: what it is told at its start, and what it tells.
//
// Whoever starts it puts a wire::Startup into the environment (harness/wire/journal.h): the descriptor to
// write to, and the options. It is read once, before the program's own constructors run, and taken out of the
// environment. From then on all that the journal holds is written to the descriptor at the end of each
// runtime function, a line each, so that nothing is lost however the program ends.
#include <cstdlib>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/simulator/runtime/runtime.h"
#include "harness/wire/codec.h"

namespace warpmark::simulator {
namespace {

// A child that the program forked has its parent's allocations: they are no leaks of its own.
void at_exit(int status, void* parent) {
  if (static_cast<pid_t>(reinterpret_cast<std::intptr_t>(parent)) != getpid()) return;
  Runtime::locked([=](Runtime& runtime) {
    // After a fatal error nothing can be given back any more.
    const auto left = runtime.failed_for_good() ? std::vector<Allocation>() : runtime.memory.allocations();
    runtime.notes.tell(status, left, runtime.journal);
    runtime.journal.flush();
  });
}

void configure(const wire::Startup& told) {
  const int journal = told.journal;
  fcntl(journal, F_SETFD, FD_CLOEXEC);
  report_faults_to(journal);
  report_crashes();
  WarpmarkSimulatorOptions options{};
  options.checking = told.checking ? 1 : 0;
  options.schedule = told.schedule;
  options.host_threads = told.host_threads;
  options.host_readable = told.host_readable ? 1 : 0;
  options.check_accesses = told.check_accesses ? 1 : 0;
  options.count_work = told.count_work ? 1 : 0;
  options.work_limit = told.work_limit;
  Runtime::locked([&](Runtime& runtime) {
    runtime.configure(options);
    runtime.journal.write_to(journal);
    runtime.notes.begin();
  });
  // Registered before any function of the program: runs after them all.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number in the handler's one argument
  on_exit(at_exit, reinterpret_cast<void*>(static_cast<std::intptr_t>(getpid())));
  // What a terminal would show before a crash shall not be lost in a pipe.
  setvbuf(stdout, nullptr, _IOLBF, 0);
}

// Runs before the program's constructors, because the program depends on this library.
[[gnu::constructor]] void start() {
  const char* text = std::getenv(wire::kStartupVariable);
  if (text == nullptr) return;
  const auto told = wire::decode_startup(text);
  unsetenv(wire::kStartupVariable);
  if (told) configure(*told);
}

}  // namespace
}  // namespace warpmark::simulator

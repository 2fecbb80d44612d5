// A program of its own, not a worker, under the simulator: what it is told at its start, and what it tells.
//
// Whoever starts it puts one JSON object into WARPMARK_SIMULATION: the descriptor to write to, and the
// options. It is read once, before the program's own constructors run, and taken out of the environment. From
// then on all that the journal takes up is written to the descriptor at the end of each runtime function, one
// JSON object a line, so that nothing is lost however the program ends:
//
//   {"launches": [...], "findings": [...], "transfers": [...]}   what was noted (see control.h)
//   {"running": {"kernel": "k", "grid": [..], "block": [..]}}    a launch begins
//   {"kind": "device_pointer", ...}                              a finding of the fault handler
//   {"frames": [...]}                                            where in the program that was
#include <cstdlib>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/simulator/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

constexpr char kVariable[] = "WARPMARK_SIMULATION";

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

void configure(const nlohmann::json& told) {
  const int journal = told.at("journal").get<int>();
  fcntl(journal, F_SETFD, FD_CLOEXEC);
  report_faults_to(journal);
  report_crashes();
  const auto number = [&](const char* name) { return told.value(name, 0); };
  WarpmarkSimulatorOptions options{};
  options.checking = number("checking");
  options.schedule = told.value("schedule", std::uint64_t{0});
  options.host_threads = number("host_threads");
  options.host_readable = number("host_readable");
  options.check_accesses = number("check_accesses");
  options.count_work = number("count_work");
  options.work_limit = told.value("work_limit", std::uint64_t{0});
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
  const char* text = std::getenv(kVariable);
  if (text == nullptr) return;
  const auto told = nlohmann::json::parse(text, nullptr, false);
  unsetenv(kVariable);
  if (told.is_object() && told.contains("journal")) configure(told);
}

}  // namespace
}  // namespace warpmark::simulator

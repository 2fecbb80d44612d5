// Finds what of a submission runs on in a worker process after a call was answered: threads, and MPI ranks
// whose function has not returned.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include <sys/types.h>

#include "harness/model/grade.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {

class LeftRunning {
 public:
  // Note what runs before student code is loaded; later calls change nothing.
  void note_threads(const sandbox::Process& process);
  void note_ranks(const sandbox::Process& process);

  // Returns what is wrong if more runs now. Waits a little for what is about to end.
  [[nodiscard]] std::optional<Cause> find(const sandbox::Process& process) const;

 private:
  [[nodiscard]] int threads_left(const sandbox::Process& process) const;
  [[nodiscard]] bool all_ranks_have_returned(const sandbox::Process& process) const;

  // Number of the process's threads before student code; more threads later are the student's.
  std::optional<int> threads_;
  // Stack pointer with which each rank's process waited for a request before it loaded student code.
  std::map<pid_t, std::uint64_t> waiting_at_;
};

}  // namespace warpmark::judge

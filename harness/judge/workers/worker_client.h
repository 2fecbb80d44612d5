// The judge process's side of a worker process (which runs student code): starts it, sends one numbered
// request at a time with a deadline, and determines the cause if no valid reply arrives. Replies are
// type-checked but otherwise untrusted.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/engine.h"
#include "harness/base/error.h"
#include "harness/base/file.h"
#include "harness/judge/workers/installation.h"
#include "harness/judge/workers/mpi.h"
#include "harness/model/grade.h"
#include "harness/wire/channel.h"
#include "harness/wire/journal.h"
#include "harness/wire/request.h"

namespace warpmark::judge {

// The reply to a request, or a failure of kind crashed, exited, timed_out, tampering, cuda_error or internal.
// On the simulator also the finding that host code accessed device memory.
template <class Request>
using Answer = tl::expected<typename Request::Answer, Cause>;

// Resources of a worker process beyond one process with one device.
struct WorkerShape {
  std::shared_ptr<const RankStart> ranks;  // number of MPI ranks and their launcher; null: no MPI
  int devices = 1;                         // simulated GPUs per worker process
  // Toolkit libraries that student code may call on a simulated GPU ("cublas"); nullopt: all.
  std::optional<std::vector<std::string>> libraries = std::nullopt;
  // True if calls are timed: OpenMP's threads spin between parallel loops then, as in any program. Elsewhere
  // they sleep: many workers run side by side, and with 16 teams of 16 spinning threads on 16 cores a call of
  // a parallel loop without iterations took 20 to 40 ms (2026-11-28).
  bool timed = false;
};

class WorkerClient {
 public:
  // Starts a worker process. `observe`: record transfers from the start (slows down calls on a GPU). Fails
  // with an internal error, or with the reason for the process's death.
  static tl::expected<WorkerClient, Cause> start(const Installation& installation, Engine engine,
                                                 bool observe, std::chrono::milliseconds limit,
                                                 const WorkerShape& shape = {});
  WorkerClient(WorkerClient&&) noexcept;
  WorkerClient& operator=(WorkerClient&&) noexcept;
  ~WorkerClient();

  // Returns the worker process's description of its device.
  [[nodiscard]] const wire::HelloReply& hello() const;

  // Returns the processor time in seconds that the simulated device had used after the last call; 0 on other
  // engines.
  [[nodiscard]] double device_seconds() const;

  // Returns true if replies to calls list the kernel launches.
  [[nodiscard]] bool records_launches() const;

  // Sends a request and waits for its reply. After a failure the worker process is dead, and all later
  // requests fail with the same cause. Exception: a FailedReply reports that the harness's own code in the
  // worker process failed; the process lives on. The cause is then `internal`, or `cuda_error` if student
  // code was loaded.
  template <class Request>
  Answer<Request> ask(const Request& request, const std::vector<int>& descriptors,
                      std::chrono::milliseconds limit) {
    auto reply = ask_any(request, descriptors, limit);
    if (!reply) return tl::unexpected(reply.error());
    auto* proper = std::get_if<typename Request::Answer>(&*reply);
    if (proper == nullptr) return tl::unexpected(mismatched(limit));
    return std::move(*proper);
  }

  // Returns a memory file of at least `bytes` bytes, sealed against resizing, for the results of the next
  // request. The simulator reuses one file, because only the device process writes to it. Other engines get a
  // new file each time, because student code may have kept a mapping of the last one.
  SharedMemory& answer_memory(std::size_t bytes);

  // Calls the listener with each later request to the worker process and the events in its reply, before
  // ask() returns.
  using Listener = std::function<void(const wire::Request& request, const wire::Seen& seen)>;
  void listen(Listener listener);

  // Marks the worker process as holding student code: later failures are attributed to the student, and so
  // are threads that keep running after a reply.
  void holds_a_submission();

  [[nodiscard]] bool alive() const;
  // After the worker process's death: the last call stack of its calling thread, if known.
  [[nodiscard]] wire::Frames last_frames() const;
  // After an MPI worker process's death: the way in which its ranks ended, if known.
  [[nodiscard]] std::optional<wire::RanksFailure> last_ranks() const;
  // After the worker process's death: the last call stacks of its other threads.
  [[nodiscard]] std::vector<wire::Frames> last_frames_of_others() const;
  // Returns the findings reported before the worker process died (simulator and sanitizer engines only).
  [[nodiscard]] const wire::Observation& last_seen() const;
  // Returns the program's output during the last request that got a reply, at most 4 KiB. The output of a
  // process that died is in the reported failure.
  [[nodiscard]] const std::string& printed() const;

 private:
  struct State;
  tl::expected<wire::Reply, Cause> ask_any(const wire::Request& request, const std::vector<int>& descriptors,
                                           std::chrono::milliseconds limit);
  Cause mismatched(std::chrono::milliseconds limit);
  explicit WorkerClient(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::judge

// The judge's side of a worker: starts it, sends one numbered request at a time with a deadline, and
// determines the cause if no valid reply arrives. Its results are type-checked but otherwise untrusted.
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

// The reply to a request, or a cause of kind crashed, exited, timed_out, tampering, cuda_error or internal,
// or the simulator's finding about a host access to device memory.
template <class Request>
using Answer = tl::expected<typename Request::Answer, Cause>;

// Resources of a worker beyond one process with one device.
struct WorkerShape {
  std::shared_ptr<const RankStart> ranks;  // null: no MPI
  int devices = 1;                         // simulated devices per process
};

class WorkerClient {
 public:
  // observe: record transfers from the start (slows down calls on a GPU). Fails with an internal cause, or
  // with the cause of the process's death.
  static tl::expected<WorkerClient, Cause> start(const Installation& installation, Engine engine,
                                                 bool observe, std::chrono::milliseconds limit,
                                                 const WorkerShape& shape = {});
  WorkerClient(WorkerClient&&) noexcept;
  WorkerClient& operator=(WorkerClient&&) noexcept;
  ~WorkerClient();

  // Returns the worker's description of its device.
  [[nodiscard]] const wire::HelloReply& hello() const;

  // Returns true if the observation of a call includes its kernel launches.
  [[nodiscard]] bool records_launches() const;

  // After a failure the worker is dead, and all later requests fail with the same cause. The exception is a
  // FailedReply, a failure of the harness's part of the worker: it is an internal cause, or a cuda_error once
  // the worker holds a submission, and the worker lives on.
  template <class Request>
  Answer<Request> ask(const Request& request, const std::vector<int>& descriptors,
                      std::chrono::milliseconds limit) {
    auto reply = ask_any(request, descriptors, limit);
    if (!reply) return tl::unexpected(reply.error());
    auto* proper = std::get_if<typename Request::Answer>(&*reply);
    if (proper == nullptr) return tl::unexpected(mismatched(limit));
    return std::move(*proper);
  }

  // Returns memory of at least that size, sealed against resizing, for the answers of the next request. The
  // worker's device alone writes to it on the simulator, where later requests get the same memory; other
  // workers get a new one each time, because a submission may have kept the last one.
  SharedMemory& answer_memory(std::size_t bytes);

  // Calls the listener with each later request and its observations, before ask() returns the reply.
  using Listener = std::function<void(const wire::Request& request, const wire::Seen& seen)>;
  void listen(Listener listener);

  // Marks the worker as holding a submission's code: later failures are attributed to the submission, and so
  // are threads that keep running after a reply.
  void holds_a_submission();

  [[nodiscard]] bool alive() const;
  // Of a dead worker: its last host call stack, if known.
  [[nodiscard]] wire::Frames last_frames() const;
  // Of a dead MPI worker: how its ranks ended, if known.
  [[nodiscard]] std::optional<wire::RanksFailure> last_ranks() const;
  // Of a dead worker: the last host call stacks of the version's other threads.
  [[nodiscard]] std::vector<wire::Frames> last_frames_of_others() const;
  // Findings that a worker on the simulator or under a sanitizer reported before it died.
  [[nodiscard]] const wire::Observation& last_seen() const;
  // Output of the program during the last answered request, at most 4 KiB. For a dead worker the cause
  // contains it.
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

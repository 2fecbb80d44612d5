// The judge's end of a worker: starts it, asks one numbered request at a time with a deadline, and tells what
// became of it when no proper answer comes. Nothing that it returns is trusted further than its type.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/engine.h"
#include "harness/base/error.h"
#include "harness/judge/workers/installation.h"
#include "harness/judge/workers/mpi.h"
#include "harness/model/grade.h"
#include "harness/wire/channel.h"
#include "harness/wire/journal.h"
#include "harness/wire/request.h"

namespace warpmark::judge {

// The reply to one request. Why there is none: a cause of kind crashed, exited, timed_out, tampering,
// cuda_error or internal, or what the simulator wrote about a host access to device memory.
template <class Request>
using Answer = tl::expected<typename Request::Answer, Cause>;

// What a version needs beside one process and one device.
struct WorkerShape {
  std::shared_ptr<const RankStart> ranks;  // none: no MPI
  int devices = 1;                         // simulated ones that a process finds
};

class WorkerClient {
 public:
  // observe: record transfers from the start (slows calls on a GPU). Fails with an internal cause or with
  // whatever the process died of.
  static tl::expected<WorkerClient, Cause> start(const Installation& installation, Engine engine,
                                                 bool observe, std::chrono::milliseconds limit,
                                                 const WorkerShape& shape = {});
  WorkerClient(WorkerClient&&) noexcept;
  WorkerClient& operator=(WorkerClient&&) noexcept;
  ~WorkerClient();

  // What the worker said of its device.
  [[nodiscard]] const wire::HelloReply& hello() const;

  // Whether what it observes of a call holds the kernels that ran.
  [[nodiscard]] bool records_launches() const;

  // After a failure the worker is dead and every later request fails with the same cause. A FailedReply
  // leaves it alive: it says what the harness's half of the worker could not do, which is an internal cause,
  // or a cuda_error once the worker holds a submission.
  template <class Request>
  Answer<Request> ask(const Request& request, const std::vector<int>& descriptors,
                      std::chrono::milliseconds limit) {
    auto reply = ask_any(request, descriptors, limit);
    if (!reply) return tl::unexpected(reply.error());
    auto* proper = std::get_if<typename Request::Answer>(&*reply);
    if (proper == nullptr) return tl::unexpected(mismatched(limit));
    return std::move(*proper);
  }

  // Shows what every reply to come says was seen, with its request, before ask() returns it.
  using Listener = std::function<void(const wire::Request& request, const wire::Seen& seen)>;
  void listen(Listener listener);

  // From now on the worker holds a submission's code: what fails in it afterwards is the submission's doing,
  // and so is a thread that runs on when a request has been answered.
  void holds_a_submission();

  [[nodiscard]] bool alive() const;
  // Of a dead worker: where in a library its host code was, as far as it could tell.
  [[nodiscard]] wire::Frames last_frames() const;
  // Of a dead worker of several ranks: how they ended, as far as that is known.
  [[nodiscard]] std::optional<wire::RanksFailure> last_ranks() const;
  // Of a dead worker on the simulator or under a sanitizer: what was found before that.
  [[nodiscard]] const wire::Observation& last_seen() const;
  // What the program printed during the last request that was answered: its first 4 KiB. Of a dead worker the
  // cause has it.
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

// The judge's end of a worker: starts it, asks one numbered request at a time with a deadline, and tells what
// became of it when no proper answer comes. Nothing that it returns is trusted further than its type.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/base/engine.h"
#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "harness/sandbox/level.h"
#include "harness/worker/channel.h"

namespace warpmark::judge {

// Where the harness's own programs lie.
struct Installation {
  std::filesystem::path root;       // of the repository
  std::filesystem::path programs;   // warpmark-worker-*, warpmark-keeper
  std::filesystem::path libraries;  // libwarpmark_cudart.so
  // Of the locks on devices: one folder for all users of the machine.
  std::filesystem::path locks = "/tmp";
  sandbox::Level sandbox = sandbox::Level::process;  // of workers and compilers
  [[nodiscard]] std::filesystem::path worker(Engine engine) const;
};

// Why there is no answer: a cause of kind crashed, exited, timed_out, tampering, cuda_error or internal, or
// what the simulator wrote about a host access to device memory.
using Answer = tl::expected<nlohmann::json, Cause>;

class WorkerClient {
 public:
  // observe: record transfers from the start (slows calls on a GPU). Fails with an internal cause or with
  // whatever the process died of.
  static tl::expected<WorkerClient, Cause> start(const Installation& installation, Engine engine,
                                                 bool observe, std::chrono::milliseconds limit);
  WorkerClient(WorkerClient&&) noexcept;
  WorkerClient& operator=(WorkerClient&&) noexcept;
  ~WorkerClient();

  // What the worker said of its device.
  [[nodiscard]] const nlohmann::json& hello() const;

  // Whether what it observes of a call holds the kernels that ran.
  [[nodiscard]] bool records_launches() const;

  // After a failure the worker is dead and every later request fails with the same cause. "failed" in a reply
  // leaves it alive: it tells what the harness's half of the worker could not do, which is an internal cause,
  // or a cuda_error once the worker holds a submission.
  Answer ask(nlohmann::json request, const std::vector<int>& descriptors, std::chrono::milliseconds limit);

  // Shows every reply to come, with its request, before ask() returns it.
  using Listener = std::function<void(const nlohmann::json& request, const nlohmann::json& reply)>;
  void listen(Listener listener);

  // From now on the worker holds a submission's code: what fails in it afterwards is the submission's doing.
  void holds_a_submission();

  [[nodiscard]] bool alive() const;

 private:
  struct State;
  explicit WorkerClient(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::judge

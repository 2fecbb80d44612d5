// Times versions through the worker that grades them: one worker holds them all, and every timed call is a
// checked call on data that has just changed.
#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/speed/timed_worker.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::bench {

// One problem with its buffers, made once for all versions that are timed on it.
struct Input {
  Input(const Assignment& assignment, const Case& its_case, Engine engine)
      : Input(its_case, assignment.make(its_case), engine) {}
  Input(Case its_case, std::unique_ptr<Problem> its_problem, Engine engine)
      : which(std::move(its_case)), problem(std::move(its_problem)), buffers(*problem, engine, which.seed) {}

  // Bytes of all that calls read: the input and in_out buffers.
  [[nodiscard]] std::uint64_t bytes() const;

  Case which;
  std::unique_ptr<Problem> problem;
  judge::Buffers buffers;
};

// A version's library, as the builder made it.
struct Runner {
  std::string function;
  std::string type;
  std::filesystem::path library;
  std::filesystem::path adapter;
};

class LadderTimer {
 public:
  // Everything named is used as long as this lives. `sweep` is the library that empties the engine's caches,
  // shape what the runners need beside one process.
  LadderTimer(const judge::Installation& installation, std::filesystem::path sweep,
              std::vector<Runner> runners, std::chrono::milliseconds limit, Engine engine = Engine::gpu,
              judge::WorkerShape shape = {});

  [[nodiscard]] std::size_t size() const { return runners_.size(); }
  [[nodiscard]] std::uint64_t l2_bytes() const { return l2_bytes_; }

  // Starts the worker and loads what is to be timed, unless it runs. put does so, too.
  tl::expected<void, Cause> ready();

  // How long a call may take from now on. Everything else has the limit that this was made with.
  void wait_for(std::chrono::milliseconds limit) { call_limit_ = std::min(limit, limit_); }

  // Makes the buffers on the GPU; the ones before are gone.
  tl::expected<void, Cause> put(Input& input);

  // Milliseconds of one call by CUDA events, or why it does not count. A worker that dies of it is started
  // anew at the next call. Inputs larger than L2 are read from memory: L2 is swept before, by reading.
  tl::expected<double, Cause> time(std::size_t runner);

 private:
  tl::expected<void, Cause> start();

  const judge::Installation& installation_;
  std::filesystem::path sweep_;
  std::vector<Runner> runners_;
  std::chrono::milliseconds limit_;
  std::chrono::milliseconds call_limit_;
  Engine engine_;
  judge::WorkerShape shape_;
  std::optional<judge::TimedWorker> worker_;
  std::vector<judge::Loaded> loaded_;
  std::uint64_t l2_bytes_ = 0;
  Input* input_ = nullptr;
  std::uint64_t calls_ = 0;
};

}  // namespace warpmark::bench

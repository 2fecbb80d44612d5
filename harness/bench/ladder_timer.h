// Times student code in the same kind of worker process as grading. One worker loads all versions (a
// student's implementations of the same function); before each timed call the input is changed, and after it
// the output is checked.
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

// One generated test input (problem instance) and its buffers, shared by all implementations that a benchmark
// times on it.
struct Input {
  Input(const Assignment& assignment, const Case& its_case, Engine engine)
      : Input(its_case, assignment.make(its_case), engine) {}
  Input(Case its_case, std::unique_ptr<Problem> its_problem, Engine engine)
      : which(std::move(its_case)), problem(std::move(its_problem)), buffers(*problem, engine, which.seed) {}

  // Returns the bytes that a call reads: those of the input and in_out buffers.
  [[nodiscard]] std::uint64_t bytes() const;

  Case which;
  std::unique_ptr<Problem> problem;
  judge::Buffers buffers;
};

// A function to time: its name, and the shared library that was built from a student's version and defines
// it.
struct Runner {
  std::string function;
  std::string type;
  std::filesystem::path library;
  std::filesystem::path adapter;
};

class LadderTimer {
 public:
  // Constructor of LadderTimer. sweep: path of a library that evicts the engine's caches between calls.
  // limit: time limit of each request to the worker process. shape: number of GPUs and MPI ranks that the
  // worker uses. `installation` must outlive the timer.
  LadderTimer(const judge::Installation& installation, std::filesystem::path sweep,
              std::vector<Runner> runners, std::chrono::milliseconds limit, Engine engine = Engine::gpu,
              judge::WorkerShape shape = {});

  [[nodiscard]] std::size_t size() const { return runners_.size(); }
  [[nodiscard]] std::uint64_t l2_bytes() const { return l2_bytes_; }

  // Starts the worker process and loads all libraries to be timed, unless the worker is running already.
  // Uploading an input calls this, too.
  tl::expected<void, Cause> ready();

  // Sets the time limit of subsequent timed calls, capped at the limit given to the constructor. Starting the
  // worker, loading and uploading keep the constructor's limit.
  void wait_for(std::chrono::milliseconds limit) { call_limit_ = std::min(limit, limit_); }

  // Uploads the input's buffers to the worker and replaces the previous ones. `input` must outlive the calls
  // of time().
  tl::expected<void, Cause> put(Input& input);

  // Calls a student's function once in the worker process and returns its milliseconds, measured with CUDA
  // events, or the reason why the call does not count. If the worker dies during a call, the next call
  // restarts it. If the input exceeds L2, L2 is swept before the call, so that the input is read from device
  // memory.
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

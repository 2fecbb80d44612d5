// A worker whose calls are timed, for `fast`, `calibrate` and the ladder: L2 can be swept before each, each
// gets changed data and a poisoned output, and each answer is checked: whole, or of a large one pieces that
// are drawn after the call, and now and then all of it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/cases/case_runner.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// Calls in one request, on buffers that the worker has.
struct TimedCalls {
  std::string input;           // the buffer to use in place of the patched one; empty: that one
  std::vector<Patch> patches;  // of its data; the answers are poisoned beside them, see poison_of()
  bool sweep = true;           // replace what L2 holds before each call
  std::size_t turns = 1;       // as in wire::Call
  std::size_t calls = 1;
};

struct Timed {
  std::vector<double> event_ms;   // of each call, above 0
  double judge_ms = 0;            // of the whole request
  std::optional<Mismatch> wrong;  // the first wrong answer; then there are no times
};

// Bytes of an answer that come back after a call.
struct AnswerPiece {
  std::size_t answer = 0;  // index of the region
  std::size_t offset = 0;  // in its data
  std::size_t bytes = 0;
};

// Gives an answer's first bytes, and some at places that the seed draws, back what they held when the judge
// made the buffer. A version that leaves out what it wrote in an earlier call leaves some of these behind.
std::vector<wire::Patch> poison_of(const Buffers::Region& answer, std::uint64_t seed);

class TimedWorker {
 public:
  // Of the GPU or the host, with the library that sweeps its caches and a buffer for it.
  static tl::expected<TimedWorker, Cause> start(const Installation& installation,
                                                const std::filesystem::path& sweep,
                                                std::chrono::milliseconds limit, Engine engine = Engine::gpu,
                                                const WorkerShape& shape = {});

  // clock_ms: the judge's. Fails with the worker's end or what the engine reported.
  tl::expected<Timed, Cause> call(const Loaded& version, const Problem& problem, const Buffers& buffers,
                                  const TimedCalls& calls, const std::function<double()>& clock_ms);

  // How long a call may take from now on.
  void wait_for(std::chrono::milliseconds limit) { limit_ = limit; }

  [[nodiscard]] WorkerClient& client() { return client_; }

 private:
  TimedWorker(WorkerClient client, std::chrono::milliseconds limit);
  // Memory for so many bytes, none of which is yet what it was.
  std::span<const std::byte> room_for(const std::vector<AnswerPiece>& pieces, std::size_t turns);

  WorkerClient client_;
  std::chrono::milliseconds limit_;
  SharedMemory read_back_{0};  // of one call after the other: fresh pages for 16 MB take 8 ms
  std::uint64_t seed_;  // of the places that are poisoned: from the system, so that no submission knows
  std::uint64_t calls_ = 0;
};

}  // namespace warpmark::judge

// A worker whose calls are timed, for `fast`, `calibrate` and the ladder. Each call can be preceded by an L2
// sweep, gets changed data and a poisoned output, and has its answer checked: whole or, if it is large, in
// pieces drawn after the call, and occasionally whole.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/cases/case_runner.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// A request with calls on buffers that the worker holds.
struct TimedCalls {
  std::string input;           // buffer that replaces the patched one; empty: none
  std::vector<Patch> patches;  // of the data; the call also poisons the answers, see poison_of()
  bool sweep = true;           // evict L2 before each call
  std::size_t turns = 1;       // as in wire::Call
  std::size_t calls = 1;
};

struct Timed {
  std::vector<double> event_ms;   // per call; above 0
  double judge_ms = 0;            // of the whole request, by the judge's clock
  std::optional<Mismatch> wrong;  // first wrong answer; if set, event_ms is empty
};

// A piece of an answer that is read back after a call.
struct AnswerPiece {
  std::size_t answer = 0;  // index of the region
  std::size_t offset = 0;  // in bytes, within the region's data
  std::size_t bytes = 0;
};

// Returns patches that restore an answer's first bytes and some randomly drawn places to the judge's initial
// contents. A version that skips writing what an earlier call wrote leaves some of these behind.
std::vector<wire::Patch> poison_of(const Buffers::Region& answer, std::uint64_t seed);

class TimedWorker {
 public:
  // Starts a worker on the GPU or the host, with the library that sweeps its caches and a buffer for it.
  static tl::expected<TimedWorker, Cause> start(const Installation& installation,
                                                const std::filesystem::path& sweep,
                                                std::chrono::milliseconds limit, Engine engine = Engine::gpu,
                                                const WorkerShape& shape = {});

  // clock_ms: the judge's clock. Fails with the cause of the worker's death or the engine's finding.
  tl::expected<Timed, Cause> call(const Loaded& version, const Problem& problem, const Buffers& buffers,
                                  const TimedCalls& calls, const std::function<double()>& clock_ms);

  // Sets the time limit of subsequent calls.
  void wait_for(std::chrono::milliseconds limit) { limit_ = limit; }

  [[nodiscard]] WorkerClient& client() { return client_; }

 private:
  TimedWorker(WorkerClient client, std::chrono::milliseconds limit);
  // Returns a buffer for the pieces of all turns, each of which differs from its previous contents.
  std::span<const std::byte> room_for(const std::vector<AnswerPiece>& pieces, std::size_t turns);

  WorkerClient client_;
  std::chrono::milliseconds limit_;
  SharedMemory read_back_{0};  // reused by all calls: page-faulting in 16 MB takes 8 ms
  std::uint64_t seed_;         // of the poisoned places; from getrandom(), so unknown to submissions
  std::uint64_t calls_ = 0;
};

}  // namespace warpmark::judge

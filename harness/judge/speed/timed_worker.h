// A worker process whose calls are timed, for the check `fast` and the commands `calibrate` and `ladder`.
// Each call can be preceded by an L2 eviction, gets changed input data and a poisoned output buffer, and has
// its output compared: in full or, if large, in ranges drawn at random after the call.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/cases/case_runner.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// One request for calls on buffers that the worker process holds.
struct TimedCalls {
  std::string input;  // buffer passed to the kernel in place of the changing input; empty: the input itself
  // input elements to change before the call; the harness also overwrites words of the output buffers
  std::vector<Patch> patches;
  bool sweep = true;  // evict the L2 cache before each call
  // Number of repetitions of the input changes and the L2 eviction; the last `calls` of them also call the
  // function.
  std::size_t turns = 1;
  std::size_t calls = 1;
};

struct Timed {
  std::vector<double> event_ms;   // milliseconds per call by CUDA events; each above 0
  double judge_ms = 0;            // duration of the whole request by the judge process's clock
  std::optional<Mismatch> wrong;  // first wrong result; if set, event_ms is empty
};

// A range of bytes of an output buffer that is read back after a timed call.
struct AnswerPiece {
  std::size_t answer = 0;  // index of the output buffer among the call's buffers
  std::size_t offset = 0;  // first byte of the range, as an offset in the buffer's data
  std::size_t bytes = 0;
};

// Returns the name of the worker process's buffer that keeps the initial contents of an in_out buffer, with
// all changes of timed calls to the input applied.
std::string name_of_original(const std::string& buffer);

// Returns the writes that restore an output buffer's first bytes and some randomly drawn words to their
// initial contents before a timed call. Student code that skips writing what an earlier call already wrote
// leaves some of these bytes behind and is detected.
std::vector<wire::Patch> poison_of(const Buffers::Region& answer, std::uint64_t seed);

class TimedWorker {
 public:
  // Starts a worker process on the GPU or the CPU, loads the library that evicts its caches, and allocates
  // the buffer that this library overwrites.
  static tl::expected<TimedWorker, Cause> start(const Installation& installation,
                                                const std::filesystem::path& sweep,
                                                std::chrono::milliseconds limit, Engine engine = Engine::gpu,
                                                const WorkerShape& shape = {});

  // Creates the buffers in the worker process, and a second copy of each in_out buffer, from which its
  // contents are restored before every call. Fails if a request takes longer than `limit`.
  tl::expected<void, Cause> send(const Buffers& buffers, std::chrono::milliseconds limit);

  // Sends one request for timed calls to the worker process. The buffers must have been sent by send().
  // `clock_ms` returns the judge process's time. Fails with the reason for the worker process's death or with
  // a defect found in the call.
  tl::expected<Timed, Cause> call(const Loaded& version, const Problem& problem, const Buffers& buffers,
                                  const TimedCalls& calls, const std::function<double()>& clock_ms);

  // Sets the time limit of subsequent calls.
  void wait_for(std::chrono::milliseconds limit) { limit_ = limit; }

  [[nodiscard]] WorkerClient& client() { return client_; }

 private:
  TimedWorker(WorkerClient client, std::chrono::milliseconds limit);
  // Returns memory for the output ranges that all repetitions of a timed call read back, modified so that
  // each range differs from its previous contents.
  static std::span<const std::byte> room_for(const std::vector<AnswerPiece>& pieces, std::size_t turns,
                                             SharedMemory& memory);

  WorkerClient client_;
  std::chrono::milliseconds limit_;
  SharedMemory read_back_{0};  // outputs read back; reused by all calls: page-faulting in 16 MB takes 8 ms
  // Drawn parts of large outputs. Apart, because the worker process maps all of what it is given at each
  // request: 268 MB take 20 ms.
  SharedMemory read_back_in_part_{0};
  // seed by which words of the output buffers are chosen for overwriting; from getrandom(), so that students
  // cannot predict it
  std::uint64_t seed_;
  std::uint64_t calls_ = 0;
};

}  // namespace warpmark::judge

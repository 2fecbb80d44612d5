// One case on one worker: make the buffers, call, compare every byte that must not have changed and the
// answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/judge/workers/causes.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// A version as a worker has loaded it.
struct Loaded {
  std::string library;  // the worker's names for the two libraries
  std::string adapter;
  std::string function;
  bool host_readable = false;       // the library reads device memory from the host (thrust on the simulator)
  std::filesystem::path file = {};  // of the library
};

// Loads a version's library and the assignment's adapter under names of their own.
tl::expected<Loaded, Cause> load(WorkerClient& worker, const std::filesystem::path& library,
                                 const std::filesystem::path& adapter, const std::string& name,
                                 const std::string& function, bool host_readable,
                                 std::chrono::milliseconds limit);

// The same for the course's own, after which the worker still holds no submission.
tl::expected<Loaded, Cause> load_course(WorkerClient& worker, const std::filesystem::path& library,
                                        const std::filesystem::path& adapter, const std::string& name,
                                        const std::string& function, std::chrono::milliseconds limit);

// The device buffers of one problem and what the judge knows of their contents. Every buffer is a region
//   [guard | offset | data | guard]
// whose bytes the judge chose; output, scratch and guards are poisoned with NaN patterns drawn from the seed.
// On the simulator there are no guards: its red zones begin right behind the data.
class Buffers {
 public:
  Buffers(Problem& problem, Engine engine, std::uint64_t poison_seed);

  // Makes them in the worker.
  [[nodiscard]] tl::expected<void, Cause> send(WorkerClient& worker, std::chrono::milliseconds limit) const;

  struct Region {
    BufferSpec spec;
    std::size_t data_begin = 0;  // bytes
    SharedMemory image;          // the whole region as the worker got it
  };
  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }
  [[nodiscard]] std::vector<Region>& regions() { return regions_; }
  // Indices of the regions with a part in timed calls: see BufferSpec::patched and answer_buffers().
  [[nodiscard]] std::optional<std::size_t> patched() const;
  [[nodiscard]] std::vector<std::size_t> answers() const;

  // The members "buffers" and "reads" of a call, and the bytes that the reads need.
  [[nodiscard]] std::vector<wire::View> views() const;
  [[nodiscard]] std::vector<wire::View> reads() const;
  [[nodiscard]] std::size_t read_bytes() const;
  // Of all regions.
  [[nodiscard]] std::size_t bytes() const;

  struct Comparison {
    std::vector<Cause> causes;      // empty: right
    std::vector<std::byte> answer;  // the bytes of the output and in_out buffers
  };
  // Holds what was read back (in the order of reads()) against what must be there.
  [[nodiscard]] Comparison compare(const Problem& problem, CauseKind wrong_answer,
                                   std::span<const std::byte> read_back) const;

 private:
  [[nodiscard]] std::vector<BufferSpec> specs() const;

  std::vector<Region> regions_;
  std::size_t guard_bytes_;
};

// A case as versions are asked about it.
struct CaseData {
  CaseData(const Assignment& assignment, const Case& which, Engine engine);

  // The same places and guards with other values: what a second call on the same buffers is asked. Where an
  // assignment draws sizes from the seed, the same values.
  [[nodiscard]] CaseData with_other_values(const Assignment& assignment, Engine engine) const;
  // What makes these contents of buffers that hold another case of the same shape, scratch left as it is.
  [[nodiscard]] std::vector<wire::Patch> patches() const;

  Case which;
  std::unique_ptr<Problem> problem;
  Buffers buffers;

 private:
  CaseData(const Assignment& assignment, const Case& which, Engine engine, std::uint64_t poison_seed);
};

// When a worker that is given so long for a call is to say where the call is: shortly before the end.
std::uint64_t look_after_ms(std::chrono::milliseconds limit);

// Gives the cause of a worker's death the line where it was.
void point_to_last_place(Cause& cause, const WorkerClient& worker, const Blame& blame);
// What crossed between host and device in a call, but for the harness's own copies.
struct Traffic {
  std::uint64_t to_host = 0;                   // bytes of copies
  std::uint64_t from_host = 0;                 // bytes of copies, and of host memory that kernels reach
  std::uint64_t host_memory = 0;               // of these: bytes of host memory that kernels reach
  CauseKind kind = CauseKind::uploaded_again;  // of what is most of from_host
  std::uint64_t input = 0;                     // bytes of the inputs of the call
};

// What one call gave.
struct CallResult {
  std::vector<Cause> causes;             // empty: right, whatever the remarks
  std::vector<Cause> remarks;            // see is_remark()
  std::vector<std::byte> answer;         // as in Buffers::Comparison; empty if the call failed
  std::vector<wire::Launch> launches;    // as the worker reports them, with counts if it was asked for them
  std::optional<std::uint64_t> kernels;  // that ran; none where the worker does not record them
  std::optional<Traffic> traffic;        // likewise
};

// Calls a version on buffers that the worker has, made for `problem` or patched to hold it, and compares.
CallResult call_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                     const Case& which, const Problem& problem, const Buffers& buffers,
                     const wire::RunMode& mode, const Blame& blame, std::chrono::milliseconds limit,
                     std::vector<wire::Patch> patches = {});

// Calls a version `count` times (fewer where that costs too much) in one request, on buffers that hold `data`
// anew before each. Fails with the causes of the first wrong answer.
CallResult call_often(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                      const CaseData& data, std::uint64_t count, const Blame& blame,
                      std::chrono::milliseconds limit);

// Runs a case from start to end. Causes carry type, n and seed, not yet the command to see them again.
CallResult run_case(WorkerClient& worker, const Loaded& version, const Assignment& assignment,
                    const CaseData& data, const wire::RunMode& mode, const Blame& blame,
                    std::chrono::milliseconds limit);

}  // namespace warpmark::judge

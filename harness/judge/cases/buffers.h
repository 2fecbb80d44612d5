// The device buffers of a problem: their contents as the judge made them, and the comparison after a call.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// The device buffers of one problem and their expected contents. Every buffer is a region [guard | offset |
// data | guard] whose bytes the judge chose; output, scratch and guards are poisoned with NaN patterns drawn
// from the seed. The simulator and the sanitizers get no guards, because their red zones begin right behind
// the data.
class Buffers {
 public:
  Buffers(Problem& problem, Engine engine, std::uint64_t poison_seed);

  // Creates the buffers in the worker.
  [[nodiscard]] tl::expected<void, Cause> send(WorkerClient& worker, std::chrono::milliseconds limit) const;

  struct Region {
    BufferSpec spec;
    std::size_t data_begin = 0;  // bytes
    SharedMemory image;          // the whole region as sent to the worker
  };
  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }
  [[nodiscard]] std::vector<Region>& regions() { return regions_; }
  // Indices of the regions used by timed calls: the patched one (see BufferSpec::patched), and the answers.
  [[nodiscard]] std::optional<std::size_t> patched() const;
  [[nodiscard]] std::vector<std::size_t> answers() const;

  // Views of the data for a call, views to read back after it, and the size of the latter in bytes.
  [[nodiscard]] std::vector<wire::View> views() const;
  [[nodiscard]] std::vector<wire::View> reads() const;
  [[nodiscard]] std::size_t read_bytes() const;
  // Returns the total size of all regions in bytes.
  [[nodiscard]] std::size_t bytes() const;

  struct Comparison {
    std::vector<Cause> causes;      // empty: the answer is right
    std::vector<std::byte> answer;  // bytes of the output and in_out buffers
  };
  // Compares the bytes read back, in the order of reads(), with what the regions must contain.
  [[nodiscard]] Comparison compare(const Problem& problem, CauseKind wrong_answer,
                                   std::span<const std::byte> read_back) const;

 private:
  [[nodiscard]] std::vector<BufferSpec> specs() const;

  std::vector<Region> regions_;
  std::size_t guard_bytes_;
};

// A generated case: problem and buffers.
struct CaseData {
  CaseData(const Assignment& assignment, const Case& which, Engine engine);

  // Returns a case with the same addresses and guards but other values, for a second call on the same
  // buffers. If the assignment derives sizes from the seed, the values stay the same.
  [[nodiscard]] CaseData with_other_values(const Assignment& assignment, Engine engine) const;
  // Returns patches that give this case's contents to buffers that hold another case of the same shape. They
  // leave scratch unchanged.
  [[nodiscard]] std::vector<wire::Patch> patches() const;

  Case which;
  std::unique_ptr<Problem> problem;
  Buffers buffers;

 private:
  CaseData(const Assignment& assignment, const Case& which, Engine engine, std::uint64_t poison_seed);
};

}  // namespace warpmark::judge

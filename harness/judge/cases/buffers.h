// The device buffers of a problem, as the judge made and as it compares them.
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

// The device buffers of one problem and what the judge knows of their contents. Every buffer is a region
//   [guard | offset | data | guard]
// whose bytes the judge chose; output, scratch and guards are poisoned with NaN patterns drawn from the seed.
// On the simulator and under a sanitizer there are no guards: their red zones begin right behind the data.
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

}  // namespace warpmark::judge

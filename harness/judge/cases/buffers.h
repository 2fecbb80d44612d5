// Device buffers of a test case: their initial contents, chosen by the judge process, and the comparison
// after a call of student code.
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

// Device buffers of one test case and their expected contents. Each buffer is a region [guard | offset | data
// | guard] whose bytes the judge process chooses: output, scratch and guards hold NaN patterns drawn from a
// secret seed, so that unwritten output and out-of-bounds writes are found. No guards are used on the
// simulator and with the sanitizers, whose own red zones begin right behind the data.
class Buffers {
 public:
  Buffers(Problem& problem, Engine engine, std::uint64_t poison_seed);

  // Creates the buffers in the worker process. Fails if a request takes longer than `limit`.
  [[nodiscard]] tl::expected<void, Cause> send(WorkerClient& worker, std::chrono::milliseconds limit) const;

  struct Region {
    BufferSpec spec;
    std::size_t data_begin = 0;  // offset in bytes of the test data in its guarded buffer
    SharedMemory image;  // initial contents of a test buffer with its guards, as sent to the worker process
  };
  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }
  [[nodiscard]] std::vector<Region>& regions() { return regions_; }
  // patched(): index of the test case's buffer that is changed before each timed call (see
  // BufferSpec::patched), or nullopt. answers(): indices of the buffers that hold the results of the
  // student's function.
  [[nodiscard]] std::optional<std::size_t> patched() const;
  [[nodiscard]] std::vector<std::size_t> answers() const;

  // views(): the data ranges that the student's function gets. reads(): the ranges that the judge process
  // reads back after the call, guards included; read_bytes() is their total size.
  [[nodiscard]] std::vector<wire::View> views() const;
  [[nodiscard]] std::vector<wire::View> reads() const;
  [[nodiscard]] std::size_t read_bytes() const;
  // Returns the total size in bytes of a test case's buffers, guards included.
  [[nodiscard]] std::size_t bytes() const;

  struct Comparison {
    std::vector<Cause> causes;      // why a student's results are wrong; empty if correct
    std::vector<std::byte> answer;  // contents of the output and in_out buffers after a student's call
  };
  // Compares the bytes read back after a call, in the order of reads(), with the expected contents.
  // `wrong_answer` is the kind of defect to report if the results are wrong.
  [[nodiscard]] Comparison compare(const Problem& problem, CauseKind wrong_answer,
                                   std::span<const std::byte> read_back) const;

 private:
  [[nodiscard]] std::vector<BufferSpec> specs() const;

  std::vector<Region> regions_;
  std::size_t guard_bytes_;
};

// Test case with its generated input, expected output and buffers.
struct CaseData {
  CaseData(const Assignment& assignment, const Case& which, Engine engine);

  // Returns a test case with the same buffer layout and guards but other input data, for a second call on the
  // same buffers; each `draw` gives others. If the layout depends on the seed, the data stays the same.
  [[nodiscard]] CaseData with_other_values(const Assignment& assignment, Engine engine,
                                           std::uint64_t draw = 0) const;
  // Returns the writes that put this test case's data into buffers that hold another test case's data in the
  // same layout. Scratch buffers are left unchanged.
  [[nodiscard]] std::vector<wire::Patch> patches() const;

  Case which;
  std::unique_ptr<Problem> problem;
  Buffers buffers;

 private:
  CaseData(const Assignment& assignment, const Case& which, Engine engine, std::uint64_t poison_seed);
};

}  // namespace warpmark::judge

// Chooses input sizes and concurrency that fit into a GPU's free memory; pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "harness/assignments/assignment.h"

namespace warpmark::judge {

// Returns the GPU memory to reserve for a worker process besides its buffers (context, stack, library code):
// 1 GiB, rounded up from 0.5 GB on an H200 with CUDA 13 (2026-11-21), but at most a quarter of the free
// memory, since a context grows with the number of multiprocessors and small GPUs have few.
std::uint64_t context_bytes(std::uint64_t free_bytes);
// Number of copies of the changing input, at different addresses, that a worker process holds for timed
// calls.
inline constexpr std::size_t kInputCopies = 3;
// Worker processes that hold the timed input at the same time: the one without student code, and the one
// whose version is timed.
inline constexpr std::uint64_t kTimedProcesses = 2;

// Returns the bytes of device memory that the buffers of one timed worker process occupy, without the buffer
// for L2 eviction.
std::uint64_t timed_bytes(std::span<const BufferSpec> buffers);

// Returns `size` with every part halved until `bytes_at` of it is at most `free_bytes`; nullopt if no size
// fits whose first part is at least 2^20 (or the whole first part, if that is smaller).
std::optional<Size> size_that_fits(const Size& size, std::uint64_t free_bytes,
                                   const std::function<std::uint64_t(const Size&)>& bytes_at);

// Explains a smaller size, for reports: "33554432 values instead of 67108864: ...".
std::string smaller_size_text(const Size& size, const Size& usual, std::uint64_t free_bytes,
                              std::uint64_t needed_bytes);

// Returns how many of `jobs` worker processes, of up to `bytes` of buffers each, fit into the free memory; at
// least 1. free_bytes of 0 is unknown and limits nothing.
unsigned jobs_that_fit(unsigned jobs, std::uint64_t free_bytes, std::uint64_t bytes);

}  // namespace warpmark::judge

// Records the transfers, kernel launches and allocations of student code on a GPU. CUPTI's callbacks fill the
// records; the observer empties them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <cupti.h>

#include "harness/wire/observation.h"

namespace warpmark {

// Host memory that kernels can access directly, or managed memory on machines without page-migration
// counters. `from` and `to` are the times of its allocation and release, in nanoseconds of CUPTI's clock.
struct ReachedMemory {
  wire::TransferKind kind = wire::TransferKind::mapped;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
};

// Last operation of the student's function on a device allocation: freed or allocated, and the CUPTI
// correlation ID of the CUDA call.
struct Touched {
  bool freed = false;
  std::uint32_t correlation = 0;
};

// An operation that the student's code put into the default stream, although it must use the given stream;
// the two are not ordered.
struct Stray {
  std::uint32_t correlation = 0;
  std::string kernel;  // demangled name of the launched kernel; empty: the operation is a copy or memset
  std::string what;
  std::string right;
};

// State that CUPTI's callbacks write to, on a thread of CUPTI's; drain() empties it. Global, because these
// callbacks have no user argument.
struct Records {
  std::mutex mutex;
  std::vector<ReachedMemory> reached;
  bool counts_migrations = false;
  std::vector<wire::Transfer> transfers;
  std::vector<wire::Launch> launches;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;

  // The student's function that is running or ran last, and the call stack of each CUDA call that it made, by
  // CUPTI correlation ID.
  std::atomic<const void*> function{nullptr};
  std::map<std::uint32_t, std::vector<std::uint64_t>> frames;
  // Memory that the student's function has allocated or freed by CUDA calls, keyed by start address.
  std::map<std::uint64_t, Touched> touched;
  // Stream IDs by which CUPTI denotes the default streams; empty if unknown.
  std::vector<std::uint32_t> default_streams;
  std::vector<Stray> strays;

  // Returns the call stack of the CUDA call with the given CUPTI correlation ID; empty if the call was not
  // made while a student's function ran.
  [[nodiscard]] std::vector<std::uint64_t> frames_of(std::uint32_t correlation) const {
    const auto found = frames.find(correlation);
    return found == frames.end() ? std::vector<std::uint64_t>() : found->second;
  }
};
Records& records();

// Callbacks for cuptiActivityRegisterCallbacks(): one allocates a buffer for CUPTI's activity records, the
// other processes the records of a full buffer and frees it.
void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
void CUPTIAPI buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                               std::size_t bytes, std::size_t valid_bytes);

// Callback for cuptiSubscribe(): records the call stack of each CUDA call that a student's function makes.
void CUPTIAPI cuda_called(void* argument, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

// Returns findings about operations in the default stream, one per source location. Requires that
// Records::mutex is held.
std::vector<wire::Finding> findings_of(const std::vector<Stray>& strays);

// Adds a transfer of the whole allocation for each host or managed allocation during whose lifetime a kernel
// ran, since CUPTI does not record how many bytes a kernel accesses there. Requires both lists in order of
// time, and that Records::mutex is held.
void note_reached_memory(std::vector<wire::Transfer>& transfers, const std::vector<wire::Launch>& launches);

}  // namespace warpmark

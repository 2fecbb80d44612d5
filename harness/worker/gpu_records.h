// Records of transfers, launches and memory on a GPU, collected from CUPTI until the observer drains them.
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

// Host memory that kernels can access, or managed memory on machines where page migrations cannot be counted.
// `from` and `to` are the times of its allocation and release, in CUPTI's nanoseconds.
struct ReachedMemory {
  wire::TransferKind kind = wire::TransferKind::mapped;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
};

// What the last call did to a block of device memory: freed or allocated it, and in which CUDA call.
struct Touched {
  bool freed = false;
  std::uint32_t correlation = 0;
};

// Work in the default stream, which is not ordered with respect to the given stream.
struct Stray {
  std::uint32_t correlation = 0;
  std::string kernel;  // empty: no launch
  std::string what;
  std::string right;
};

// State that CUPTI's callbacks write to; it is global because they carry no user argument. Written on CUPTI's
// thread, emptied by drain().
struct Records {
  std::mutex mutex;
  std::vector<ReachedMemory> reached;
  bool counts_migrations = false;
  std::vector<wire::Transfer> transfers;
  std::vector<wire::Launch> launches;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;

  // The function of the current or last call, and the call stacks of its CUDA calls by correlation ID.
  std::atomic<const void*> function{nullptr};
  std::map<std::uint32_t, std::vector<std::uint64_t>> frames;
  std::map<std::uint64_t, Touched> touched;    // by start address
  std::vector<std::uint32_t> default_streams;  // CUPTI's stream IDs of the default streams; empty: unknown
  std::vector<Stray> strays;

  // Returns the call stack of a CUDA call; empty if it was not made during a submission's call.
  [[nodiscard]] std::vector<std::uint64_t> frames_of(std::uint32_t correlation) const {
    const auto found = frames.find(correlation);
    return found == frames.end() ? std::vector<std::uint64_t>() : found->second;
  }
};
Records& records();

// Callbacks for cuptiActivityRegisterCallbacks().
void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
void CUPTIAPI buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                               std::size_t bytes, std::size_t valid_bytes);

// Callback for cuptiSubscribe(): records the call stack of each CUDA call in a submission's code.
void CUPTIAPI cuda_called(void* argument, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

// Returns findings for the submission's work in the default stream, one per source location. The caller holds
// Records::mutex.
std::vector<wire::Finding> findings_of(const std::vector<Stray>& strays);

// Adds transfers for memory that kernels access directly. CUPTI does not record how many bytes they read, so
// the whole allocation is counted, once, if a kernel ran during its lifetime. Expects both lists in order of
// time. The caller holds Records::mutex.
void note_reached_memory(std::vector<wire::Transfer>& transfers, const std::vector<wire::Launch>& launches);

}  // namespace warpmark

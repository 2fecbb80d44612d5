// What CUPTI reports of transfers, launches and memory on a GPU, kept until it is asked for.
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

// Host memory that kernels reach, or managed memory where migrations cannot be counted, from its allocation
// to its release, in CUPTI's nanoseconds.
struct ReachedMemory {
  wire::TransferKind kind = wire::TransferKind::mapped;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
};

// What the last call did with device memory.
struct Touched {
  bool freed = false;
  std::uint32_t correlation = 0;
};

// Work in the default stream, which nothing orders with the given one.
struct Stray {
  std::uint32_t correlation = 0;
  std::string kernel;  // empty: no launch
  std::string what;
  std::string right;
};

// What CUPTI's callbacks, which carry no argument of ours, write to. Filled on CUPTI's thread, taken by
// drain().
struct Records {
  std::mutex mutex;
  std::vector<ReachedMemory> reached;
  bool counts_migrations = false;
  std::vector<wire::Transfer> transfers;
  std::vector<wire::Launch> launches;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;

  // Of the call that is under way or was the last: the function, and where its CUDA calls were made, by their
  // correlation.
  std::atomic<const void*> function{nullptr};
  std::map<std::uint32_t, std::vector<std::uint64_t>> frames;
  std::map<std::uint64_t, Touched> touched;    // by address
  std::vector<std::uint32_t> default_streams;  // their numbers; empty: not known
  std::vector<Stray> strays;

  // Where the CUDA call was made; empty outside of a submission's call.
  [[nodiscard]] std::vector<std::uint64_t> frames_of(std::uint32_t correlation) const {
    const auto found = frames.find(correlation);
    return found == frames.end() ? std::vector<std::uint64_t>() : found->second;
  }
};
Records& records();

// For cuptiActivityRegisterCallbacks().
void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
void CUPTIAPI buffer_completed(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                               std::size_t bytes, std::size_t valid_bytes);

// For cuptiSubscribe(): notes where in a submission's code a CUDA call is made.
void CUPTIAPI cuda_called(void* argument, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

// Work of the submission in the default stream, one finding for each place. With the records locked.
std::vector<wire::Finding> findings_of(const std::vector<Stray>& strays);

// A kernel that reads such memory leaves no record of what crossed: all of the memory is counted, once, where
// a kernel ran while it was there. Takes the lists in order of time. With the
// records locked.
void note_reached_memory(std::vector<wire::Transfer>& transfers, const std::vector<wire::Launch>& launches);

}  // namespace warpmark

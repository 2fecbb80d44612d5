// The program's side of the simulator: a CUDA runtime whose device is another process.
// | These functions are for the worker. A submission may call them as well, but gains nothing by it.
#pragma once

#include <cstddef>

#include "harness/simulator/both/control.h"

extern "C" {

// Connects to the device behind this socket. A host access to device memory ends the process after a finding
// is written to `last_words` as a journal line (-1: to stderr).
void warpmark_device_connect(int socket, int last_words);

// Makes the default stream per-thread from now on. The headers call this if
// CUDA_API_PER_THREAD_DEFAULT_STREAM is defined.
void warpmark_device_own_default_streams(void);

// Marks device memory as uninitialised: a checked kernel that reads it before writing it gets a finding.
void warpmark_device_undefine(const void* device, std::size_t bytes);
// Everything seen before the first mark is reported separately from what follows.
void warpmark_device_mark(void);
// Access to the judge's bytes, which pass between judge and device (harness/wire/device.h) and never through
// this process. filled() returns a new allocation with all of them (null if there are none) and a CUDA error
// code; take() copies the next ones to device memory, starting over after the last; save() appends bytes of
// device memory to the judge's result.
int warpmark_device_filled(void** data, std::size_t* bytes);
void warpmark_device_take(void* to, std::size_t bytes);
void warpmark_device_save(const void* from, std::size_t bytes);

// Functions without a result are posted: they take effect with the next call that needs an answer, or here.
// begin_call takes effect at once. Returns the first CUDA error of the calls posted since the last time.
int warpmark_device_settle(void);
// Bracket the call of a graded function. Work that it enqueues on streams other than `stream` (a
// cudaStream_t), and memory that it allocates and does not free, become findings. kept: memory that it
// returned, or null.
void warpmark_device_begin_call(const void* function, const void* stream);
void warpmark_device_end_call(const void* kept);
// Returns what the last call did with the allocation that begins at this address.
struct WarpmarkMemoryHistory warpmark_device_history_of(const void* memory);

}  // extern "C"

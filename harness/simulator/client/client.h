// What the CUDA runtime in a program's process is: the way to the device, which is another process.
//
// These are for the worker; a submission may call them as well, and gets nothing by it.
#pragma once

#include <cstddef>

#include "harness/simulator/runtime/control.h"

extern "C" {

// The device is behind this socket. A host access to its memory ends the process; before that a finding is
// written to `last_words`, as a line of a journal (-1: to stderr).
void warpmark_device_connect(int socket, int last_words);

// From now on the default stream is one of its own for each thread. What the headers call where
// CUDA_API_PER_THREAD_DEFAULT_STREAM is defined.
void warpmark_device_own_default_streams(void);

// What lies there counts as never written, although it was.
void warpmark_device_undefine(const void* device, std::size_t bytes);
// What the device sees from here on is told apart from what it saw before.
void warpmark_device_mark(void);
// The judge's bytes, which the device has from the judge itself (harness/wire/device.h). They do not pass
// through this process. Errors are those of CUDA, 0 for none. A new allocation with all of them, null for
// none; the next ones of them, over and over again, to device memory; bytes of device memory, one behind the
// other, for the judge.
int warpmark_device_filled(void** data, std::size_t* bytes);
void warpmark_device_take(void* to, std::size_t bytes);
void warpmark_device_save(const void* from, std::size_t bytes);

// What returns nothing takes effect with the next call that the device has to answer, or here, but for
// begin_call, which does at once. Returns the first error since the last time.
int warpmark_device_settle(void);
// Around the call of a function, whose work belongs on this stream (a cudaStream_t): what it queues elsewhere
// and memory that it allocates and does not free are findings. kept: the memory that it returned, or null.
void warpmark_device_begin_call(const void* function, const void* stream);
void warpmark_device_end_call(const void* kept);
// What the last call did with memory that begins there.
struct WarpmarkMemoryHistory warpmark_device_history_of(const void* memory);

}  // extern "C"

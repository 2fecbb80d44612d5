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

// Device memory is mapped here, if the judge has told the device to allow it.
void warpmark_device_open(void);
// What lies there counts as never written, although it was.
void warpmark_device_undefine(const void* device, std::size_t bytes);
// What the device sees from here on is told apart from what it saw before.
void warpmark_device_mark(void);
// All of the above and of the below takes effect with the next call that the device has to answer, or here.
void warpmark_device_settle(void);
// Around the call of a function, whose work belongs on this stream (a cudaStream_t): what it queues elsewhere
// and memory that it allocates and does not free are findings. kept: the memory that it returned, or null.
void warpmark_device_begin_call(const void* function, const void* stream);
void warpmark_device_end_call(const void* kept);
// What the last call did with memory that begins there.
struct WarpmarkMemoryHistory warpmark_device_history_of(const void* memory);

}  // extern "C"

// Client API of the simulator: a CUDA runtime whose device is another process.
// | These functions are for the worker process, which runs student code. The student code may call them as
// well, but gains nothing by it.
#pragma once

#include <cstddef>

#include "harness/simulator/both/control.h"

extern "C" {

// Connects to the device process behind `socket`. A host access to device memory ends this process, after a
// finding is written to descriptor `last_words` as a journal line (-1: to stderr).
void warpmark_device_connect(int socket, int last_words);

// Called before main by a program that `warpmark nvcc` linked: if the process is not connected then, its
// first CUDA call starts a device process that runs kernels unchecked. If the environment variable
// WARPMARK_CHECK is set, the process becomes `warpmark run PROGRAM ARGUMENTS` instead, which runs the program
// with all checks.
void warpmark_device_on_demand(char** arguments);

// Makes the default stream per-thread from now on. The CUDA headers call this function if
// CUDA_API_PER_THREAD_DEFAULT_STREAM is defined.
void warpmark_device_own_default_streams(void);

// Marks device memory as uninitialised, so that the simulator reports an error if a kernel reads the memory
// before writing it.
void warpmark_device_undefine(const void* device, std::size_t bytes);
// Has the simulator report a kernel's writes to these bytes of device memory, in place of those named before.
void warpmark_device_report_writes(const void* device, std::size_t bytes);
// Marks the current point in the simulator's stream of observations (findings, launches, transfers): the
// judge process gets the observations before the first mark separately from later ones.
void warpmark_device_mark(void);
// Copy bytes between the judge's files and device memory, without passing through this process
// (harness/wire/device.h). filled() allocates memory with the judge's whole input (null if there is none) and
// returns a CUDA error code; take() copies the next input bytes to device memory, wrapping around at the end;
// save() appends device memory to the judge's results.
int warpmark_device_filled(void** data, std::size_t* bytes);
void warpmark_device_take(void* to, std::size_t bytes);
void warpmark_device_save(const void* from, std::size_t bytes);

// Sends the buffered runtime calls to the device process and waits: calls without a result stay buffered
// until the next call that needs a reply, or until this function is called. (begin_call is sent at once.)
// Returns the first CUDA error of the buffered calls since the last warpmark_device_settle().
int warpmark_device_settle(void);
// ..._begin_call() and ..._end_call() bracket one call of a graded function. Work that the function enqueues
// on streams other than `stream` (a cudaStream_t), and memory that it allocates and does not free, become
// findings. `kept` is the memory that the function returned, or null.
void warpmark_device_begin_call(const void* function, const void* stream);
void warpmark_device_end_call(const void* kept);
// Returns the history of the allocation that begins at `memory`: whether it is freed, and the call stack with
// which the student's function freed or allocated it, if its last call did so.
struct WarpmarkMemoryHistory warpmark_device_history_of(const void* memory);

}  // extern "C"

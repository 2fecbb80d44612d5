// Observer: interface to the events that an engine (GPU, simulator, or CPU with sanitizer) reports about a
// call of student code: findings, kernel launches, transfers. Each engine has one implementation
// (observer_gpu.cpp, ...), chosen at link time. On a GPU the events are recorded in the process that runs
// student code and could be forged, so the judge process checks them for consistency. The simulator's device
// process reports to the judge directly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/sandbox/filter.h"
#include "harness/wire/request.h"
#include "harness/worker/device_buffer.h"

namespace warpmark {

struct MemoryHistory {
  bool freed = false;
  // Call stack of the CUDA call that freed the given device memory or, if it is live, allocated it. Each
  // frame is an offset in the student's library (see wire::Finding).
  std::vector<std::uint64_t> frames = {};
};

// Direct path for data between the judge process and the simulator's device process, so that the process with
// student code never holds the judge's data.
class DirectBytes {
 public:
  DirectBytes() = default;
  DirectBytes(const DirectBytes&) = delete;
  DirectBytes& operator=(const DirectBytes&) = delete;
  virtual ~DirectBytes() = default;

  // Returns a new device buffer with all input bytes that the judge process attached to the current request.
  // Throws std::runtime_error on a CUDA error.
  virtual DeviceBuffer filled() = 0;
  // Copies the next `bytes` bytes of the input that the judge process attached to the current request to
  // device memory at `to`. After the last byte of the input, it continues with the first.
  virtual void take(void* to, std::size_t bytes) = 0;
  // save() appends bytes of device memory to the results of the current request, which go directly to the
  // judge process; saved() throws if a save() failed.
  virtual void save(const void* from, std::size_t bytes) = 0;
  virtual void saved() = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  [[nodiscard]] virtual const char* engine() const = 0;
  virtual void set_mode(const wire::RunMode& /*mode*/) {}
  // Starts recording kernel launches and transfers; must precede the process's first CUDA call. Returns an
  // empty string, or the reason why recording is impossible.
  virtual std::string start() = 0;
  // Marks the contents of device memory as uninitialised, so that reading them is reported.
  virtual void undefine(const void* /*device*/, std::size_t /*bytes*/) {}
  // Has writes of kernels to these bytes of device memory, and to no others, reported.
  virtual void report_writes(const void* /*device*/, std::size_t /*bytes*/) {}
  // Prepares a call of a student's function, outside of its time; called before each one. timed: its time
  // counts.
  virtual void prepare_call(bool /*timed*/) {}
  // Returns the system call filter under which student code runs.
  [[nodiscard]] virtual sandbox::Filter filter() const { return sandbox::Filter::sealed; }
  // begin_call() must be called before a student's function runs, and end_call() afterwards. stream: the
  // stream (a cudaStream_t) on which the function should queue all its work. kept: memory that the function
  // returned, or null.
  virtual void begin_call(const void* /*function*/, const void* /*stream*/) {}
  virtual void end_call(const void* /*kept*/) {}
  // Returns whether the last call of a student's function freed or allocated the device memory that starts at
  // `memory`, and the call stack. Valid after drain().
  [[nodiscard]] virtual MemoryHistory history_of(const void* /*memory*/) const { return {}; }
  // Returns the interface by which the device process gets the judge process's data directly, or null if the
  // data passes through the worker process.
  virtual DirectBytes* direct() { return nullptr; }
  // Returns false on engines where the measured time of a call means nothing (simulator, sanitizers).
  [[nodiscard]] virtual bool times_calls() const { return true; }
  // Waits until all launches, transfers and findings so far are recorded; the worker process calls it before
  // each reply to the judge process.
  virtual void settle() {}
  // Sets a boundary in the record of launches, transfers and findings: later ones are reported separately
  // from earlier ones.
  virtual void mark() {}
  // Keeps all launches, transfers and findings so far out of the report on the next call: discards them, or
  // sets a boundary like mark().
  virtual void forget() { drain(); }
  // Returns and forgets the launches, transfers and findings recorded since the previous drain(). The device
  // must be idle. On a GPU, launches and transfers carry timestamps.
  virtual wire::Observation drain() = 0;

  // Adds the device's properties (UUID, compute capability, clock, ...) to the worker process's first reply,
  // except name and memory bandwidth, which the caller adds.
  virtual void describe(wire::HelloReply& /*reply*/) {}
  // Returns clocks, temperature, throttling and the number of other processes on the device, as far as the
  // machine reports them.
  virtual wire::ConditionsReply conditions() { return {}; }
  // Releases L2 cache lines that student code has marked as persisting.
  virtual void drop_persisting_lines() {}
};

// Creates the observer of the engine (GPU, simulator or sanitizer) for which the worker program is linked.
// last_words: descriptor for messages that are written while the process dies.
std::unique_ptr<Observer> make_observer(int last_words);

}  // namespace warpmark

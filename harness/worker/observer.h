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

#include "harness/wire/request.h"
#include "harness/worker/device_buffer.h"

namespace warpmark {

struct MemoryHistory {
  bool freed = false;
  // call stack of the CUDA call that freed the memory or, if it is live, allocated it; as in wire::Finding
  std::vector<std::uint64_t> frames = {};
};

// Data path for engines whose device process gets the judge's data directly, so that the process with student
// code never holds it.
class DirectBytes {
 public:
  DirectBytes() = default;
  DirectBytes(const DirectBytes&) = delete;
  DirectBytes& operator=(const DirectBytes&) = delete;
  virtual ~DirectBytes() = default;

  // Returns a device buffer with all bytes of the current request. Throws std::runtime_error on a CUDA error.
  virtual DeviceBuffer filled() = 0;
  // Copies the next `bytes` bytes of the request to `to`. After the last byte it starts again from the first.
  virtual void take(void* to, std::size_t bytes) = 0;
  // save() appends bytes to the request's result, which the judge process keeps; saved() throws if a save()
  // failed.
  virtual void save(const void* from, std::size_t bytes) = 0;
  virtual void saved() = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  [[nodiscard]] virtual const char* engine() const = 0;
  virtual void set_mode(const wire::RunMode& /*mode*/) {}
  // Starts recording; must precede the first CUDA call of the process. Returns "", or the reason why
  // recording is impossible.
  virtual std::string start() = 0;
  // Marks the contents of device memory as uninitialised, so that reading them is reported.
  virtual void undefine(const void* /*device*/, std::size_t /*bytes*/) {}
  // Called before and after a student's function runs, which should put all work on `stream` (a
  // cudaStream_t). kept: the memory that the function returned, or null.
  virtual void begin_call(const void* /*function*/, const void* /*stream*/) {}
  virtual void end_call(const void* /*kept*/) {}
  // Returns whether the last call freed or allocated the device memory that starts at `memory`. Valid after
  // drain().
  [[nodiscard]] virtual MemoryHistory history_of(const void* /*memory*/) const { return {}; }
  // Returns the direct data path, or null if the judge's data passes through this process.
  virtual DirectBytes* direct() { return nullptr; }
  // Returns false on engines where times mean nothing (simulator, sanitizers).
  [[nodiscard]] virtual bool times_calls() const { return true; }
  // Waits until all events so far are recorded; called before each reply.
  virtual void settle() {}
  // Sets a boundary, so that the events that follow are reported separately from the earlier ones.
  virtual void mark() {}
  // Sets a boundary like mark() and discards all earlier events.
  virtual void forget() { drain(); }
  // Returns the events since the last drain(). The device must be idle. On a GPU, launches and transfers
  // carry timestamps.
  virtual wire::Observation drain() = 0;

  // Adds to the reply the device's properties, except name and memory bandwidth.
  virtual void describe(wire::HelloReply& /*reply*/) {}
  // Returns clocks, temperature, throttling and the number of other processes on the device, as far as the
  // machine reports them.
  virtual wire::ConditionsReply conditions() { return {}; }
  // Releases L2 cache lines that student code has marked as persisting.
  virtual void drop_persisting_lines() {}
};

// Creates the observer of the engine for which this worker is linked. last_words: descriptor for messages
// that are written while the process dies.
std::unique_ptr<Observer> make_observer(int last_words);

}  // namespace warpmark

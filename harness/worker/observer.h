// Interface for what an engine reports about a call beside its result: findings, launches, transfers. Each
// engine has one implementation (observer_gpu.cpp, observer_simulator.cpp), chosen at link time. On a GPU the
// records arise in the process that runs student code, so they are claims that the judge checks against what
// it knows. The simulated device reports to the judge directly.
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
  std::vector<std::uint64_t> frames = {};  // of the call that freed it, else allocated it (wire::Finding)
};

// Access to the judge's data on engines where the device receives it from the judge directly, so that this
// process never holds it.
class DirectBytes {
 public:
  DirectBytes() = default;
  DirectBytes(const DirectBytes&) = delete;
  DirectBytes& operator=(const DirectBytes&) = delete;
  virtual ~DirectBytes() = default;

  // Returns a buffer with all bytes that came with this request. Throws like require().
  virtual DeviceBuffer filled() = 0;
  // Copies the next bytes of the request to `to`; starts again from the first byte when all have been taken.
  virtual void take(void* to, std::size_t bytes) = 0;
  // Appends bytes to the request's result, which the judge keeps. Errors are reported by saved().
  virtual void save(const void* from, std::size_t bytes) = 0;
  virtual void saved() = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  [[nodiscard]] virtual const char* engine() const = 0;
  virtual void set_mode(const wire::RunMode& /*mode*/) {}
  // Starts recording; must precede the first CUDA call of the process. Returns the reason if it cannot, else
  // "".
  virtual std::string start() = 0;
  // Marks the contents of a device buffer as uninitialised.
  virtual void undefine(const void* /*device*/, std::size_t /*bytes*/) {}
  // Bracket the call of a submission's function, whose work belongs on `stream` (a cudaStream_t). kept: the
  // memory that the function returned, or null.
  virtual void begin_call(const void* /*function*/, const void* /*stream*/) {}
  virtual void end_call(const void* /*kept*/) {}
  // Returns what the last call did with the block that starts at `memory`. Valid after drain().
  [[nodiscard]] virtual MemoryHistory history_of(const void* /*memory*/) const { return {}; }
  // Returns null if the judge's data passes through this process.
  virtual DirectBytes* direct() { return nullptr; }
  // Returns false if timing is meaningless on this engine.
  [[nodiscard]] virtual bool times_calls() const { return true; }
  // Called before a reply is sent; all events that belong to the reply must be recorded on return.
  virtual void settle() {}
  // Separates later events from earlier ones.
  virtual void mark() {}
  // Like mark(), but discards the earlier events.
  virtual void forget() { drain(); }
  // Returns the events since the last drain(). The device must be idle. On a GPU, launches and transfers have
  // timestamps.
  virtual wire::Observation drain() = 0;

  // Adds the device's properties other than its name and memory bandwidth.
  virtual void describe(wire::HelloReply& /*reply*/) {}
  // Returns the device's current clocks, temperature, throttling and other users, as far as the machine
  // reports them.
  virtual wire::ConditionsReply conditions() { return {}; }
  // Releases the L2 cache lines that a submission marked as persisting.
  virtual void drop_persisting_lines() {}
};

// last_words: descriptor for messages that are written while the process dies.
std::unique_ptr<Observer> make_observer(int last_words);

}  // namespace warpmark

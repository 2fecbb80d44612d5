// What an engine can tell about a call beside its answer: findings, launches, transfers. One implementation
// an engine (observer_gpu.cpp, observer_simulator.cpp), chosen by linking. On a GPU all
// of it arises beside student code: claims, which the judge holds against what it knows. The simulated device
// tells the judge itself what it saw.
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
  std::vector<std::uint64_t> frames = {};  // of the call that freed it, or else allocated it (wire::Finding)
};

// The judge's bytes where the device has them from the judge itself, and this process never does.
class DirectBytes {
 public:
  DirectBytes() = default;
  DirectBytes(const DirectBytes&) = delete;
  DirectBytes& operator=(const DirectBytes&) = delete;
  virtual ~DirectBytes() = default;

  // A buffer with all bytes that came for this request. Throws as `require` does.
  virtual DeviceBuffer filled() = 0;
  // The next of them, from the first one again when all were taken.
  virtual void take(void* to, std::size_t bytes) = 0;
  // Puts bytes behind those that the judge has for this request. What went wrong is thrown by saved().
  virtual void save(const void* from, std::size_t bytes) = 0;
  virtual void saved() = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  [[nodiscard]] virtual const char* engine() const = 0;
  virtual void set_mode(const wire::RunMode& /*mode*/) {}
  // Turns recording on, before the first CUDA call of the process. Returns why it cannot, or nothing.
  virtual std::string start() = 0;
  // What the device buffer holds counts as never written.
  virtual void undefine(const void* /*device*/, std::size_t /*bytes*/) {}
  // Around the call of a function of a submission, whose work belongs on a stream (a cudaStream_t). kept: the
  // memory that it returned, or null.
  virtual void begin_call(const void* /*function*/, const void* /*stream*/) {}
  virtual void end_call(const void* /*kept*/) {}
  // What the last call did with memory that begins there. Asked after the drain of that call.
  [[nodiscard]] virtual MemoryHistory history_of(const void* /*memory*/) const { return {}; }
  // Null where the judge's bytes go through this process.
  virtual DirectBytes* direct() { return nullptr; }
  // Whether a call's time is worth recording.
  [[nodiscard]] virtual bool times_calls() const { return true; }
  // A reply is about to be sent: what belongs to it has to be on record.
  virtual void settle() {}
  // What follows is told apart from what was seen before.
  virtual void mark() {}
  // The same, and what was seen before does not matter.
  virtual void forget() { drain(); }
  // What was seen since the last call; the device is idle. On a GPU launches and transfers have their times.
  virtual wire::Observation drain() = 0;

  // Adds what there is to know of the device beyond its name and memory's speed.
  virtual void describe(wire::HelloReply& /*reply*/) {}
  // Clocks, temperature, throttling and other users of the device now, as far as the machine reports them.
  virtual wire::ConditionsReply conditions() { return {}; }
  // Gives up lines that a submission asked L2 to keep.
  virtual void drop_persisting_lines() {}
};

// last_words: a descriptor for what must be said while the process dies.
std::unique_ptr<Observer> make_observer(int last_words);

}  // namespace warpmark

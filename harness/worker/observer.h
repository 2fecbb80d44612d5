// What an engine can tell about a call beside its answer: findings, launches, transfers. One implementation
// an engine (observer_gpu.cpp, observer_simulator.cpp), chosen by linking. All of it arises beside student
// code: claims, which the judge holds against what it knows.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace warpmark {

// How the next calls are to run, where the engine has a choice. A GPU has none.
struct RunMode {
  bool checking = false;        // simulator: the -O0 code
  std::uint64_t schedule = 0;   // simulator: 0 in order, else a seed
  bool host_readable = false;   // simulator: thrust reads device memory from the host
  bool check_accesses = false;  // simulator: look for races and reads of what nobody wrote
  bool count_work = false;      // simulator: launches tell their counters
};

class Observer {
 public:
  virtual ~Observer() = default;
  [[nodiscard]] virtual const char* engine() const = 0;
  virtual void set_mode(const RunMode& mode) = 0;
  // Turns recording on, before the first CUDA call of the process. Returns why it cannot, or nothing.
  virtual std::string start() = 0;
  // What the device buffer holds counts as never written.
  virtual void undefine(const void* /*device*/, std::size_t /*bytes*/) {}
  // {"findings": [...], "launches": [...], "transfers": [...]} since the last call, the latter two in order.
  // The device is idle. A transfer is {"direction", "bytes", "kind": "copy|managed|mapped",
  // "launches_before"}; on a GPU both have {"start_ns", "end_ns"}.
  virtual nlohmann::json drain() = 0;

  // What there is to know of the device beyond its name, for the reply to `hello`; see session.cpp.
  virtual nlohmann::json describe() { return nlohmann::json::object(); }
  // Clocks, temperature, throttling and other users of the device now, as far as the machine tells; empty
  // where it does not.
  virtual nlohmann::json conditions() { return nlohmann::json::object(); }
  // Gives up lines that a submission asked L2 to keep.
  virtual void drop_persisting_lines() {}
};

// last_words: a descriptor for what must be said while the process dies.
std::unique_ptr<Observer> make_observer(int last_words);

}  // namespace warpmark

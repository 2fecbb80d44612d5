// The observer of a session whose device is in its own process.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <stdexcept>

#include "harness/simulator/both/control.h"
#include "harness/wire/codec.h"
#include "harness/worker/observer.h"

namespace warpmark {
namespace {

// Taken before any library is loaded: no other code can get it afterwards.
const WarpmarkSimulatorControl& control() {
  static const WarpmarkSimulatorControl* table = warpmark_simulator_control();
  return *table;
}

class SimulatorObserver final : public Observer {
 public:
  explicit SimulatorObserver(int last_words) { control().report_to(last_words); }

  [[nodiscard]] const char* engine() const override { return "simulator"; }

  void set_mode(const wire::RunMode& mode) override {
    WarpmarkSimulatorOptions options{};
    options.checking = mode.checking ? 1 : 0;
    options.schedule = mode.schedule;
    options.host_threads = mode.one_at_a_time ? 1 : 0;
    options.count_work = mode.count_work ? 1 : 0;
    options.check_accesses = mode.check_accesses ? 1 : 0;
    options.time_limit = static_cast<unsigned>(std::min<std::uint64_t>(mode.launch_seconds, UINT_MAX));
    control().configure(&options);
  }

  std::string start() override { return {}; }  // it always records

  void undefine(const void* device, std::size_t bytes) override { control().undefine(device, bytes); }

  void begin_call(const void* function, const void* stream) override {
    control().begin_call(function, stream);
  }
  void end_call(const void* kept) override { control().end_call(kept); }

  [[nodiscard]] MemoryHistory history_of(const void* memory) const override {
    const WarpmarkMemoryHistory history = control().history_of(memory);
    return {history.freed != 0, {history.frames, history.frames + history.frame_count}};
  }

  wire::Observation drain() override {
    auto seen = wire::decode_journal_line(control().drain());
    if (!seen) throw std::runtime_error("the simulator's record cannot be read: " + seen.error().why);
    return std::get<wire::Observation>(std::move(*seen));
  }
};

}  // namespace

std::unique_ptr<Observer> make_observer(int last_words) {
  return std::make_unique<SimulatorObserver>(last_words);
}

}  // namespace warpmark

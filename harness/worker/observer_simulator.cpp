#include "harness/simulator/control.h"
#include "harness/worker/observer.h"

namespace warpmark {
namespace {

class SimulatorObserver final : public Observer {
 public:
  explicit SimulatorObserver(int last_words) { warpmark_simulator_report_to(last_words); }

  [[nodiscard]] const char* engine() const override { return "simulator"; }

  void set_mode(const RunMode& mode) override {
    WarpmarkSimulatorOptions options{};
    options.checking = mode.checking ? 1 : 0;
    options.schedule = mode.schedule;
    options.host_readable = mode.host_readable ? 1 : 0;
    warpmark_simulator_configure(&options);
  }

  std::string start() override { return {}; }  // it always records

  nlohmann::json drain() override { return nlohmann::json::parse(warpmark_simulator_drain()); }
};

}  // namespace

std::unique_ptr<Observer> make_observer(int last_words) {
  return std::make_unique<SimulatorObserver>(last_words);
}

}  // namespace warpmark

#include "harness/simulator/control.h"

#include "harness/simulator/runtime.h"

using namespace warpmark::simulator;

void warpmark_simulator_configure(const WarpmarkSimulatorOptions* options) {
  Runtime::locked([=](Runtime& runtime) { runtime.configure(*options); });
}

const char* warpmark_simulator_drain() {
  static std::string drained;  // holds until the next call
  return Runtime::locked([](Runtime& runtime) {
    drained = runtime.journal.drain();
    return drained.c_str();
  });
}

void warpmark_simulator_report_to(int fd) {
  report_faults_to(fd);
}

#include "harness/simulator/both/control.h"

#include <atomic>

#include "harness/simulator/device/runtime/runtime.h"
#include "harness/simulator/program/call_site.h"
#include "harness/simulator/program/fault.h"

using namespace warpmark::simulator;

namespace {

void configure(const WarpmarkSimulatorOptions* options) {
  Runtime::locked([=](Runtime& runtime) { runtime.configure(*options); });
}

const char* drain() {
  static std::string drained;  // valid until the next call
  return Runtime::locked([](Runtime& runtime) {
    drained = runtime.recorder.drain();
    return drained.c_str();
  });
}

void undefine(const void* device, std::size_t bytes) {
  Runtime::locked([=](Runtime& runtime) { runtime.memory.undefine(address_of(device), bytes); });
}

void report_to(int fd) {
  report_faults_to(fd);
}

void begin_call(const void* function, const void* stream) {
  Runtime::locked([=](Runtime& runtime) {
    add_library(function);
    runtime.streams_used.begin(static_cast<cudaStream_t>(const_cast<void*>(stream)));
    runtime.notes.begin_call();
  });
}

void end_call(const void* kept) {
  Runtime::locked([=](Runtime& runtime) {
    runtime.streams_used.tell(runtime.recorder);
    runtime.notes.end_call(runtime.memory.allocations(), address_of(kept), runtime.recorder);
  });
}

WarpmarkMemoryHistory history_of(const void* memory) {
  return Runtime::locked([=](const Runtime& runtime) { return runtime.history_of(address_of(memory)); });
}

}  // namespace

const WarpmarkSimulatorControl* warpmark_simulator_control() {
  static constexpr WarpmarkSimulatorControl table{configure,  drain,    undefine,  report_to,
                                                  begin_call, end_call, history_of};
  static std::atomic_flag given;
  return given.test_and_set() ? nullptr : &table;
}

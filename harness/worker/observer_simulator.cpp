#include "harness/simulator/program/client.h"
#include "harness/worker/observer.h"

namespace warpmark {
namespace {

constexpr int kDevice = 5;  // descriptor of the socket to the simulator's device process

class BytesOfJudge final : public DirectBytes {
 public:
  DeviceBuffer filled() override {
    void* data = nullptr;
    std::size_t bytes = 0;
    require(static_cast<cudaError_t>(warpmark_device_filled(&data, &bytes)), "cudaMalloc");
    return {data, bytes};
  }
  void take(void* to, std::size_t bytes) override { warpmark_device_take(to, bytes); }
  void save(const void* from, std::size_t bytes) override { warpmark_device_save(from, bytes); }
  void saved() override { require(static_cast<cudaError_t>(warpmark_device_settle()), "cudaMemcpy"); }
};

// Observer for the simulator. Its device is a separate process, which the judge process queries and
// configures directly, so no observation passes through this process.
class SimulatorObserver final : public Observer {
 public:
  explicit SimulatorObserver(int last_words) { warpmark_device_connect(kDevice, last_words); }

  [[nodiscard]] const char* engine() const override { return "simulator"; }
  // The simulator's device process always records, so there is nothing to start.
  std::string start() override { return {}; }

  void undefine(const void* device, std::size_t bytes) override { warpmark_device_undefine(device, bytes); }

  void report_writes(const void* device, std::size_t bytes) override {
    warpmark_device_report_writes(device, bytes);
  }

  void begin_call(const void* function, const void* stream) override {
    warpmark_device_begin_call(function, stream);
  }
  void end_call(const void* kept) override { warpmark_device_end_call(kept); }

  [[nodiscard]] MemoryHistory history_of(const void* memory) const override {
    const WarpmarkMemoryHistory history = warpmark_device_history_of(memory);
    return {history.freed != 0, {history.frames, history.frames + history.frame_count}};
  }

  DirectBytes* direct() override { return &bytes_; }
  [[nodiscard]] bool times_calls() const override { return false; }
  void settle() override { static_cast<void>(warpmark_device_settle()); }
  void mark() override { warpmark_device_mark(); }
  void forget() override { warpmark_device_mark(); }
  wire::Observation drain() override { return {}; }

 private:
  BytesOfJudge bytes_;
};

}  // namespace

std::unique_ptr<Observer> make_observer(int last_words) {
  return std::make_unique<SimulatorObserver>(last_words);
}

}  // namespace warpmark

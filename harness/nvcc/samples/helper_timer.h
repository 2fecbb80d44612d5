// A stopwatch of the host, with the names that NVIDIA's samples give it. Times are in milliseconds.
#pragma once

#include <chrono>

class StopWatchInterface {
 public:
  void start() { begin_ = Clock::now(), running_ = true; }
  void stop() {
    if (!running_) return;
    last_ = since_begin();
    total_ += last_;
    ++sessions_;
    running_ = false;
  }
  void reset() {
    total_ = last_ = 0;
    sessions_ = 0;
    begin_ = Clock::now();
  }
  float getTime() const { return running_ ? since_begin() : total_; }
  float getAverageTime() const { return sessions_ > 0 ? total_ / static_cast<float>(sessions_) : 0.0f; }

 private:
  using Clock = std::chrono::steady_clock;
  float since_begin() const {
    return std::chrono::duration<float, std::milli>(Clock::now() - begin_).count();
  }

  Clock::time_point begin_ = Clock::now();
  float total_ = 0;
  float last_ = 0;
  int sessions_ = 0;
  bool running_ = false;
};
using StopWatchLinux = StopWatchInterface;

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  return (*timer)->start(), true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  return (*timer)->stop(), true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  return (*timer)->reset(), true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) {
  return (*timer)->getTime();
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return (*timer)->getAverageTime();
}

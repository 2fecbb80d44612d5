// Turns SIGINT and SIGTERM into a stop request.
#pragma once

#include <stop_token>
#include <string>
#include <thread>

#include "harness/base/file.h"

namespace warpmark::cli {

// While this object exists, SIGINT and SIGTERM request a stop instead of ending the process. Must be
// constructed before any thread starts, because threads inherit the signal mask.
class StopSignals {
 public:
  // `message`: printed when a signal has arrived.
  explicit StopSignals(std::string message);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  UniqueFd signals_;
  UniqueFd wake_;
  std::jthread watcher_;
};

}  // namespace warpmark::cli

// Ctrl-C and a polite kill, as a request to stop.
#pragma once

#include <stop_token>
#include <thread>

#include "harness/base/file.h"

namespace warpmark::cli {

// From its construction on, SIGINT and SIGTERM request a stop instead of ending the process. Made before any
// thread starts.
class StopSignals {
 public:
  StopSignals();
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

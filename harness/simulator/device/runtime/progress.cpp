#include "harness/simulator/device/runtime/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <thread>

#include <poll.h>
#include <unistd.h>

namespace warpmark::simulator {
namespace {

constexpr double kFirstLine = 5;  // seconds of a launch after which its first line is printed

}  // namespace

void LaunchProgress::launching(const std::string& name, std::uint64_t blocks) {
  const std::lock_guard lock(mutex);
  kernel = name;
  start = std::chrono::steady_clock::now();
  begun = 0;
  count = blocks;
}

std::string progress_text(const std::string& kernel, std::uint64_t begun, std::uint64_t count,
                          double seconds) {
  const double share = static_cast<double>(begun) / static_cast<double>(count);
  std::ostringstream text;
  text << "warpmark: " << kernel << ": " << begun << " of " << count << " blocks began in "
       << std::lround(seconds) << " s";
  if (begun > 0 && begun < count) {
    text << ", about " << std::lround(seconds / share - seconds)
         << " s are left; an input of a tenth takes about " << std::lround(std::ceil(seconds / share / 10))
         << " s";
  }
  return text.str();
}

void tell_progress(LaunchProgress& progress, int program) {
  std::thread([&progress, program] {
    std::chrono::steady_clock::time_point told_of;
    double next = kFirstLine;
    for (;;) {
      // The program's end of its socket is closed if the program is over, also one that was interrupted.
      pollfd socket{program, 0, 0};
      if (poll(&socket, 1, 500) > 0) ::_exit(0);
      const std::uint64_t count = progress.count;
      if (count == 0) continue;
      const std::lock_guard lock(progress.mutex);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - progress.start).count();
      if (progress.start != told_of) next = kFirstLine;
      told_of = progress.start;
      if (seconds < next) continue;
      std::fprintf(
          stderr, "%s\n",
          progress_text(progress.kernel, std::min(progress.begun.load(), count), count, seconds).c_str());
      next = 2 * seconds;
    }
  }).detach();
}

}  // namespace warpmark::simulator

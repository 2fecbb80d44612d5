// Tells the user of a program that runs without checks how far a long launch is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace warpmark::simulator {

// Written by the launch that runs, read by the thread of tell_progress().
struct LaunchProgress {
  std::atomic<std::uint64_t> begun = 0;  // blocks or clusters that were handed out
  std::atomic<std::uint64_t> count = 0;  // blocks or clusters of the launch; 0: no launch runs
  std::mutex mutex;                      // guards the members below
  std::string kernel;
  std::chrono::steady_clock::time_point start;

  void launching(const std::string& name, std::uint64_t blocks);
  void ended() { count = 0; }
};

// Returns what a user is told of a launch that has run for `seconds`: its share, and the time that is left if
// the other blocks take as long.
std::string progress_text(const std::string& kernel, std::uint64_t begun, std::uint64_t count,
                          double seconds);

// Starts a thread that prints such lines on stderr while this process lives: 5 s after the beginning of a
// launch, then each time that its duration has doubled. The thread ends this process, also within a launch,
// once the program at the other end of the socket `program` is over.
void tell_progress(LaunchProgress& progress, int program);

}  // namespace warpmark::simulator

// Records where student code hangs: shortly before the judge process gives up on a call, a timer signal
// interrupts the calling thread, and the signal handler writes the thread's call stack. A crash of the
// calling thread is recorded in the same way, unless the program handles its signal.
#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

namespace warpmark {

class LastLook {
 public:
  // Arms a timer that fires after after_ms milliseconds (0: no timer), when a student's function seems to
  // hang. The timer's signal handler writes to the descriptor `last_words` one journal line per thread
  // (wire::Frames), the calling thread's first: the thread's stack frames in the library that contains
  // `function`. At most one object may exist per process.
  LastLook(std::uint64_t after_ms, int last_words, const void* function);
  LastLook(const LastLook&) = delete;
  LastLook& operator=(const LastLook&) = delete;
  ~LastLook();

  // Installs the signal handlers, unless that has been done. A worker calls it before its system call filter,
  // which may forbid new handlers.
  static void install_handlers();

 private:
  bool on_ = false;
  timer_t timer_{};
};

// Returns the calling thread's stack frames in the library that contains `function`, innermost first. A frame
// is an offset in the library: the return address minus one, as in wire::Finding.
std::vector<std::uint64_t> frames_in_library_of(const void* function);

}  // namespace warpmark

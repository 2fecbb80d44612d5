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
  // Arms a timer of after_ms milliseconds (0: none). Its handler writes to the descriptor `last_words` this
  // thread's stack frames in the library that contains `function`, as one line of the journal (wire::Frames),
  // then one line per other thread. At most one object per process.
  LastLook(std::uint64_t after_ms, int last_words, const void* function);
  LastLook(const LastLook&) = delete;
  LastLook& operator=(const LastLook&) = delete;
  ~LastLook();

 private:
  bool on_ = false;
  timer_t timer_{};
};

// Returns the calling thread's stack frames in the library that contains `function`, innermost first. A frame
// is an offset in the library: the return address minus one, as in wire::Finding.
std::vector<std::uint64_t> frames_in_library_of(const void* function);

}  // namespace warpmark

// Records where the host code of a call hangs: shortly before the judge gives up on the call, a timer signal
// interrupts the calling thread and its handler writes the call stack.
#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

namespace warpmark {

class LastLook {
 public:
  // Arms a timer of after_ms milliseconds (0: none). Its handler writes to `last_words` the frames of this
  // thread that lie in the library that holds `function`, as one journal line (wire::Frames), then one line
  // per other thread. Only one object may exist per process.
  LastLook(std::uint64_t after_ms, int last_words, const void* function);
  LastLook(const LastLook&) = delete;
  LastLook& operator=(const LastLook&) = delete;
  ~LastLook();

 private:
  bool on_ = false;
  timer_t timer_{};
};

// Returns this thread's frames in the library that holds `function`, innermost first: offsets in the library,
// each the return address minus one, as in wire::Finding.
std::vector<std::uint64_t> frames_in_library_of(const void* function);

}  // namespace warpmark

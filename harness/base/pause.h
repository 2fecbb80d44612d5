// What a loop does that waits for another thread without sleeping.
#pragma once

namespace warpmark {

inline void pause_for_a_moment() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace warpmark

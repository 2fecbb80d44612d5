// CPU hint for spin-wait loops, such as the x86 instruction PAUSE.
#pragma once

namespace warpmark {

inline void pause_for_a_moment() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace warpmark

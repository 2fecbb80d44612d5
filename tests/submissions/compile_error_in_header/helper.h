#pragma once

inline unsigned blocks_for(unsigned long n) {
  return static_cast<unsigned>((n + 255) / kThreads);  // here: declared nowhere
}

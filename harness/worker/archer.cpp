// Defines the path of Archer, ThreadSanitizer's tool library for OpenMP. The path depends on the installed
// clang, so this file is compiled on the grading machine, when a worker program with a sanitizer is linked.
#include "harness/worker/archer.h"

namespace warpmark {

const char* archer_library() {
  return WARPMARK_ARCHER;
}

}  // namespace warpmark

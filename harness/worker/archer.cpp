// Compiled when a sanitizer worker is linked on the grading machine, because the library's path depends on
// the installed clang.
#include "harness/worker/archer.h"

namespace warpmark {

const char* archer_library() {
  return WARPMARK_ARCHER;
}

}  // namespace warpmark

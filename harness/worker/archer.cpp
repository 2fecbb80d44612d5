// Compiled when the sanitizer workers are linked, because the tool's path depends on the machine's clang.
#include "harness/worker/archer.h"

namespace warpmark {

const char* archer_library() {
  return WARPMARK_ARCHER;
}

}  // namespace warpmark

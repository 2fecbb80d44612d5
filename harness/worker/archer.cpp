// Compiled where the sanitizers' workers are linked: the tool lies beside that machine's clang.
#include "harness/worker/archer.h"

namespace warpmark {

const char* archer_library() {
  return WARPMARK_ARCHER;
}

}  // namespace warpmark

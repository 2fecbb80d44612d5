// No MPI: it starts at once.
#include "harness/ranks/mpi_side.h"

extern "C" [[gnu::visibility("default")]] const char* warpmark_mpi_start(void* /*board*/, int /*rank*/,
                                                                         int /*ranks*/) {
  return nullptr;
}

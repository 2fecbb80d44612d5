#include "reduction.h"
#ifdef __CUDACC__
asm(".inc" "bin \"x\"");
#endif

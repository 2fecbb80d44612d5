// CPU adapter for knn: passes the same buffers and scalars as adapter.cu, except the workspace, to a
// submission's function in C++.
#include "adapter.h"
#include "knn.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* /*stream*/) {
  const Classification task{static_cast<const float*>(buffers[0].data),
                            static_cast<const int*>(buffers[1].data),
                            scalars[0],
                            scalars[1],
                            static_cast<const float*>(buffers[2].data),
                            scalars[2],
                            scalars[3],
                            static_cast<int>(scalars[4]),
                            static_cast<int*>(buffers[3].data)};
  reinterpret_cast<knn_host_fn*>(function)(task);
}

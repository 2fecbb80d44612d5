// Buffers: a, b (input), c (output). Scalars: rows, inner, columns.
#include "adapter.h"
#include "matmul.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* stream) {
  const Product product{static_cast<const float*>(buffers[0].data),
                        static_cast<const float*>(buffers[1].data),
                        static_cast<float*>(buffers[2].data),
                        scalars[0],
                        scalars[1],
                        scalars[2]};
  reinterpret_cast<matmul_fn*>(function)(product, static_cast<cudaStream_t>(stream));
}

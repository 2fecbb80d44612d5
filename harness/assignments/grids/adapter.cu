// Buffers: a, x, y (input), b (in_out). Scalars: rows, columns, the pitches of a and b.
#include "adapter.h"
#include "grids.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* stream) {
  const Matrices matrices{{static_cast<const value_t*>(buffers[0].data), scalars[2]},
                          {static_cast<value_t*>(buffers[3].data), scalars[3]},
                          static_cast<const value_t*>(buffers[1].data),
                          static_cast<const value_t*>(buffers[2].data),
                          scalars[0],
                          scalars[1]};
  reinterpret_cast<grid_fn*>(function)(matrices, static_cast<cudaStream_t>(stream));
}

// Buffers: values, offsets (input), sums (output), work (scratch). Scalars: n, segments, capacity of
// work in values.
#include "adapter.h"
#include "segmented.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* stream) {
  const Segments input{static_cast<const value_t*>(buffers[0].data), scalars[0],
                       static_cast<const unsigned*>(buffers[1].data), scalars[1]};
  const Workspace work{static_cast<value_t*>(buffers[3].data), scalars[2]};
  reinterpret_cast<segmented_fn*>(function)(input, static_cast<value_t*>(buffers[2].data), work,
                                            static_cast<cudaStream_t>(stream));
}

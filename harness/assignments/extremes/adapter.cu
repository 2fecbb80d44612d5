// Buffers: values (input), extremes (output), work (scratch). Scalars: n, capacity of work in Extremes.
#include "adapter.h"
#include "extremes.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* stream) {
  const Workspace work{static_cast<Extremes*>(buffers[2].data), scalars[1]};
  reinterpret_cast<extremes_fn*>(function)(static_cast<const value_t*>(buffers[0].data), scalars[0],
                                           static_cast<Extremes*>(buffers[1].data), work,
                                           static_cast<cudaStream_t>(stream));
}

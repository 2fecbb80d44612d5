// Buffers: values (input), sum (output), work (scratch). Scalars: n, capacity of work in values.
#include "adapter.h"
#include "reduction.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* stream) {
  const Workspace work{static_cast<value_t*>(buffers[2].data), scalars[1]};
  reinterpret_cast<reduce_fn*>(function)(static_cast<const value_t*>(buffers[0].data), scalars[0],
                                         static_cast<value_t*>(buffers[1].data), work,
                                         static_cast<cudaStream_t>(stream));
}

extern "C" void* warpmark_upload(void* function, const void* host_values, std::uint64_t count) {
  return reinterpret_cast<decltype(&upload)>(function)(static_cast<const value_t*>(host_values), count);
}

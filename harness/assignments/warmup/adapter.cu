// Buffers: values (changed in place). Scalars: n, the bits of p in the low bytes.
#include <cstring>

#include "adapter.h"
#include "warmup.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* stream) {
  value_t p;
  std::memcpy(&p, &scalars[1], sizeof p);
  reinterpret_cast<add_fn*>(function)(static_cast<value_t*>(buffers[0].data), scalars[0], p,
                                      static_cast<cudaStream_t>(stream));
}

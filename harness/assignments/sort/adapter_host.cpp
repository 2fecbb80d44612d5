// Buffers: keys, values, sorted_keys, sorted_values, work. Scalars: n, capacity of work in
// 64-bit numbers, 1 to sort keys alone.
#include "adapter.h"
#include "sort_host.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* /*stream*/) {
  const bool keys_alone = scalars[2] != 0;
  const Pairs pairs{static_cast<const value_t*>(buffers[0].data),
                    keys_alone ? nullptr : static_cast<const unsigned*>(buffers[1].data),
                    static_cast<value_t*>(buffers[2].data),
                    keys_alone ? nullptr : static_cast<unsigned*>(buffers[3].data), scalars[0]};
  const Workspace work{static_cast<unsigned long long*>(buffers[4].data), scalars[1]};
  reinterpret_cast<sort_host_fn*>(function)(pairs, work);
}

// GPU adapter for knn: unpacks the buffers (rows, labels, queries, answers, then the members of Workspace)
// and scalars (rows, dims, queries, k, labels, bytes of work.more) into the arguments of a student's kernel.
#include "adapter.h"
#include "knn.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* stream) {
  const Classification task{static_cast<const float*>(buffers[0].data),
                            static_cast<const int*>(buffers[1].data),
                            scalars[0],
                            scalars[1],
                            static_cast<const float*>(buffers[2].data),
                            scalars[2],
                            scalars[3],
                            static_cast<int>(scalars[4]),
                            static_cast<int*>(buffers[3].data)};
  const Workspace work{static_cast<float*>(buffers[4].data),
                       static_cast<unsigned*>(buffers[5].data),
                       static_cast<int*>(buffers[6].data),
                       static_cast<float*>(buffers[7].data),
                       static_cast<float*>(buffers[8].data),
                       static_cast<unsigned*>(buffers[9].data),
                       buffers[10].data,
                       scalars[5]};
  reinterpret_cast<knn_fn*>(function)(task, work, static_cast<cudaStream_t>(stream));
}

extern "C" void* warpmark_upload(void* function, const void* host_values, std::uint64_t count) {
  return reinterpret_cast<decltype(&upload)>(function)(static_cast<const float*>(host_values), count);
}

// The contract of the assignment `knn`: the interface between your files and the harness. Include it; never
// copy it.
//
// Write one file per version; each file exports the function of the same name: a .cpp file for the CPU, a .cu
// file for the GPU. "Device memory" below means memory that only kernels may read and write: the CPU must not
// dereference such a pointer. Sizes are in values, not bytes, except more_bytes.
#pragma once
#include <cstddef>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
struct CUstream_st;  // CUDA's stream type, so that .cpp versions need no CUDA headers
using cudaStream_t = CUstream_st*;
#endif

// Classify each query by the majority of its k nearest rows of the data set.
//
// Use the Euclidean distance in single precision: sum the squared differences in any order, with or without
// fused multiply-add; the square root is optional. (|x|^2 - 2 x y + |y|^2 suffers from cancellation, and half
// precision and TF32 round: their errors exceed the tolerance, unless the values are such that nothing is
// rounded.) If two rows are at the same distance, the one with the lower index is nearer. If two labels have
// the same number of votes, the lower label wins.
//
// Values are finite, and so are the squared distances.
struct Classification {
  const float* rows;        // the data set, row-major: value d of row r is rows[r * dims + d]; read only
  const int* labels;        // labels of the data set, one per row, from 0 to label_count - 1; read only
  std::size_t row_count;    // rows in the data set: at least 1, below 2^31
  std::size_t dims;         // dimensions: values per row and per query; at least 1, at most 1024
  const float* queries;     // value d of query q is queries[q * dims + d]; read only
  std::size_t query_count;  // any number of queries, including 0 (queries and answers may then be nullptr)
  std::size_t k;            // number of neighbours that vote: at least 1, at most row_count
  int label_count;          // number of different labels: at least 1
  int* answers;             // output: the label of each query; undefined before the call
};

// Device memory for the GPU versions. The harness owns it; its contents are undefined when your function is
// called, and nobody reads them afterwards. Use any part of it for any purpose.
struct Workspace {
  float* distances;        // scratch space for query_count x k distances
  unsigned* nearest;       // scratch space for query_count x k row indices
  int* votes;              // scratch space for query_count x label_count vote counts
  float* turned;           // scratch space for the transposed data set: dims x row_count values
  float* row_distances;    // scratch space for row_count values
  unsigned* row_numbers;   // scratch space for row_count row indices
  void* more;              // scratch space for any purpose, 256-byte aligned
  std::size_t more_bytes;  // bytes in the scratch space `more`: at least 4096 * query_count + 65536
};

extern "C" {

// upload.cu: copies the n host values of the data set to the GPU exactly once and returns the device copy,
// allocated with cudaMalloc. The harness passes the copy to every version, with any number of queries, and
// frees it with cudaFree. Returns nullptr on failure.
float* upload(const float* host_values, std::size_t n);

// Every version writes all of task.answers. Pointers may start at any multiple of 4 bytes, so a wider load
// (float4) must first find an aligned address; do not read or write past the end of any array. A version must
// work every time it is called, frees what it allocates, and returns no error.

// CPU versions: all pointers point to host memory. Return when the answers are written.
using knn_host_fn = void(Classification task);

knn_host_fn k01_sequential;
knn_host_fn k02_threaded;

// MPI versions: the harness calls MPI_Init, then your function on every rank, then MPI_Finalize. Rank 0 gets
// the task, and its answers count; on the other ranks every pointer is nullptr and every number 0, so rank 0
// must send them what they need.
knn_host_fn k03_mpi;

// GPU versions: all pointers point to device memory.
//   stream  queue all kernels, copies and memsets on this stream, then return. The caller waits for them.
// A version chooses its own grid and block size. The harness calls cudaGetLastError after every call, then
// waits for the stream.
using knn_fn = void(Classification task, Workspace work, cudaStream_t stream);

knn_fn k04_query_per_thread;
knn_fn k05_tiled_shared;
knn_fn k06_transposed;

// MPI with one GPU per rank: called on every rank, with the rank's GPU as the current device. Rank 0 gets the
// task in the memory of its GPU, and its answers count; on the other ranks every pointer is nullptr and every
// number 0.
knn_fn k07_multi_gpu_mpi;

knn_fn k08_thrust;

// k09_peak is the course's own solution, timed for comparison; you need not write it.
knn_fn k09_peak;

}  // extern "C"

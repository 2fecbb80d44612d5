// The contract of the assignment `knn`: all that your files and the harness agree on. Include it, never copy
// it.
//
// You write one file a version; each file exports the function of its own name: a .cpp file for the CPU, a
// .cu file for the GPU. "Device memory" below is memory that only kernels may read and write: the CPU must
// not follow such a pointer. Sizes count values, not bytes, but for more_bytes.
#pragma once
#include <cstddef>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#else
struct CUstream_st;  // a .cpp file needs no CUDA: it gets no stream
using cudaStream_t = CUstream_st*;
#endif

// Classify each query by the majority of its k nearest rows of the data set.
//
// Distance: the Euclidean one, in single precision: the squares of the differences, summed in any order,
// fused or not; the square root may be taken or left out. (|x|^2 - 2 x y + |y|^2 cancels, half precision and
// TF32 round: their errors are outside of what is accepted, unless the numbers are such that nothing is
// rounded.) Of two rows at the same distance the one with the lower number is nearer. Of two labels with the
// same number of votes the lower label wins.
//
// Values are finite, and so are the squared distances.
struct Classification {
  const float* rows;        // the data set, row after row: value d of row r is rows[r * dims + d]; read only
  const int* labels;        // one a row, from 0 to label_count - 1; read only
  std::size_t row_count;    // 1 at least, below 2^31
  std::size_t dims;         // values of a row, and of a query; 1 at least, 1024 at most
  const float* queries;     // value d of query q is queries[q * dims + d]; read only
  std::size_t query_count;  // any number; 0, too (queries and answers may then be nullptr)
  std::size_t k;            // 1 at least, row_count at most
  int label_count;          // 1 at least
  int* answers;             // to be written: the label of each query; undefined before the call
};

// Device memory for versions on the GPU. The harness owns it; the contents are undefined when your function
// is called, and are not read afterwards. Use what you need, for whatever you like.
struct Workspace {
  float* distances;        // query_count x k
  unsigned* nearest;       // query_count x k: numbers of rows
  int* votes;              // query_count x label_count
  float* turned;           // dims x row_count
  float* row_distances;    // row_count
  unsigned* row_numbers;   // row_count
  void* more;              // 256-byte aligned
  std::size_t more_bytes;  // at least 4096 * query_count + 65536
};

extern "C" {

// upload.cu: copies n host values, those of the data set, to the GPU, once, and returns the device copy, made
// with cudaMalloc. The harness gives it to every version, with as many queries as it likes, and frees it with
// cudaFree. Returns nullptr on failure.
float* upload(const float* host_values, std::size_t n);

// Every version writes all of task.answers, and nothing past its end. Pointers may begin at any multiple of 4
// bytes, so a wider load (float4) must first find an aligned address; past the ends nothing may be read or
// written. A version works each time it is called, gives back what it allocates, and cannot return an error.

// On the CPU: all pointers are to host memory. The answers are there when the function returns.
using knn_host_fn = void(Classification task);

knn_host_fn k01_sequential;
knn_host_fn k02_threaded;

// By MPI: called by every rank, between MPI_Init and MPI_Finalize, which are not yours to call. Rank 0 is
// given the task, and its answers count; on the other ranks every pointer is nullptr and every number 0, so
// that rank 0 must send them what they need.
knn_host_fn k03_mpi;

// On the GPU: all pointers are to device memory.
//   stream  queue kernels, copies and memsets here, and only here; then return. The caller waits for them.
// A version chooses its own grid and block size. The harness asks cudaGetLastError after every call, then
// waits for the stream.
using knn_fn = void(Classification task, Workspace work, cudaStream_t stream);

knn_fn k04_query_per_thread;
knn_fn k05_tiled_shared;
knn_fn k06_transposed;

// By MPI, a GPU a rank: called by every rank, with its own GPU as the current device. Rank 0 is given the
// task in the memory of its GPU, and its answers count; on the other ranks every pointer is nullptr and every
// number 0.
knn_fn k07_multi_gpu_mpi;

knn_fn k08_thrust;

// The course's own, to compare with; you need not write it.
knn_fn k09_peak;

}  // extern "C"

// cuSOLVER: singular values and eigenvalues by one-sided Jacobi rotations (Hestenes): pairs of columns are
// rotated until all are orthogonal. A block processes one matrix, a thread one of the disjoint pairs of a
// round.
#pragma once

#include "warpmark_cuda/solver/block.h"

namespace warpmark_solver {

// Rotates columns p and q: (c p - s conj(phase) q, s p + c conj(phase) q).
template <typename T>
__device__ void turn(T* p, T* q, Index length, Real<T> c, Real<T> s, const T& phase) {
  for (Index i = 0; i < length; ++i) {
    const T own = p[i];
    const T other = multiply(q[i], conjugate(phase));
    p[i] = subtract(scaled(own, c), scaled(other, s));
    q[i] = add(scaled(own, s), scaled(other, c));
  }
}
// Makes two columns orthogonal; returns false if they already are.
template <typename T>
__device__ bool turn_pair(T* p, T* q, Index rows, T* v_p, T* v_q, Index columns, Real<T> tolerance) {
  Real<T> size_p = 0;
  Real<T> size_q = 0;
  T product = convert<T>(Real<T>(0));
  for (Index i = 0; i < rows; ++i) {
    size_p += square(p[i]);
    size_q += square(q[i]);
    product = plus_product(product, conjugate(p[i]), q[i]);
  }
  const Real<T> size = static_cast<Real<T>>(sqrt(square(product)));
  if (!(size > tolerance * static_cast<Real<T>>(sqrt(size_p) * sqrt(size_q)))) return false;
  const Real<T> ratio = (size_q - size_p) / (2 * size);
  const Real<T> root = static_cast<Real<T>>(sqrt(1 + ratio * ratio));
  const Real<T> tangent = ratio >= 0 ? 1 / (ratio + root) : -1 / (root - ratio);
  const Real<T> c = static_cast<Real<T>>(1 / sqrt(1 + tangent * tangent));
  const T phase = scaled(product, 1 / size);
  turn(p, q, rows, c, c * tangent, phase);
  turn(v_p, v_q, columns, c, c * tangent, phase);
  return true;
}

// u: rows x n, v: n x n, both contiguous. Preserves U V^H. Returns the number of sweeps, `sweeps` + 1 if it
// did not converge.
template <typename T>
__device__ int orthogonalise(T* u, Index rows, Index n, T* v, int sweeps, Real<T> tolerance) {
  __shared__ int turned;
  const Index players = n + n % 2;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    __syncthreads();
    if (threadIdx.x == 0) turned = 0;
    __syncthreads();
    for (Index round = 0; round + 1 < players; ++round) {
      for (Index pair = threadIdx.x; pair < players / 2; pair += blockDim.x) {
        const Index a = pair == 0 ? players - 1 : (round + pair) % (players - 1);
        const Index b = (round + players - 1 - pair) % (players - 1);
        const Index p = a < b ? a : b;
        const Index q = a < b ? b : a;
        if (q < n && turn_pair(u + p * rows, u + q * rows, rows, v + p * n, v + q * n, n, tolerance))
          atomicExch(&turned, 1);
      }
      __syncthreads();
    }
    if (turned == 0) return sweep + 1;
  }
  return n < 2 ? 0 : sweeps + 1;
}

// Frobenius norms, computed by one thread: of A V - V W, where u is the shifted A V; and of the off-diagonal
// part of U^H A V.
template <typename T>
__device__ double eigenvalue_residual(const T* u, const T* v, const Real<T>* norms, Index n) {
  double sum = 0;
  for (Index at = 0; at < n * n; ++at) sum += square(subtract(u[at], scaled(v[at], norms[at / n])));
  return sqrt(sum);
}
template <typename T>
__device__ double singular_residual(const T* u, const Real<T>* norms, Index rows, Index n) {
  double sum = 0;
  for (Index p = 0; p < n; ++p) {
    for (Index q = 0; q < n && norms[p] > 0; ++q) {
      T product = convert<T>(Real<T>(0));
      for (Index i = 0; i < rows; ++i)
        product = plus_product(product, conjugate(u[i + p * rows]), u[i + q * rows]);
      if (p != q) sum += square(product) / (static_cast<double>(norms[p]) * norms[p]);
    }
  }
  return sqrt(sum);
}

// norms[j]: norm of column j; order: ranks of the columns, descending or ascending.
template <typename T>
__device__ void order_columns(const T* u, Index rows, Index n, Real<T>* norms, int* order, bool descending) {
  for (Index j = threadIdx.x; j < n; j += blockDim.x) {
    Real<T> sum = 0;
    for (Index i = 0; i < rows; ++i) sum += square(u[i + j * rows]);
    norms[j] = static_cast<Real<T>>(sqrt(sum));
  }
  __syncthreads();
  for (Index j = threadIdx.x; j < n; j += blockDim.x) {
    Index rank = 0;
    for (Index k = 0; k < n; ++k) {
      // NaN counts as the largest, so that ranks are unique.
      const bool larger = norms[j] == norms[j] && !(norms[k] <= norms[j]);
      const bool smaller = norms[k] == norms[k] && !(norms[k] >= norms[j]);
      if (descending ? larger : smaller)
        ++rank;
      else if (!larger && !smaller && k < j)
        ++rank;
    }
    order[rank] = static_cast<int>(j);
  }
  __syncthreads();
}

// Workspace per matrix, in elements of T.
inline Index singular_work(Index m, Index n) {
  const Index rows = m > n ? m : n;
  const Index columns = m > n ? n : m;
  return rows * columns + columns * columns + 2 * columns + 3 * rows;
}
inline Index symmetric_work(Index n) {
  return 2 * n * n + 2 * n;
}

// Destination of the vectors: as columns, or as rows of the conjugate transpose.
template <typename T>
struct Vectors {
  Matrices<T> matrices;
  Index columns;  // 0 if not requested
  bool adjoint;
};

// Completes column j of an array of orthonormal columns: projects all unit vectors and takes the one with the
// largest remainder. space: 3 * rows elements.
template <typename T>
__device__ void complete(const OrAdjoint<T>& q, Index rows, Index j, T* space) {
  __shared__ Index best;
  __shared__ Real<T> size;
  T* rest = space;
  T* products = space + rows;
  Real<T>* room = reinterpret_cast<Real<T>*>(space + 2 * rows);
  for (Index i = threadIdx.x; i < rows; i += blockDim.x) {
    room[i] = 1;
    for (Index c = 0; c < j; ++c) room[i] -= square(q.get(i, c));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    best = 0;
    for (Index i = 1; i < rows; ++i) {
      if (room[i] > room[best]) best = i;
    }
  }
  __syncthreads();
  for (Index i = threadIdx.x; i < rows; i += blockDim.x) rest[i] = convert<T>(Real<T>(i == best ? 1 : 0));
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    for (Index c = threadIdx.x; c < j; c += blockDim.x) {
      T sum = convert<T>(Real<T>(0));
      for (Index i = 0; i < rows; ++i) sum = plus_product(sum, conjugate(q.get(i, c)), rest[i]);
      products[c] = sum;
    }
    __syncthreads();
    for (Index i = threadIdx.x; i < rows; i += blockDim.x) {
      for (Index c = 0; c < j; ++c) rest[i] = minus_product(rest[i], q.get(i, c), products[c]);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    Real<T> sum = 0;
    for (Index i = 0; i < rows; ++i) sum += square(rest[i]);
    size = static_cast<Real<T>>(sqrt(sum));
  }
  __syncthreads();
  for (Index i = threadIdx.x; i < rows; i += blockDim.x) q.set(i, j, scaled(rest[i], 1 / size));
  __syncthreads();
}

// A = U S V^H. A wide matrix is processed as its conjugate transpose.
template <typename T>
struct SingularValues {
  Matrices<T> matrices;
  Index m;
  Index n;
  Real<T>* values;
  Index value_stride;
  Vectors<T> left;
  Vectors<T> right;
  T* work;
  Index work_stride;
  int* info;
  int sweeps;
  Real<T> tolerance;
  double* seen;     // null, or receives the first matrix's sweeps and residual
  Index rank = -1;  // number of largest values to return; -1: all
  __device__ void operator()(Index block) {
    const bool wide = m < n;
    const OrAdjoint<const T> given{matrices.of(block), matrices.leading, wide};
    const Index rows = wide ? n : m;
    const Index columns = wide ? m : n;
    T* u = work + block * work_stride;
    T* v = u + rows * columns;
    Real<T>* norms = reinterpret_cast<Real<T>*>(v + columns * columns);
    int* order = reinterpret_cast<int*>(v + columns * columns + columns);
    T* space = v + columns * columns + 2 * columns;
    for (Index at = threadIdx.x; at < rows * columns; at += blockDim.x) {
      const Index i = at % rows;
      const Index j = at / rows;
      u[at] = given.get(i, j);
    }
    for (Index at = threadIdx.x; at < columns * columns; at += blockDim.x)
      v[at] = convert<T>(Real<T>(at % columns == at / columns ? 1 : 0));
    __syncthreads();
    const int made = orthogonalise(u, rows, columns, v, sweeps, tolerance);
    if (threadIdx.x == 0) info[block] = made <= sweeps ? 0 : static_cast<int>(columns) + 1;
    order_columns(u, rows, columns, norms, order, true);
    if (seen != nullptr && block == 0 && threadIdx.x == 0) {
      seen[0] = made;
      seen[1] = singular_residual(u, norms, rows, columns);
    }
    Real<T>* own_values = values + block * value_stride;
    const Index stored = rank < 0 || rank > columns ? columns : rank;
    for (Index j = threadIdx.x; j < stored; j += blockDim.x) own_values[j] = norms[order[j]];
    const Vectors<T>& tall = wide ? right : left;
    const Vectors<T>& small = wide ? left : right;
    if (small.columns > 0) {
      const OrAdjoint<T> to{small.matrices.of(block), small.matrices.leading, small.adjoint};
      for (Index at = threadIdx.x; at < columns * stored; at += blockDim.x)
        to.set(at % columns, at / columns, v[at % columns + order[at / columns] * columns]);
    }
    if (tall.columns == 0) return;
    const OrAdjoint<T> to{tall.matrices.of(block), tall.matrices.leading, tall.adjoint};
    const Real<T> least = norms[order[0]] * kPrecision<T> * static_cast<Real<T>>(rows);
    Index known = 0;
    while (known < stored && norms[order[known]] > least) ++known;
    for (Index at = threadIdx.x; at < rows * known; at += blockDim.x) {
      const Index from = order[at / rows];
      to.set(at % rows, at / rows, scaled(u[at % rows + from * rows], 1 / norms[from]));
    }
    __syncthreads();
    for (Index j = known; j < tall.columns; ++j) complete(to, rows, j, space);
  }
};

// A = V W V^H, from the singular values of A + c I, which is positive definite. V overwrites A if vectors are
// requested.
template <typename T>
struct Eigenvalues {
  Matrices<T> matrices;
  Index n;
  bool upper;
  bool vectors;
  Real<T>* values;
  Index value_stride;
  T* work;
  Index work_stride;
  int* info;
  int sweeps;
  Real<T> tolerance;
  double* seen;  // null, or receives the first matrix's sweeps and residual
  __device__ void operator()(Index block) {
    __shared__ Real<T> shift;
    const Lower<T> lower{matrices.of(block), matrices.leading, upper};
    T* u = work + block * work_stride;
    T* v = u + n * n;
    Real<T>* norms = reinterpret_cast<Real<T>*>(v + n * n);
    int* order = reinterpret_cast<int*>(v + n * n + n);
    for (Index at = threadIdx.x; at < n * n; at += blockDim.x) {
      const Index i = at % n;
      const Index j = at / n;
      u[at] = i == j  ? convert<T>(real_part(lower.get(i, i)))
              : i > j ? lower.get(i, j)
                      : conjugate(lower.get(j, i));
      v[at] = convert<T>(Real<T>(i == j ? 1 : 0));
    }
    __syncthreads();
    for (Index j = threadIdx.x; j < n; j += blockDim.x) {
      norms[j] = 0;
      for (Index i = 0; i < n; ++i) norms[j] += static_cast<Real<T>>(sqrt(square(u[i + j * n])));
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      shift = 0;
      for (Index j = 0; j < n; ++j) shift = norms[j] > shift ? norms[j] : shift;
      shift *= Real<T>(1.125);  // above the largest eigenvalue
    }
    __syncthreads();
    for (Index j = threadIdx.x; j < n; j += blockDim.x) u[j + j * n] = add(u[j + j * n], convert<T>(shift));
    __syncthreads();
    const int made = orthogonalise(u, n, n, v, sweeps, tolerance);
    if (threadIdx.x == 0) info[block] = made <= sweeps ? 0 : static_cast<int>(n) + 1;
    order_columns(u, n, n, norms, order, false);
    if (seen != nullptr && block == 0 && threadIdx.x == 0) {
      seen[0] = made;
      seen[1] = eigenvalue_residual(u, v, norms, n);
    }
    Real<T>* own_values = values + block * value_stride;
    for (Index j = threadIdx.x; j < n; j += blockDim.x) own_values[j] = norms[order[j]] - shift;
    if (!vectors) return;
    T* a = matrices.of(block);
    for (Index at = threadIdx.x; at < n * n; at += blockDim.x)
      a[at % n + at / n * matrices.leading] = v[at % n + order[at / n] * n];
  }
};

}  // namespace warpmark_solver

// cuSOLVER: eigenvalues of a general matrix in complex arithmetic: rotations reduce it to Hessenberg form,
// shifted QR steps to Schur form, and eigenvectors follow by back substitution. A block processes the matrix,
// each thread a row or column.
#pragma once

#include "warpmark_cuda/solver/block.h"

namespace warpmark_solver {

template <typename R>
using ComplexOf = std::conditional_t<sizeof(R) == 4, cuComplex, cuDoubleComplex>;

template <typename C>
__device__ Real<C> length_of(const C& a) {
  return static_cast<Real<C>>(sqrt(square(a)));
}
template <typename C>
__device__ C root_of(const C& a) {
  const auto half_root = [](Real<C> twice) -> Real<C> {
    return twice > 0 ? static_cast<Real<C>>(sqrt(twice / 2)) : 0;
  };
  const Real<C> size = length_of(a);
  const Real<C> imaginary = half_root(size - a.x);
  return {half_root(size + a.x), a.y < 0 ? -imaginary : imaginary};
}

// Maps (a, b) to (c a + s b, c b - conj(s) a); the second is 0 for the pair that the rotation was made from.
template <typename C>
struct Rotation {
  Real<C> c;
  C s;
  __device__ void turn(C& a, C& b) const {
    const C before = a;
    a = add(scaled(a, c), multiply(s, b));
    b = subtract(scaled(b, c), multiply(conjugate(s), before));
  }
};
template <typename C>
__device__ Rotation<C> rotation_of(const C& a, const C& b) {
  const Real<C> of_a = length_of(a);
  const Real<C> of_b = length_of(b);
  if (of_b == 0) return {1, C{0, 0}};
  if (of_a == 0) return {0, scaled(conjugate(b), 1 / of_b)};
  const Real<C> larger = of_a > of_b ? of_a : of_b;
  const Real<C> x = of_a / larger;
  const Real<C> y = of_b / larger;
  const Real<C> size = larger * static_cast<Real<C>>(sqrt(x * x + y * y));
  return {of_a / size, scaled(multiply(scaled(a, 1 / of_a), conjugate(b)), 1 / size)};
}

// H = Z T Z^H; both n x n, contiguous. turns: space for n rotations.
template <typename C>
struct Schur {
  C* h;
  C* z;
  Rotation<C>* turns;
  Index n;

  __device__ C& at(Index i, Index j) const { return h[i + j * n]; }
  // Rotates rows p and p + 1, from a column on; then the columns, and those of Z, by the inverse.
  __device__ void turn_rows(const Rotation<C>& turn, Index p, Index begin) const {
    for (Index j = begin + threadIdx.x; j < n; j += blockDim.x) turn.turn(at(p, j), at(p + 1, j));
  }
  __device__ void turn_columns(Index begin, Index end) const {
    for (Index i = threadIdx.x; i < 2 * n; i += blockDim.x) {
      C* row = i < n ? h + i : z + (i - n);
      for (Index p = begin; p < end; ++p) {
        const Rotation<C> inverse{turns[p].c, conjugate(turns[p].s)};
        inverse.turn(row[p * n], row[(p + 1) * n]);
      }
    }
  }
  __device__ void make_hessenberg() const {
    for (Index k = 0; k + 2 < n; ++k) {
      for (Index p = n - 2; p > k; --p) {
        if (threadIdx.x == 0) turns[p] = rotation_of(at(p, k), at(p + 1, k));
        __syncthreads();
        turn_rows(turns[p], p, k);
        __syncthreads();
        if (threadIdx.x == 0) at(p + 1, k) = C{0, 0};
        turn_columns(p, p + 1);
        __syncthreads();
      }
    }
  }
  // The Wilkinson shift: the eigenvalue of the trailing 2 x 2 block that is closer to its last element. Every
  // tenth try uses an exceptional shift, to break cycles.
  __device__ C shift_of(Index low, Index high, int tries) const {
    if (tries % 10 == 9)
      return {length_of(at(high, high - 1)) + (high > low + 1 ? length_of(at(high - 1, high - 2)) : 0), 0};
    const C d = at(high, high);
    const C half = scaled(subtract(at(high - 1, high - 1), d), Real<C>(0.5));
    const C product = multiply(at(high - 1, high), at(high, high - 1));
    const C root = root_of(add(multiply(half, half), product));
    const C plus = add(half, root);
    const C minus = subtract(half, root);
    const C larger = square(plus) > square(minus) ? plus : minus;
    return is_zero(larger) ? d : subtract(d, divide(product, larger));
  }
  __device__ void step(Index low, Index high, const C& shift) const {
    for (Index i = low + threadIdx.x; i <= high; i += blockDim.x) at(i, i) = subtract(at(i, i), shift);
    __syncthreads();
    for (Index p = low; p < high; ++p) {
      if (threadIdx.x == 0) turns[p] = rotation_of(at(p, p), at(p + 1, p));
      __syncthreads();
      turn_rows(turns[p], p, p);
      __syncthreads();
    }
    turn_columns(low, high);
    __syncthreads();
    for (Index i = low + threadIdx.x; i <= high; i += blockDim.x) at(i, i) = add(at(i, i), shift);
    __syncthreads();
  }
  // Returns how many eigenvalues, counted from the first, did not converge; 0 on success.
  __device__ Index make_triangular() const {
    __shared__ Index low;
    __shared__ C shift;
    int tries = 0;
    for (Index high = n - 1; high > 0;) {
      if (threadIdx.x == 0) {
        low = high;
        while (low > 0) {
          const Real<C> beside = length_of(at(low, low)) + length_of(at(low - 1, low - 1));
          if (!(length_of(at(low, low - 1)) > kPrecision<C> * beside)) break;
          --low;
        }
        if (low > 0) at(low, low - 1) = C{0, 0};
        shift = low < high ? shift_of(low, high, tries) : C{0, 0};
      }
      __syncthreads();
      const Index begin = low;
      const C by = shift;
      __syncthreads();
      if (begin == high) {
        --high;
        tries = 0;
        continue;
      }
      if (++tries > 100) return high + 1;
      step(begin, high, by);
    }
    return 0;
  }

  // Computes eigenvector k, of length 1 and with a real largest element. y: space for n numbers.
  __device__ void vector_of(Index k, C* y, C* result) const {
    Real<C> largest = 0;
    for (Index i = 0; i <= k; ++i) {
      const Real<C> size = length_of(at(i, k));
      largest = size > largest ? size : largest;
    }
    y[k] = C{1, 0};
    for (Index i = k; i-- > 0;) {
      C sum{0, 0};
      for (Index j = i + 1; j <= k; ++j) sum = plus_product(sum, at(i, j), y[j]);
      C below = subtract(at(k, k), at(i, i));
      const Real<C> least = kPrecision<C> * (largest > 0 ? largest : 1);
      if (length_of(below) < least) below = C{least, 0};
      y[i] = divide(sum, below);
      // The vector's scale is free: it is rescaled when an element grows, before squares can overflow.
      const Real<C> size = length_of(y[i]);
      if (size > (sizeof(Real<C>) == 4 ? Real<C>(1e10) : Real<C>(1e100))) {
        for (Index j = i; j <= k; ++j) y[j] = scaled(y[j], 1 / size);
      }
    }
    Real<C> squares = 0;
    C top{0, 0};
    for (Index i = 0; i < n; ++i) {
      C sum{0, 0};
      for (Index j = 0; j <= k; ++j) sum = plus_product(sum, z[i + j * n], y[j]);
      result[i] = sum;
      squares += square(sum);
      if (square(sum) > square(top)) top = sum;
    }
    const C factor = scaled(conjugate(top), 1 / (length_of(top) * static_cast<Real<C>>(sqrt(squares))));
    for (Index i = 0; i < n; ++i) result[i] = multiply(result[i], factor);
  }
};

// An eigenvalue of a real matrix: real, or the first (positive imaginary part) or second of a conjugate pair.
enum class Member { alone, first, second };

// Groups the diagonal of T into conjugate pairs. from[k]: index of the eigenvalue, and vector, for place k.
template <typename C>
__device__ void pair_up(const Schur<C>& schur, C* w, Index* from, Member* members, bool* used) {
  const Index n = schur.n;
  for (Index i = 0; i < n; ++i) used[i] = false;
  Index place = 0;
  for (Index i = 0; i < n; ++i) {
    if (used[i]) continue;
    used[i] = true;
    const C own = schur.at(i, i);
    Index partner = -1;
    Real<C> nearest = 2 * (own.y < 0 ? -own.y : own.y);  // distance from its own conjugate
    for (Index j = i + 1; j < n; ++j) {
      const Real<C> distance = length_of(subtract(schur.at(j, j), conjugate(own)));
      if (used[j] || !(distance < nearest)) continue;
      nearest = distance;
      partner = j;
    }
    if (partner < 0) {
      w[place] = C{own.x, 0};
      from[place] = i;
      members[place++] = Member::alone;
      continue;
    }
    used[partner] = true;
    const C mean = scaled(add(own, conjugate(schur.at(partner, partner))), Real<C>(0.5));
    const C upper = mean.y > 0 ? mean : conjugate(mean);
    w[place] = upper;
    w[place + 1] = conjugate(upper);
    from[place] = from[place + 1] = mean.y > 0 ? i : partner;
    members[place++] = Member::first;
    members[place++] = Member::second;
  }
}

}  // namespace warpmark_solver

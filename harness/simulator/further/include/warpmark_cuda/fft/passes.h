// cuFFT: the kernels. A transform is a sequence of out-of-place passes; each splits off one factor of the
// length and keeps the elements in natural order (Stockham).
#pragma once

#include "warpmark_cuda/blas/numbers.h"
#include "warpmark_cuda/fft/types.h"

namespace warpmark_fft {

using warpmark_blas::multiply_add;
using warpmark_blas::Real;

// Uses explicit FMAs, so that all optimisation levels round alike.
template <typename C>
__device__ __forceinline__ C times(const C& a, const C& b) {
  return C{multiply_add(a.x, b.x, -(a.y * b.y)), multiply_add(a.x, b.y, a.y * b.x)};
}
// a * b, or a * conj(b) if sign is -1.
template <typename C>
__device__ __forceinline__ C turned(const C& a, const C& b, Real<C> sign) {
  return times(a, C{b.x, sign * b.y});
}

template <typename C>
struct Roots {
  C* roots;
  Index count;
  __device__ void operator()(Index k) {
    const double part = -2.0 * static_cast<double>(k) / static_cast<double>(count);
    roots[k] = C{static_cast<Real<C>>(cospi(part)), static_cast<Real<C>>(sinpi(part))};
  }
};

// Bluestein's chirp, and the filter in the time domain: the conjugate chirp, symmetric around 0.
template <typename C>
struct Chirp {
  C* chirp;
  C* filter;
  Index size;
  Index padded;
  __device__ void operator()(Index k) {
    const Index distance = k < size ? k : padded - k;
    C value{0, 0};
    if (distance < size) {
      const double part = -static_cast<double>(distance * distance % (2 * size)) / static_cast<double>(size);
      value = C{static_cast<Real<C>>(cospi(part)), static_cast<Real<C>>(sinpi(part))};
    }
    if (k < size) chirp[k] = value;
    filter[k] = C{value.x, -value.y};
  }
};

// Parameters common to the passes of one dimension. Work item i of a pass is decomposed into (line, part,
// index within the finished factors, inner).
// inner).
template <typename C>
struct Pass {
  const C* from;
  C* to;
  const C* roots;
  Index size;
  Index inner;
  Index finished;  // product of the factors that earlier passes split off
  Real<C> sign;    // 1: forward, -1: inverse
};

template <typename C>
struct RadixFour {
  Pass<C> pass;
  __device__ void operator()(Index i) {
    const Index inner = pass.inner;
    const Index finished = pass.finished;
    const Index parts = pass.size / (4 * finished);
    const Index at = i % inner;
    Index rest = i / inner;
    const Index q = rest % finished;
    rest /= finished;
    const Index p = rest % parts;
    const Index line = rest / parts * pass.size;
    const C* source = pass.from + (line + q + finished * p) * inner + at;
    const Index step = finished * parts * inner;
    const C a = source[0];
    const C b = source[step];
    const C c = source[2 * step];
    const C d = source[3 * step];
    const C even = C{a.x + c.x, a.y + c.y};
    const C odd = C{a.x - c.x, a.y - c.y};
    const C sum = C{b.x + d.x, b.y + d.y};
    const C turn = C{pass.sign * (b.y - d.y), pass.sign * (d.x - b.x)};  // -+i (b - d)
    C* target = pass.to + (line + q + finished * 4 * p) * inner + at;
    const Index apart = finished * inner;
    const Index root = p * finished;
    target[0] = C{even.x + sum.x, even.y + sum.y};
    target[apart] = turned(C{odd.x + turn.x, odd.y + turn.y}, pass.roots[root], pass.sign);
    target[2 * apart] = turned(C{even.x - sum.x, even.y - sum.y}, pass.roots[2 * root], pass.sign);
    target[3 * apart] = turned(C{odd.x - turn.x, odd.y - turn.y}, pass.roots[3 * root], pass.sign);
  }
};

// Any radix: a thread computes one element.
template <typename C>
struct AnyRadix {
  Pass<C> pass;
  Index radix;
  __device__ void operator()(Index i) {
    const Index inner = pass.inner;
    const Index finished = pass.finished;
    const Index parts = pass.size / (radix * finished);
    const Index at = i % inner;
    Index rest = i / inner;
    const Index q = rest % finished;
    rest /= finished;
    const Index u = rest % radix;
    rest /= radix;
    const Index p = rest % parts;
    const Index line = rest / parts * pass.size;
    const Index step = finished * parts * inner;
    const Index part = pass.size / radix;
    const C* source = pass.from + (line + q + finished * p) * inner + at;
    C sum = source[0];
    Index turn = 0;
    for (Index t = 1; t < radix; ++t) {
      turn += u;
      if (turn >= radix) turn -= radix;
      const C term = turned(source[t * step], pass.roots[turn * part], pass.sign);
      sum = C{sum.x + term.x, sum.y + term.y};
    }
    pass.to[(line + q + finished * (radix * p + u)) * inner + at] =
        turned(sum, pass.roots[p * u * finished], pass.sign);
  }
};

// Multiplies a line of `size` elements by the chirp and pads it to `padded` contiguous elements.
template <typename C>
struct Pad {
  const C* from;
  C* to;
  const C* chirp;
  Index size;
  Index inner;
  Index padded;
  Real<C> sign;
  __device__ void operator()(Index i) {
    const Index k = i % padded;
    const Index line = i / padded;
    to[i] =
        k < size ? turned(from[(line / inner * size + k) * inner + line % inner], chirp[k], sign) : C{0, 0};
  }
};
// Multiplies by the filter's spectrum. The filter is symmetric, so its conjugate has the conjugate spectrum.
template <typename C>
struct Filter {
  C* data;
  const C* spectrum;
  Index padded;
  Real<C> sign;
  __device__ void operator()(Index i) { data[i] = turned(data[i], spectrum[i % padded], sign); }
};
template <typename C>
struct Unpad {
  const C* from;
  C* to;
  const C* chirp;
  Index size;
  Index inner;
  Index padded;
  Real<C> sign;
  __device__ void operator()(Index i) {
    const Index at = i % inner;
    const Index k = i / inner % size;
    const Index line = i / (inner * size) * inner + at;
    const C value = turned(from[line * padded + k], chirp[k], sign);
    const Real<C> scale = Real<C>(1) / static_cast<Real<C>>(padded);
    to[i] = C{value.x * scale, value.y * scale};
  }
};

// Coordinates of position i in a batch of n0 x n1 x n2 arrays.
struct Place {
  Index batch, x0, x1, x2;
};
struct Shape {
  Index n0, n1, n2;
  __device__ __forceinline__ Place place(Index i) const {
    Place place;
    place.x2 = i % n2;
    i /= n2;
    place.x1 = i % n1;
    i /= n1;
    place.x0 = i % n0;
    place.batch = i / n0;
    return place;
  }
};

// Loads complex or real elements from the program's array.
template <typename C, typename T>
struct Load {
  const T* from;
  C* to;
  Layout layout;
  Shape shape;
  __device__ void operator()(Index i) {
    const Place p = shape.place(i);
    const T& value = from[layout.at(p.batch, p.x0, p.x1, p.x2)];
    if constexpr (std::is_same_v<C, T>)
      to[i] = value;
    else
      to[i] = C{value, 0};
  }
};
// Loads a Hermitian array of which half is stored; the other half follows by symmetry.
template <typename C>
struct LoadHalf {
  const C* from;
  C* to;
  Layout layout;
  Shape shape;
  __device__ void operator()(Index i) {
    Place p = shape.place(i);
    const bool stored = p.x2 <= shape.n2 / 2;
    if (!stored) {
      p.x0 = p.x0 == 0 ? 0 : shape.n0 - p.x0;
      p.x1 = p.x1 == 0 ? 0 : shape.n1 - p.x1;
      p.x2 = shape.n2 - p.x2;
    }
    const C value = from[layout.at(p.batch, p.x0, p.x1, p.x2)];
    to[i] = C{value.x, stored ? value.y : -value.y};
  }
};
// Stores to the program's array; `stored` is the size of its last dimension, in an array with n2.
template <typename C, typename T>
struct Store {
  const C* from;
  T* to;
  Layout layout;
  Shape stored;
  Index n2;
  __device__ void operator()(Index i) {
    const Place p = stored.place(i);
    const C& value = from[((p.batch * stored.n0 + p.x0) * stored.n1 + p.x1) * n2 + p.x2];
    T& target = to[layout.at(p.batch, p.x0, p.x1, p.x2)];
    if constexpr (std::is_same_v<C, T>)
      target = value;
    else
      target = value.x;
  }
};

}  // namespace warpmark_fft

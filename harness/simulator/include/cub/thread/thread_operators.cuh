// CUB's functors for reductions and scans (Sum, Max, ...).
#pragma once

#include "cub/util_type.cuh"
#include "warpmark_cuda/algorithms/reduce.h"

namespace cub {

struct Equality : warpmark_lib::Equal {};
struct Sum : warpmark_lib::Plus {};
struct Inequality {
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH bool operator()(const A& a, const B& b) const {
    return a != b;
  }
};
template <typename Comparison>
struct InequalityWrapper {
  Comparison equal;
  __host__ WARPMARK_LOOK_THROUGH explicit InequalityWrapper(Comparison comparison) : equal(comparison) {}
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH bool operator()(const A& a, const B& b) const {
    return !equal(a, b);
  }
};
struct Difference {
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH auto operator()(const A& a, const B& b) const {
    return a - b;
  }
};
struct Division {
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH auto operator()(const A& a, const B& b) const {
    return a / b;
  }
};
struct Max {
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    return b < a ? b : a;
  }
};
struct ArgMax {
  template <typename Pair>
  __host__ WARPMARK_LOOK_THROUGH Pair operator()(const Pair& a, const Pair& b) const {
    return warpmark_lib::ArgMaxOf<Pair>()(a, b);
  }
};
struct ArgMin {
  template <typename Pair>
  __host__ WARPMARK_LOOK_THROUGH Pair operator()(const Pair& a, const Pair& b) const {
    return warpmark_lib::ArgMinOf<Pair>()(a, b);
  }
};
template <typename To>
struct CastOp {
  template <typename From>
  __host__ WARPMARK_LOOK_THROUGH To operator()(From&& value) const {
    return static_cast<To>(value);
  }
};
template <typename Operation>
struct SwizzleScanOp {
  Operation operation;
  __host__ WARPMARK_LOOK_THROUGH explicit SwizzleScanOp(Operation of) : operation(of) {}
  template <typename T>
  __host__ WARPMARK_LOOK_THROUGH T operator()(const T& a, const T& b) {
    return operation(b, a);
  }
};
template <typename Operation>
struct ReduceBySegmentOp {
  Operation op;
  __host__ WARPMARK_LOOK_THROUGH ReduceBySegmentOp() {}
  __host__ WARPMARK_LOOK_THROUGH explicit ReduceBySegmentOp(Operation of) : op(of) {}
  template <typename Pair>
  __host__ WARPMARK_LOOK_THROUGH Pair operator()(const Pair& a, const Pair& b) {
    return {a.key + b.key, b.key ? b.value : op(a.value, b.value)};
  }
};
template <typename Operation>
struct ReduceByKeyOp {
  Operation op;
  __host__ WARPMARK_LOOK_THROUGH ReduceByKeyOp() {}
  __host__ WARPMARK_LOOK_THROUGH explicit ReduceByKeyOp(Operation of) : op(of) {}
  template <typename Pair>
  __host__ WARPMARK_LOOK_THROUGH Pair operator()(const Pair& a, const Pair& b) {
    return {b.key, a.key == b.key ? op(a.value, b.value) : b.value};
  }
};

}  // namespace cub

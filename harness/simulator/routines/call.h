// A call of a cuBLAS or cuSOLVER routine, with host copies of its operands. The device process has checked
// the operands' addresses; this class checks that the sizes given in the call fit the operands, because both
// come from the program under test.
#pragma once

#include <algorithm>
#include <climits>
#include <complex>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include <warpmark_cuda/host/library_call.h>

namespace warpmark {

template <class T>
struct RealOf {
  using Type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using Type = R;
};
template <class T>
using Real = typename RealOf<T>::Type;
template <class T>
using Complex = std::complex<Real<T>>;
template <class T>
constexpr bool kIsComplex = !std::is_same_v<T, Real<T>>;

struct Unfit {};  // thrown if a call's sizes or indices do not fit its operands

inline void require(bool fits) {
  if (!fits) throw Unfit();
}

template <class T>
struct Matrix {
  T* data;
  int leading;
  T& at(int i, int j) const { return data[i + static_cast<std::size_t>(j) * leading]; }
};

class Call {
 public:
  Call(const WarpmarkLibraryCall& call, void* const* data) : call_(call), data_(data) {}

  [[nodiscard]] std::string_view name() const { return call_.routine; }
  [[nodiscard]] int size(int i) const {
    require(call_.sizes[i] >= 0 && call_.sizes[i] <= INT_MAX);
    return static_cast<int>(call_.sizes[i]);
  }
  [[nodiscard]] char option(int i) const { return static_cast<char>(size(i)); }
  [[nodiscard]] double number(int i) const { return call_.numbers[i]; }

  [[nodiscard]] const WarpmarkOperand& operand(int i) const {
    require(i < call_.operands);
    return call_.operand[i];
  }
  [[nodiscard]] bool has(int i) const { return i < call_.operands && data_[i] != nullptr; }
  // Returns the host copy of a library call's operand i; throws Unfit if the call lacks that operand.
  [[nodiscard]] void* data(int i) const {
    require(has(i));
    return data_[i];
  }
  [[nodiscard]] int element(int i) const { return call_.operand[i].element; }
  // Returns operand i of a LAPACK call as a dense matrix; throws Unfit if it has fewer rows or columns than
  // given, or another element type than T.
  template <class T>
  [[nodiscard]] Matrix<T> matrix(int i, int rows, int columns = 1) const {
    const WarpmarkOperand& operand = this->operand(i);
    // the host copy of a matrix operand ends at the last element in its triangle or band; only if this is the
    // bottom right element is the copy a whole matrix
    require(operand.rows - operand.columns <= operand.below &&
            operand.columns - operand.rows <= operand.above);
    require(operand.element == sizeof(T) && operand.storage == 'D' && operand.rows >= rows &&
            operand.columns >= columns && operand.leading >= operand.rows && operand.step == 1 &&
            (has(i) || rows == 0 || columns == 0));
    return {static_cast<T*>(data_[i]), static_cast<int>(operand.leading)};
  }
  // Returns operand i of a LAPACK call like matrix(), or a matrix with null data if the call lacks that
  // operand.
  template <class T>
  [[nodiscard]] Matrix<T> optional(int i, int rows, int columns = 1) const {
    return has(i) ? matrix<T>(i, rows, columns) : Matrix<T>{nullptr, std::max(rows, 1)};
  }
  // Stores LAPACK's info code, which cuSOLVER uses unchanged, in the call's last operand, if the call has one
  // for it.
  void give_info(int info) const {
    if (has(call_.operands - 1)) *matrix<int>(call_.operands - 1, 1).data = info;
  }

 private:
  const WarpmarkLibraryCall& call_;
  void* const* data_;
};

template <class T>
T conjugate(const T& x) {
  if constexpr (kIsComplex<T>)
    return std::conj(x);
  else
    return x;
}

// Performs the cuBLAS routine that the call names, on numbers of type T; returns false if the name is
// unknown.
template <class T>
bool perform_blas(const Call& call);

}  // namespace warpmark

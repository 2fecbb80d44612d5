// Implements cuBLAS routines by CBLAS. Operands are first converted to dense column-major matrices of the
// type that the call computes in, with op() (transposition, conjugation) applied. Packed, banded, symmetric
// and triangular routines can therefore share a few implementations.
#include <utility>
#include <vector>

#include <cblas.h>
#include <warpmark_cuda/narrow/narrow_bits.h>

#include "harness/simulator/routines/call.h"

namespace warpmark {
namespace {

// Defines overloads of CBLAS functions for element type T. FACTOR is & if CBLAS takes scalar factors by
// address (complex types), else empty.
#define WARPMARK_CBLAS(L, NL, T, FACTOR)                                                                    \
  inline void gemm(int m, int n, int k, T alpha, const T* a, const T* b, T beta, T* c) {                    \
    cblas_##L##gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, FACTOR alpha, a, std::max(m, 1), b, \
                    std::max(k, 1), FACTOR beta, c, std::max(m, 1));                                        \
  }                                                                                                         \
  inline void trsm(bool left, bool lower, int m, int n, T alpha, const T* a, T* b) {                        \
    cblas_##L##trsm(CblasColMajor, left ? CblasLeft : CblasRight, lower ? CblasLower : CblasUpper,          \
                    CblasNoTrans, CblasNonUnit, m, n, FACTOR alpha, a, std::max(left ? m : n, 1), b,        \
                    std::max(m, 1));                                                                        \
  }                                                                                                         \
  inline Real<T> norm(int n, const T* x) {                                                                  \
    return cblas_##NL##nrm2(n, x, 1);                                                                       \
  }                                                                                                         \
  inline Real<T> sum_of_sizes(int n, const T* x) {                                                          \
    return cblas_##NL##asum(n, x, 1);                                                                       \
  }
WARPMARK_CBLAS(s, s, float, )
WARPMARK_CBLAS(d, d, double, )
WARPMARK_CBLAS(c, sc, std::complex<float>, &)
WARPMARK_CBLAS(z, dz, std::complex<double>, &)
#undef WARPMARK_CBLAS

// Returns element `place` of a BLAS operand's array, converted from the array's run-time element type to T.
template <class T>
T load(const WarpmarkOperand& operand, const void* data, long long place) {
  const auto as = [&](auto type) { return static_cast<const decltype(type)*>(data)[place]; };
  switch (operand.kind) {
    case 'f':
    case 'd':
      if (operand.element == sizeof(T)) return as(T());
      require(operand.element == sizeof(Real<T>));
      return T(as(Real<T>()));
    case 'h':
      return T(static_cast<Real<T>>(warpmark_widen<10, 15>(as(static_cast<unsigned short>(0)))));
    case 'b':
      return T(static_cast<Real<T>>(warpmark_widen<7, 127>(as(static_cast<unsigned short>(0)))));
    default:
      return T(static_cast<Real<T>>(operand.element == 1 ? as(static_cast<signed char>(0)) : as(0)));
  }
}
template <class T>
void store(const WarpmarkOperand& operand, void* data, long long place, const T& value) {
  const auto as = [&](auto type) -> auto& {
    return static_cast<decltype(type)*>(data)[place];
  };
  const Real<T> real = std::real(value);
  switch (operand.kind) {
    case 'f':
    case 'd':
      if (operand.element == sizeof(T))
        as(T()) = value;
      else
        as(Real<T>()) = real;
      return;
    case 'h':
      as(static_cast<unsigned short>(0)) = warpmark_narrow<10, 15>(real);
      return;
    case 'b':
      as(static_cast<unsigned short>(0)) = warpmark_narrow<7, 127>(real);
      return;
    default:
      require(operand.element == sizeof(int));
      as(0) = static_cast<int>(real);
  }
}

// Returns operand i of a BLAS call after checks; throws Unfit if its element type is not supported, if it is
// a batch, if it is not square although its form (symmetric, ...) requires that, or if it is a partly used
// matrix with rows in reversed order.
template <class T>
const WarpmarkOperand& checked(const Call& call, int i) {
  const WarpmarkOperand& of = call.operand(i);
  const auto element = static_cast<std::size_t>(of.element);
  const bool is_own = of.kind == (sizeof(Real<T>) == sizeof(float) ? 'f' : 'd') &&
                      (element == sizeof(T) || element == sizeof(Real<T>));
  require(is_own || ((of.kind == 'h' || of.kind == 'b') && element == 2) ||
          (of.kind == 'i' && (element == 1 || element == sizeof(int))));
  require(of.outer[0] == 1 && of.outer[1] == 1 && (of.form == 'G' || of.rows == of.columns));
  require(of.reversed == 0 || warpmark_uses_all(&of) != 0);
  return of;
}

template <class T>
struct Dense {
  int rows;
  int columns;
  std::vector<T> data;
  Dense(int rows_of, int columns_of)
      : rows(rows_of), columns(columns_of), data(static_cast<std::size_t>(rows_of) * columns_of) {}
  T& at(int i, int j) { return data[i + static_cast<std::size_t>(j) * rows]; }
  [[nodiscard]] int count() const { return static_cast<int>(data.size()); }
};

bool is_used(const WarpmarkOperand& of, int i, int j) {
  return i - j <= of.below && j - i <= of.above;
}
int row_of(const WarpmarkOperand& of, int i) {
  return of.reversed != 0 ? static_cast<int>(of.rows) - 1 - i : i;
}

// Returns the operand as a dense matrix, with its op() (transposition, conjugation) applied and implied
// elements (of symmetric, Hermitian, triangular and banded matrices) filled in. Returns zeros if the call
// passes no data for the operand, which cuBLAS then does not read.
template <class T>
Dense<T> whole(const Call& call, int number) {
  const WarpmarkOperand& of = checked<T>(call, number);
  const auto rows = static_cast<int>(of.rows);
  const auto columns = static_cast<int>(of.columns);
  const bool transposed = of.operation != 'N';
  Dense<T> result(transposed ? columns : rows, transposed ? rows : columns);
  if (!call.has(number)) return result;
  const void* const data = call.data(number);
  const bool mirrored = of.form == 'S' || of.form == 'H';
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      T value{};
      if (is_used(of, i, j)) {
        value = load<T>(of, data, warpmark_place(&of, row_of(of, i), j));
      } else if (mirrored && is_used(of, j, i)) {
        value = load<T>(of, data, warpmark_place(&of, j, i));
        if (of.form == 'H') value = conjugate(value);
      }
      if (of.form == 'U' && i == j) value = T(1);
      if (of.form == 'H' && i == j) value = T(std::real(value));
      (transposed ? result.at(j, i) : result.at(i, j)) = of.operation == 'C' ? conjugate(value) : value;
    }
  }
  return result;
}
// Stores a dense matrix in a BLAS operand's host copy; only the elements that the operand's format has, e.g.
// one triangle or a band.
template <class T>
void put(const Call& call, int number, Dense<T>& value) {
  const WarpmarkOperand& of = checked<T>(call, number);
  require(of.rows == value.rows && of.columns == value.columns);
  for (int j = 0; j < value.columns; ++j) {
    for (int i = 0; i < value.rows; ++i) {
      if (!is_used(of, i, j)) continue;
      const T& element = value.at(i, j);
      store<T>(of, call.data(number), warpmark_place(&of, row_of(of, i), j),
               of.form == 'H' && i == j ? T(std::real(element)) : element);
    }
  }
}

// Returns the scalar factor alpha (i = 0) or beta (i = 1), from device memory if the call passes a pointer to
// it, else from the call itself.
template <class T>
T factor(const Call& call, int i) {
  if (call.has(i)) return load<T>(checked<T>(call, i), call.data(i), 0);
  if constexpr (kIsComplex<T>)
    return T(static_cast<Real<T>>(call.number(2 * i)), static_cast<Real<T>>(call.number(2 * i + 1)));
  else
    return static_cast<T>(call.number(2 * i));
}
// Returns factor * x. Factors 0 and 1 give exactly 0 and x, also if x is infinite or NaN.
template <class T>
T times(const T& factor, const T& x) {
  return factor == T(0) ? T(0) : factor == T(1) ? x : factor * x;
}

// Computes C = alpha A B + beta C. twofold (rank-2k updates): also adds the transpose of the product alpha A
// B (if C is Hermitian, the conjugate transpose).
template <class T>
void multiply(const Call& call) {
  auto a = whole<T>(call, 2);
  auto b = whole<T>(call, 3);
  auto c = whole<T>(call, 4);
  require(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns);
  const bool twofold = call.size(0) != 0;
  require(!twofold || c.rows == c.columns);
  const auto into = [&](Dense<T>& result, const T& beta) {
    gemm(c.rows, c.columns, a.columns, factor<T>(call, 0), a.data.data(), b.data.data(), beta,
         result.data.data());
  };
  if (twofold) {
    Dense<T> product(c.rows, c.columns);
    into(product, T(0));
    const bool hermitian = call.operand(4).form == 'H';
    for (int j = 0; j < c.columns; ++j) {
      for (int i = 0; i < c.rows; ++i) {
        const T other = product.at(j, i);
        c.at(i, j) =
            product.at(i, j) + (hermitian ? conjugate(other) : other) + times(factor<T>(call, 1), c.at(i, j));
      }
    }
  } else {
    into(c, factor<T>(call, 1));
  }
  put(call, 4, c);
}
// Solves a triangular system: computes B = alpha A^-1 B or B = alpha B A^-1.
template <class T>
void solve(const Call& call) {
  const WarpmarkOperand& of = call.operand(2);
  const bool left = call.size(0) != 0;
  auto a = whole<T>(call, 2);
  auto b = whole<T>(call, 3);
  require(a.rows == a.columns && a.rows == (left ? b.rows : b.columns));
  trsm(left, (of.above <= 0) == (of.operation == 'N'), b.rows, b.columns, factor<T>(call, 0), a.data.data(),
       b.data.data());
  put(call, 3, b);
}
// Computes C = alpha A + beta B.
template <class T>
void add(const Call& call) {
  auto a = whole<T>(call, 2);
  auto b = whole<T>(call, 3);
  require(a.rows == b.rows && a.columns == b.columns);
  for (std::size_t i = 0; i < a.data.size(); ++i)
    a.data[i] = times(factor<T>(call, 0), a.data[i]) + times(factor<T>(call, 1), b.data[i]);
  put(call, 4, a);
}
// Computes C = diag(x) A or C = A diag(x).
template <class T>
void dgmm(const Call& call) {
  const bool left = call.size(0) != 0;
  auto a = whole<T>(call, 0);
  auto x = whole<T>(call, 1);
  require(x.count() == (left ? a.rows : a.columns));
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) a.at(i, j) *= x.at(left ? i : j, 0);
  }
  put(call, 2, a);
}

// Computes x = h11 x + h12 y and y = h21 x + h22 y, both from the old x and y.
template <class T>
void rotate(const Call& call, const T& h11, const T& h12, const T& h21, const T& h22) {
  auto x = whole<T>(call, 2);
  auto y = whole<T>(call, 3);
  require(x.count() == y.count());
  for (int i = 0; i < x.count(); ++i) {
    const T before = x.data[i];
    x.data[i] = times(h11, before) + times(h12, y.data[i]);
    y.data[i] = times(h21, before) + times(h22, y.data[i]);
  }
  put(call, 2, x);
  put(call, 3, y);
}
template <class T>
void rot(const Call& call) {
  const T c = factor<T>(call, 0);
  const T s = factor<T>(call, 1);
  rotate<T>(call, c, s, -s, c);
}
// Applies the modified Givens rotation of BLAS's rotm. Its parameters (flag, h11, h21, h12, h22) are in
// operand 0 or in the call itself; the flag says which elements of the matrix are implied to be 0, 1 or -1.
template <class T>
void rotm(const Call& call) {
  T h[5];
  for (int i = 0; i < 5; ++i)
    h[i] = call.has(0) ? call.matrix<T>(0, 5).data[i] : T(static_cast<Real<T>>(call.number(i)));
  if (h[0] == T(-1)) return rotate<T>(call, h[1], h[3], h[2], h[4]);
  if (h[0] == T(0)) return rotate<T>(call, T(1), h[3], h[2], T(1));
  if (h[0] == T(1)) return rotate<T>(call, h[1], T(1), T(-1), h[4]);
}

template <class T>
void nrm2(const Call& call) {
  const auto x = whole<T>(call, 0);
  Dense<T> result(1, 1);
  result.data[0] = T(norm(x.count(), x.data.data()));
  put(call, 1, result);
}
template <class T>
void asum(const Call& call) {
  const auto x = whole<T>(call, 0);
  Dense<T> result(1, 1);
  result.data[0] = T(sum_of_sizes(x.count(), x.data.data()));
  put(call, 1, result);
}
// Stores the 1-based index of the first element of largest or smallest magnitude (|real| + |imaginary|) in
// operand 1; 0 if there are no elements.
template <class T>
void extreme(const Call& call, bool largest) {
  const auto x = whole<T>(call, 0);
  const auto size = [](const T& value) { return std::abs(std::real(value)) + std::abs(std::imag(value)); };
  int place = 0;
  for (int i = 1; i < x.count(); ++i) {
    const auto best = size(x.data[place]);
    if (largest ? size(x.data[i]) > best : size(x.data[i]) < best) place = i;
  }
  const int position = x.count() == 0 ? 0 : place + 1;
  if (call.element(1) == sizeof(int))
    *call.matrix<int>(1, 1).data = position;
  else
    *call.matrix<long long>(1, 1).data = position;
}

}  // namespace

template <class T>
bool perform_blas(const Call& call) {
  using Function = void (*)(const Call&);
  static constexpr auto kAmax = [](const Call& of) { extreme<T>(of, true); };
  static constexpr auto kAmin = [](const Call& of) { extreme<T>(of, false); };
  static constexpr auto kSwap = [](const Call& of) { rotate<T>(of, T(0), T(1), T(1), T(0)); };
  static constexpr std::pair<std::string_view, Function> kRoutines[] = {
      {"gemm", multiply<T>},  {"gemv", multiply<T>},  {"gbmv", multiply<T>},  {"symv", multiply<T>},
      {"hemv", multiply<T>},  {"sbmv", multiply<T>},  {"hbmv", multiply<T>},  {"spmv", multiply<T>},
      {"hpmv", multiply<T>},  {"trmv", multiply<T>},  {"tbmv", multiply<T>},  {"tpmv", multiply<T>},
      {"ger", multiply<T>},   {"geru", multiply<T>},  {"gerc", multiply<T>},  {"syr", multiply<T>},
      {"her", multiply<T>},   {"spr", multiply<T>},   {"hpr", multiply<T>},   {"syr2", multiply<T>},
      {"her2", multiply<T>},  {"spr2", multiply<T>},  {"hpr2", multiply<T>},  {"symm", multiply<T>},
      {"hemm", multiply<T>},  {"trmm", multiply<T>},  {"syrk", multiply<T>},  {"herk", multiply<T>},
      {"syrkx", multiply<T>}, {"herkx", multiply<T>}, {"syr2k", multiply<T>}, {"her2k", multiply<T>},
      {"dot", multiply<T>},   {"trsm", solve<T>},     {"trsv", solve<T>},     {"tbsv", solve<T>},
      {"tpsv", solve<T>},     {"geam", add<T>},       {"axpy", add<T>},       {"scal", add<T>},
      {"copy", add<T>},       {"tpttr", add<T>},      {"trttp", add<T>},      {"dgmm", dgmm<T>},
      {"swap", kSwap},        {"rot", rot<T>},        {"rotm", rotm<T>},      {"nrm2", nrm2<T>},
      {"asum", asum<T>},      {"amax", kAmax},        {"amin", kAmin}};
  for (const auto& [name, function] : kRoutines) {
    if (name != call.name()) continue;
    function(call);
    return true;
  }
  return false;
}
template bool perform_blas<float>(const Call& call);
template bool perform_blas<double>(const Call& call);
template bool perform_blas<std::complex<float>>(const Call& call);
template bool perform_blas<std::complex<double>>(const Call& call);

}  // namespace warpmark

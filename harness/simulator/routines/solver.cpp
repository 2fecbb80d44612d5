// Implements cuSOLVER's dense routines, and cuBLAS's batched factorisations, by LAPACK. Passes other routines
// of cuBLAS on to blas.cpp.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/simulator/routines/call.h"
#include "harness/simulator/routines/lapack.h"

namespace warpmark {
namespace {

template <class T>
void copy(int rows, int columns, const Matrix<T>& from, const Matrix<T>& to) {
  for (int j = 0; rows > 0 && j < columns; ++j) std::copy_n(&from.at(0, j), rows, &to.at(0, j));
}

template <class T>
void potrf(const Call& call) {
  const int n = call.size(0);
  const auto a = call.matrix<T>(0, n, n);
  call.give_info(lapack::potrf(call.option(1), n, a.data, a.leading));
}
template <class T>
void potrs(const Call& call) {
  const int n = call.size(0);
  const auto a = call.matrix<T>(0, n, n);
  const auto b = call.matrix<T>(1, n, call.size(2));
  call.give_info(lapack::potrs(call.option(1), n, call.size(2), a.data, a.leading, b.data, b.leading));
}
template <class T>
void potri(const Call& call) {
  const int n = call.size(0);
  const auto a = call.matrix<T>(0, n, n);
  call.give_info(lapack::potri(call.option(1), n, a.data, a.leading));
}

// LU factorisation without row exchanges, which LAPACK does not have. Returns the 1-based number of the first
// column whose pivot is zero, or 0.
template <class T>
int factor_in_order(int m, int n, const Matrix<T>& a) {
  int info = 0;
  for (int k = 0; k < std::min(m, n); ++k) {
    if (a.at(k, k) == T(0)) {
      info = info == 0 ? k + 1 : info;
      continue;
    }
    for (int i = k + 1; i < m; ++i) a.at(i, k) /= a.at(k, k);
    for (int j = k + 1; j < n; ++j) {
      for (int i = k + 1; i < m; ++i) a.at(i, j) -= a.at(i, k) * a.at(k, j);
    }
  }
  return info;
}
// Stores pivot indices, which have 64 bits in cuSOLVER's functions that take a data type as argument, else
// 32.
void store_pivots(const Call& call, int operand, const std::vector<int>& pivots) {
  const auto count = static_cast<int>(pivots.size());
  if (call.element(operand) == sizeof(int))
    std::ranges::copy(pivots, call.matrix<int>(operand, count).data);
  else
    std::ranges::copy(pivots, call.matrix<long long>(operand, count).data);
}
std::vector<int> pivots_in(const Call& call, int operand, int count) {
  std::vector<int> pivots(count);
  for (int i = 0; i < count; ++i) {
    const long long pivot = !call.has(operand) ? i + 1
                            : call.element(operand) == sizeof(int)
                                ? call.matrix<int>(operand, count).data[i]
                                : call.matrix<long long>(operand, count).data[i];
    require(pivot >= 1 && pivot <= count);
    pivots[i] = static_cast<int>(pivot);
  }
  return pivots;
}
template <class T>
void getrf(const Call& call) {
  const int m = call.size(0);
  const int n = call.size(1);
  const auto a = call.matrix<T>(0, m, n);
  if (!call.has(1)) return call.give_info(factor_in_order(m, n, a));
  std::vector<int> pivots(std::min(m, n));
  call.give_info(lapack::getrf(m, n, a.data, a.leading, pivots.data()));
  store_pivots(call, 1, pivots);
}
template <class T>
void getrs(const Call& call) {
  const int n = call.size(0);
  const auto a = call.matrix<T>(0, n, n);
  const std::vector<int> pivots = pivots_in(call, 1, n);
  const auto b = call.matrix<T>(2, n, call.size(1));
  call.give_info(
      lapack::getrs(call.option(2), n, call.size(1), a.data, a.leading, pivots.data(), b.data, b.leading));
}
// Computes the inverse of a matrix into `of`, from its LU factors `a` and pivots. Returns LAPACK's info code:
// 0, or the 1-based number of the first column whose pivot is zero.
template <class T>
int inverse(const Matrix<T>& a, const std::vector<int>& pivots, const Matrix<T>& of) {
  const auto n = static_cast<int>(pivots.size());
  for (int k = 0; k < n; ++k) {
    if (a.at(k, k) == T(0)) return k + 1;
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) of.at(i, j) = T(i == j ? 1 : 0);
  }
  return lapack::getrs('N', n, n, a.data, a.leading, pivots.data(), of.data, of.leading);
}
template <class T>
void getri(const Call& call) {
  const int n = call.size(0);
  call.give_info(inverse(call.matrix<T>(0, n, n), pivots_in(call, 1, n), call.matrix<T>(2, n, n)));
}
template <class T>
void matinv(const Call& call) {
  const int n = call.size(0);
  const auto a = call.matrix<T>(0, n, n);
  std::vector<int> pivots(n);
  lapack::getrf(n, n, a.data, a.leading, pivots.data());
  call.give_info(inverse(a, pivots, call.matrix<T>(1, n, n)));
}
template <class T>
void gesv(const Call& call) {
  const int n = call.size(0);
  const int columns = call.size(1);
  const auto a = call.matrix<T>(0, n, n);
  const auto b = call.matrix<T>(2, n, columns);
  const auto x = call.matrix<T>(3, n, columns);
  std::vector<int> pivots(n);
  const int info = lapack::getrf(n, n, a.data, a.leading, pivots.data());
  store_pivots(call, 1, pivots);
  copy(n, columns, b, x);
  if (info == 0) lapack::getrs('N', n, columns, a.data, a.leading, pivots.data(), x.data, x.leading);
  call.give_info(info);
}

template <class T>
void geqrf(const Call& call) {
  const int m = call.size(0);
  const int n = call.size(1);
  const auto a = call.matrix<T>(0, m, n);
  call.give_info(lapack::geqrf(m, n, a.data, a.leading, call.matrix<T>(1, std::min(m, n)).data));
}
template <class T>
void orgqr(const Call& call) {
  const int m = call.size(0);
  const int n = call.size(1);
  const int k = call.size(2);
  const auto q = call.matrix<T>(1, m, n);
  copy(m, k, call.matrix<T>(0, m, k), q);
  call.give_info(lapack::orgqr(m, n, k, q.data, q.leading, call.matrix<T>(2, k).data));
}
template <class T>
void ormqr(const Call& call) {
  const int m = call.size(0);
  const int n = call.size(1);
  const int k = call.size(2);
  const auto a = call.matrix<T>(0, call.option(3) == 'L' ? m : n, k);
  const auto c = call.matrix<T>(2, m, n);
  call.give_info(lapack::ormqr(call.option(3), call.option(4), m, n, k, a.data, a.leading,
                               call.matrix<T>(1, k).data, c.data, c.leading));
}
template <class T>
void gels(const Call& call) {
  const int m = call.size(0);
  const int n = call.size(1);
  const int columns = call.size(2);
  const auto a = call.matrix<T>(0, m, n);
  const auto b = call.matrix<T>(1, m, columns);
  call.give_info(lapack::gels(m, n, columns, a.data, a.leading, b.data, b.leading));
  copy(n, columns, b, call.matrix<T>(2, n, columns));
}

// Runs a one-sided Jacobi SVD of the matrix `a`; stores its number of sweeps and its residual in seen[0] and
// seen[1]. The matrix must not have more columns than rows.
template <class T>
void rotate(int m, int n, std::vector<T> a, double* seen) {
  std::vector<Real<T>> values(n);
  std::vector<Real<T>> statistics(8);
  lapack::gesvj(m, n, a.data(), std::max(m, 1), values.data(), statistics.data());
  seen[0] = statistics[3];
  seen[1] = statistics[4];
}

struct Vectors {
  char left;   // LAPACK's jobu, which selects the left singular vectors to compute: 'A', 'S', 'O' or 'N'
  char right;  // LAPACK's jobvt
};
template <class T>
int singular_values(int m, int n, const Matrix<T>& a, Real<T>* s, Vectors vectors, const Matrix<T>& u,
                    const Matrix<T>& vt) {
  if (vectors.left == vectors.right && vectors.left != 'O')
    return lapack::gesdd(vectors.left, m, n, a.data, a.leading, s, u.data, u.leading, vt.data, vt.leading);
  std::vector<Real<T>> rest(std::max({m, n, 1}));
  return lapack::gesvd(vectors.left, vectors.right, m, n, a.data, a.leading, s, u.data, u.leading, vt.data,
                       vt.leading, rest.data());
}
template <class T>
void gesvd(const Call& call) {
  const int m = call.size(0);
  const int n = call.size(1);
  const int values = std::min(m, n);
  const Vectors vectors{call.option(2), call.option(3)};
  const auto columns = [&](char job, int all) { return job == 'A' ? all : job == 'S' ? values : 0; };
  call.give_info(singular_values(m, n, call.matrix<T>(0, m, n), call.matrix<Real<T>>(1, values).data, vectors,
                                 call.optional<T>(2, m, columns(vectors.left, m)),
                                 call.optional<T>(3, columns(vectors.right, n), n)));
}
// Singular value decomposition for gesvdj and gesvda, which return only the first `kept` values and vectors,
// and V instead of V^H.
template <class T>
void gesvdj(const Call& call) {
  const int m = call.size(0);
  const int n = call.size(1);
  const int values = std::min(m, n);
  const int kept = call.size(2);
  const bool economy = call.option(3) == 'S';
  const bool vectors = call.has(2) && call.has(3);
  const auto a = call.matrix<T>(0, m, n);
  const int of_u = economy ? kept : m;
  const int of_v = economy ? kept : n;
  const auto given_u = call.optional<T>(2, m, of_u);
  const auto given_v = call.optional<T>(3, n, of_v);
  require(kept <= values);
  if (call.has(4)) {
    std::vector<T> tall(static_cast<std::size_t>(m) * n);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        const std::size_t at =
            m < n ? j + static_cast<std::size_t>(i) * n : i + static_cast<std::size_t>(j) * m;
        tall[at] = m < n ? conjugate(a.at(i, j)) : a.at(i, j);
      }
    }
    rotate(std::max(m, n), values, std::move(tall), call.matrix<double>(4, 2).data);
  }
  double squares = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) squares += std::norm(a.at(i, j));
  }
  std::vector<Real<T>> s(values);
  const int rows = economy ? values : n;  // rows of V^H that the singular value decomposition computes
  std::vector<T> u(static_cast<std::size_t>(m) * (!vectors ? 0 : economy ? values : m));
  std::vector<T> vt(static_cast<std::size_t>(n) * (vectors ? rows : 0));
  const Matrix<T> left{u.data(), std::max(m, 1)};
  const Matrix<T> right{vt.data(), std::max(rows, 1)};
  const char job = !vectors ? 'N' : economy ? 'S' : 'A';
  call.give_info(singular_values(m, n, a, s.data(), {job, job}, left, right));
  std::copy_n(s.data(), kept, call.matrix<Real<T>>(1, kept).data);
  if (call.has(5)) {
    double of_values = 0;
    for (const double value : s) of_values += value * value;
    *call.matrix<double>(5, 1).data = std::fabs(std::sqrt(squares) - std::sqrt(of_values));
  }
  if (!vectors) return;
  copy(m, of_u, left, given_u);
  for (int j = 0; j < of_v; ++j) {
    for (int i = 0; i < n; ++i) given_v.at(i, j) = conjugate(right.at(j, i));
  }
}

// Computes the eigenvalues of a symmetric or Hermitian matrix, operand 0, of which only one triangle is read.
// Stores the eigenvectors in operand 1, if the call has that operand.
template <class T>
void syevd(const Call& call) {
  const int n = call.size(0);
  const bool lower = call.option(1) == 'L';
  const auto a = call.matrix<T>(0, n, n);
  if (call.has(3)) {
    std::vector<T> whole(static_cast<std::size_t>(n) * n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const bool given = lower ? i >= j : i <= j;
        whole[i + static_cast<std::size_t>(j) * n] = given ? a.at(i, j) : conjugate(a.at(j, i));
      }
    }
    rotate(n, n, std::move(whole), call.matrix<double>(3, 2).data);
  }
  auto* const w = call.matrix<Real<T>>(2, n).data;
  call.give_info(lapack::syevd(call.has(1) ? 'V' : 'N', call.option(1), n, a.data, a.leading, w));
  int first = 0;
  int end = n;
  if (call.option(2) == 'I') {
    first = call.size(3) - 1;
    end = call.size(4);
    require(first >= 0 && first < end && end <= n);
  } else if (call.option(2) == 'V') {
    first = static_cast<int>(std::upper_bound(w, w + n, static_cast<Real<T>>(call.number(0))) - w);
    end = static_cast<int>(std::upper_bound(w, w + n, static_cast<Real<T>>(call.number(1))) - w);
  }
  std::copy(w + first, w + end, w);
  if (call.has(1)) {
    copy(n, n, a, call.matrix<T>(1, n, n));
    copy(n, end - first, {a.data + static_cast<std::size_t>(first) * a.leading, a.leading},
         call.matrix<T>(1, n, n));
  }
  if (call.has(4)) *call.matrix<int>(4, 1).data = end - first;
}
template <class T>
void sygvd(const Call& call) {
  const int n = call.size(0);
  const auto a = call.matrix<T>(0, n, n);
  const auto b = call.matrix<T>(3, n, n);
  call.give_info(lapack::sygvd(call.size(2), call.has(1) ? 'V' : 'N', call.option(1), n, a.data, a.leading,
                               b.data, b.leading, call.matrix<Real<T>>(2, n).data));
  if (call.has(1)) copy(n, n, a, call.matrix<T>(1, n, n));
}

// Computes the eigenvalues of a general matrix; stores them as complex numbers, or as all real parts followed
// by all imaginary parts.
template <class T>
void geev(const Call& call) {
  const int n = call.size(0);
  const auto a = call.matrix<T>(0, n, n);
  const auto vectors = call.optional<T>(2, n, n);
  std::vector<Complex<T>> w(n);
  call.give_info(lapack::geev(n, a.data, a.leading, w.data(), vectors.data, vectors.leading));
  if (call.element(1) == sizeof(Complex<T>)) {
    std::ranges::copy(w, call.matrix<Complex<T>>(1, n).data);
    return;
  }
  auto* const parts = call.matrix<Real<T>>(1, n, 2).data;
  for (int i = 0; i < n; ++i) {
    parts[i] = w[i].real();
    parts[n + i] = w[i].imag();
  }
}

template <class T>
void perform(const Call& call) {
  using Function = void (*)(const Call&);
  static constexpr std::pair<std::string_view, Function> kRoutines[] = {
      {"potrf", potrf<T>},  {"potrs", potrs<T>}, {"potri", potri<T>}, {"getrf", getrf<T>},
      {"getrs", getrs<T>},  {"gesv", gesv<T>},   {"geqrf", geqrf<T>}, {"orgqr", orgqr<T>},
      {"ormqr", ormqr<T>},  {"gels", gels<T>},   {"gesvd", gesvd<T>}, {"gesvdj", gesvdj<T>},
      {"syevd", syevd<T>},  {"sygvd", sygvd<T>}, {"geev", geev<T>},   {"getri", getri<T>},
      {"matinv", matinv<T>}};
  for (const auto& [name, function] : kRoutines) {
    if (name == call.name()) return function(call);
  }
  require(perform_blas<T>(call));
}

}  // namespace
}  // namespace warpmark

// Performs the routine of cuSOLVER or cuBLAS that the call names. Returns false if the routine is unknown or
// its sizes or pivots do not fit the operands; throws std::bad_alloc. `matrices` points to host copies of the
// operands, each of leading dimension times columns elements; null for an operand that the call lacks.
extern "C" [[gnu::visibility("default")]] bool warpmark_perform_routine(const WarpmarkLibraryCall& given,
                                                                        void* const* matrices) {
  const warpmark::Call call(given, matrices);
  try {
    switch (given.type) {
      case 'S':
        warpmark::perform<float>(call);
        return true;
      case 'D':
        warpmark::perform<double>(call);
        return true;
      case 'C':
        warpmark::perform<std::complex<float>>(call);
        return true;
      case 'Z':
        warpmark::perform<std::complex<double>>(call);
        return true;
      default:
        return false;
    }
  } catch (const warpmark::Unfit&) {
    return false;
  }
}

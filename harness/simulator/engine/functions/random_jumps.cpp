#include "harness/simulator/engine/functions/random_jumps.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <vector>

namespace warpmark::simulator::random_jumps {
namespace {

constexpr int kBitsOfCount = 64;

unsigned long long packed(std::uint64_t low, std::uint64_t high) {
  return (high << 32) | (low & 0xffffffffU);
}

// XORWOW's shift register is linear over GF(2): advancing it by n steps applies the polynomial x^n, modulo
// the register's minimal polynomial, to the state.
constexpr int kDegree = 160;
constexpr int kMostXorwow = 67;
using Polynomial = std::bitset<kDegree>;
using Words = std::array<std::uint32_t, 5>;

void step(Words& v) {
  const std::uint32_t t = v[0] ^ (v[0] >> 2);
  for (std::size_t i = 0; i < 4; ++i) v[i] = v[i + 1];
  v[4] = (v[3] ^ (v[3] << 4)) ^ (t ^ (t << 1));
}

// Returns the minimal polynomial of XORWOW's shift register, without the leading term, by the
// Berlekamp-Massey algorithm.
Polynomial minimal_polynomial() {
  constexpr std::size_t kLength = std::size_t{2} * kDegree;
  Words state{1, 2, 3, 4, 5};
  std::vector<bool> bits;
  for (std::size_t i = 0; i < kLength; ++i) {
    step(state);
    bits.push_back((state[4] & 1) != 0);
  }
  using Connection = std::bitset<kLength + 1>;
  Connection connection(1);
  Connection before(1);
  std::size_t length = 0;
  std::size_t shift = 1;
  for (std::size_t n = 0; n < kLength; ++n) {
    bool differs = bits[n];
    for (std::size_t i = 1; i <= length; ++i) differs = differs != (connection[i] && bits[n - i]);
    if (!differs) {
      ++shift;
      continue;
    }
    const Connection old = connection;
    connection ^= before << shift;
    if (2 * length > n) {
      ++shift;
      continue;
    }
    length = n + 1 - length;
    before = old;
    shift = 1;
  }
  // Berlekamp-Massey yields the connection polynomial; the minimal polynomial has its coefficients in reverse
  // order.
  Polynomial polynomial;
  for (std::size_t i = 0; i < kDegree; ++i) polynomial[i] = connection[kDegree - i];
  return polynomial;
}

class XorwowJumps {
 public:
  XorwowJumps() : modulus_(minimal_polynomial()) {
    // Polynomials over GF(2) are bit masks, bit k being the coefficient of x^k: 2 is the polynomial x.
    Polynomial power(2);
    for (Polynomial& each : powers_) {
      each = power;
      power = product(power, power);
    }
  }

  [[nodiscard]] Words after(const Words& state, std::uint64_t steps, int exponent) const {
    Polynomial jump(1);
    for (int bit = 0; bit < kBitsOfCount; ++bit) {
      if ((steps >> bit & 1) != 0) jump = product(jump, powers_.at(static_cast<std::size_t>(exponent + bit)));
    }
    Words at = state;
    Words sum{};
    for (std::size_t i = 0; i < kDegree; ++i, step(at)) {
      if (!jump[i]) continue;
      for (std::size_t word = 0; word < sum.size(); ++word) sum[word] ^= at[word];
    }
    return sum;
  }

 private:
  [[nodiscard]] Polynomial product(const Polynomial& a, Polynomial b) const {
    Polynomial sum;
    for (std::size_t i = 0; i < kDegree; ++i) {
      if (a[i]) sum ^= b;
      const bool carry = b[kDegree - 1];
      b <<= 1;
      if (carry) b ^= modulus_;
    }
    return sum;
  }

  Polynomial modulus_;
  // powers_[k] is x^(2^k) modulo the minimal polynomial of the generator
  std::array<Polynomial, kMostXorwow + kBitsOfCount> powers_;
};

// A step of an MRG32k3a component multiplies its three numbers by a matrix, modulo a prime.
constexpr int kMostMrg = 127;
using Matrix = std::array<std::array<std::uint64_t, 3>, 3>;
constexpr std::uint64_t kModulus1 = 4294967087U;
constexpr std::uint64_t kModulus2 = 4294944443U;
constexpr Matrix kStep1{{{0, 1, 0}, {0, 0, 1}, {kModulus1 - 810728, 1403580, 0}}};
constexpr Matrix kStep2{{{0, 1, 0}, {0, 0, 1}, {kModulus2 - 1370589, 0, 527612}}};

class MrgJumps {
 public:
  MrgJumps(const Matrix& step, std::uint64_t modulus) : modulus_(modulus) {
    Matrix power = step;
    for (Matrix& each : powers_) {
      each = power;
      power = product(power, power);
    }
  }

  [[nodiscard]] std::array<std::uint64_t, 3> after(std::array<std::uint64_t, 3> numbers, std::uint64_t steps,
                                                   int exponent) const {
    for (int bit = 0; bit < kBitsOfCount; ++bit) {
      if ((steps >> bit & 1) == 0) continue;
      const Matrix& power = powers_.at(static_cast<std::size_t>(exponent + bit));
      std::array<std::uint64_t, 3> next{};
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
          next[i] = (next[i] + power[i][k] * numbers[k] % modulus_) % modulus_;
      }
      numbers = next;
    }
    return numbers;
  }

 private:
  [[nodiscard]] Matrix product(const Matrix& a, const Matrix& b) const {
    Matrix c{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) c[i][j] = (c[i][j] + a[i][k] * b[k][j] % modulus_) % modulus_;
      }
    }
    return c;
  }

  std::uint64_t modulus_;
  // powers_[k] is the transition matrix of an MRG32k3a component raised to the power of 2^k, i.e. the matrix
  // that advances the component by 2^k steps.
  std::array<Matrix, kMostMrg + kBitsOfCount> powers_{};
};

}  // namespace

unsigned long long xorwow(int pair, unsigned long long words_0_1, unsigned long long words_2_3,
                          unsigned int word_4, unsigned long long steps, int exponent) {
  static const XorwowJumps jumps;
  const Words state{static_cast<std::uint32_t>(words_0_1), static_cast<std::uint32_t>(words_0_1 >> 32),
                    static_cast<std::uint32_t>(words_2_3), static_cast<std::uint32_t>(words_2_3 >> 32),
                    word_4};
  if (exponent < 0 || exponent > kMostXorwow) return 0;
  const Words after = jumps.after(state, steps, exponent);
  return pair == 0 ? packed(after[0], after[1]) : pair == 1 ? packed(after[2], after[3]) : after[4];
}

unsigned long long mrg32k3a(int component, int pair, unsigned long long numbers_0_1, unsigned int number_2,
                            unsigned long long steps, int exponent) {
  static const MrgJumps first(kStep1, kModulus1);
  static const MrgJumps second(kStep2, kModulus2);
  if (exponent < 0 || exponent > kMostMrg) return 0;
  const auto after = (component == 0 ? first : second)
                         .after({numbers_0_1 & 0xffffffffU, numbers_0_1 >> 32, number_2}, steps, exponent);
  return pair == 0 ? packed(after[0], after[1]) : after[2];
}

}  // namespace warpmark::simulator::random_jumps

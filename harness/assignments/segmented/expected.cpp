// The sums of segments of ints are exact modulo 2^32. Floats are added in double precision.
//
// Sums of whole numbers are exact: the data then keep every partial sum, in every order, below 2^24. Others
// may differ by 8 u sqrt(k sum x^2) for a segment of k values, with u = 2^-24: see `reduction`.
#include <cmath>
#include <type_traits>

#include "segmented.h"

extern "C" segmented_fn expected;
extern "C" void expected(Segments input, value_t* sums, Workspace, cudaStream_t) {
  using Wide = std::conditional_t<std::is_integral_v<value_t>, unsigned, double>;
  for (std::size_t s = 0; s < input.segments; ++s) {
    Wide sum = 0;
    for (std::size_t i = input.offsets[s]; i < input.offsets[s + 1]; ++i)
      sum += static_cast<Wide>(input.values[i]);
    sums[s] = static_cast<value_t>(sum);
  }
}

extern "C" segmented_fn tolerance;
extern "C" void tolerance(Segments input, value_t* sums, Workspace, cudaStream_t) {
  for (std::size_t s = 0; s < input.segments; ++s) {
    double squares = 0;
    bool whole = true;
    for (std::size_t i = input.offsets[s]; i < input.offsets[s + 1]; ++i) {
      const auto value = static_cast<double>(input.values[i]);
      squares += value * value;
      whole = whole && value == std::trunc(value);
    }
    const double count = input.offsets[s + 1] - input.offsets[s];
    sums[s] = whole ? value_t{0} : static_cast<value_t>(8 * 0x1p-24 * std::sqrt(count * squares));
  }
}

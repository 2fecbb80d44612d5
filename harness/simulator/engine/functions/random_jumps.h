// Jump-ahead for two random number generators, in far fewer operations than single steps in a kernel: XORWOW
// (Marsaglia, "Xorshift RNGs", 2003) and MRG32k3a (L'Ecuyer, "Good parameters and implementations for
// combined multiple recursive random number generators", 1999).
#pragma once

#include <cstdint>

namespace warpmark::simulator::random_jumps {

// Advances XORWOW's shift register of five words by steps * 2^exponent steps (exponent at most 67). Returns
// words 2 * pair and 2 * pair + 1 of the result, the latter in the upper 32 bits.
unsigned long long xorwow(int pair, unsigned long long words_0_1, unsigned long long words_2_3,
                          unsigned int word_4, unsigned long long steps, int exponent);

// Advances one component (0 or 1) of MRG32k3a, a state of three numbers, by steps * 2^exponent steps
// (exponent at most 127). Returns numbers 0 and 1 (in the upper 32 bits) if pair is 0, else number 2.
unsigned long long mrg32k3a(int component, int pair, unsigned long long numbers_0_1, unsigned int number_2,
                            unsigned long long steps, int exponent);

}  // namespace warpmark::simulator::random_jumps

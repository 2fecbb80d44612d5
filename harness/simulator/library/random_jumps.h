// Long jumps in the sequences of two generators of random numbers, of which a kernel could make only as many
// steps: XORWOW (Marsaglia, "Xorshift RNGs", 2003) and MRG32k3a (L'Ecuyer, "Good parameters and
// implementations for combined multiple recursive random number generators", 1999).
#pragma once

#include <cstdint>

namespace warpmark::simulator::random_jumps {

// The five words of XORWOW's shift register, packed in pairs, after steps * 2^exponent steps: words 2 * pair
// and 2 * pair + 1. exponent is at most 67.
unsigned long long xorwow(int pair, unsigned long long words_0_1, unsigned long long words_2_3,
                          unsigned int word_4, unsigned long long steps, int exponent);

// The three numbers of one half of MRG32k3a (component 0 or 1) likewise: 0 and 1, or 2. exponent is at most
// 127.
unsigned long long mrg32k3a(int component, int pair, unsigned long long numbers_0_1, unsigned int number_2,
                            unsigned long long steps, int exponent);

}  // namespace warpmark::simulator::random_jumps

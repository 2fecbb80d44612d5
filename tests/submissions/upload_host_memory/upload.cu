#include <cstdlib>
#include <cstring>

#include "reduction.h"

extern "C" value_t* upload(const value_t* host_values, std::size_t n) {
  auto* values = static_cast<value_t*>(std::malloc(n * sizeof(value_t)));  // here
  std::memcpy(values, host_values, n * sizeof(value_t));
  return values;
}

// A kernel in one block: what each of its threads wrote, and what each should have written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulator/simulated_device.h"

namespace warpmark::simulator::test {

// Runs a kernel in one block of `threads` and returns what each thread wrote.
inline std::vector<std::int32_t> results_of(const std::string& body, std::uint32_t threads = 64,
                                            const std::string& declarations = {}) {
  SimulatedDevice device;
  device.load(kernel_text(body, declarations));
  const Address in = device.upload(counting(threads));
  const Address out = device.upload(std::vector<std::int32_t>(threads, -1));
  device.expect_completes({.grid = {1}, .block = {threads}}, {in, out});
  return device.download<std::int32_t>(out, threads);
}

template <class F>
std::vector<std::int32_t> expected(F f, int threads = 64) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) values[static_cast<std::size_t>(i)] = f(i);
  return values;
}

}  // namespace warpmark::simulator::test

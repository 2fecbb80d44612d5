// CPU counterpart of sweep.cu: evicts data from the CPU caches before a timed call by reading a larger
// buffer. Compiled on the grading machine.
#include <cstddef>
#include <cstdint>

extern "C" void warpmark_sweep(const void* buffer, std::size_t bytes, void* sink, void* /*stream*/) {
  constexpr std::size_t kLine = 64 / sizeof(std::uint64_t);
  const auto* words = static_cast<const std::uint64_t*>(buffer);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes / sizeof(std::uint64_t); i += kLine) sum += words[i];
  *static_cast<volatile std::uint64_t*>(sink) = sum;
}

// Makes the limits of integration of f(x) = 4 / (1 + x * x), which n rectangles approximate.
// | "flat": both limits are so close to 0 that 1 + x * x rounds to 1, and their distance is n times a
// multiple of 2^-80. A rectangle's width, its midpoint, its height (4) and every sum of heights are exact in
// any order.
// | "pi": from 0 to 1.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

namespace {

// Largest width of a rectangle in data class "flat", in units of kFlatUnit.
constexpr std::uint64_t kFlatWidths = 1 << 20;
// Width unit of data class "flat": 2^27 rectangles of the largest width end at 2^-33, where 1 + x * x rounds
// to 1.
constexpr double kFlatUnit = 0x1p-80;

}  // namespace

extern "C" void make_limits(void* target, std::size_t /*count*/, const std::size_t* sizes, const char* name,
                            std::uint64_t seed) {
  auto* const limits = static_cast<double*>(target);
  limits[0] = 0;
  limits[1] = 1;
  if (std::string_view(name) != "flat") return;
  const std::size_t n = sizes[0];
  std::mt19937_64 draw(seed);
  const double width = static_cast<double>(1 + draw() % kFlatWidths) * kFlatUnit;
  const std::size_t first = draw() % (n + 1);
  limits[0] = static_cast<double>(first) * width;
  limits[1] = static_cast<double>(first + (n == 0 ? 1 : n)) * width;
}

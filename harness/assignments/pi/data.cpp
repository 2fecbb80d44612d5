// Limits of the integral.
// | "flat": they are so close to 0 that 1 + x * x rounds to 1, and their distance is n times a multiple of
// 2^-80. A rectangle's width, its midpoint, its height (4) and every sum of heights are exact in any order.
// | "pi": from 0 to 1.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

namespace {

constexpr std::uint64_t kFlatWidths = 1 << 20;  // largest width of a flat rectangle, in units of kFlatUnit
constexpr double kFlatUnit = 0x1p-80;           // 2^26 of the widest end at 2^-33, so x * x is far below u

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

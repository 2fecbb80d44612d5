#include "harness/judge/speed/fitting.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/judge/speed/calibration.h"

namespace warpmark::judge {
namespace {

constexpr double kGibibyte = 0x1p30;

constexpr std::uint64_t kMostContext = std::uint64_t{1} << 30;

}  // namespace

std::uint64_t context_bytes(std::uint64_t free_bytes) {
  return std::min(kMostContext, free_bytes / 4);
}

std::uint64_t timed_bytes(std::span<const BufferSpec> buffers) {
  std::uint64_t bytes = 0;
  for (const BufferSpec& spec : buffers) {
    const std::uint64_t copies = (spec.patched ? kInputCopies : 1) + (spec.role == Role::in_out ? 1 : 0);
    if (!spec.on_host) bytes += copies * spec.bytes;
  }
  return bytes;
}

std::optional<Size> size_that_fits(const Size& size, std::uint64_t free_bytes,
                                   const std::function<std::uint64_t(const Size&)>& bytes_at) {
  Size fitting = size;
  while (bytes_at(fitting) > free_bytes) {
    for (std::uint64_t& part : fitting.parts) part /= 2;
    if (fitting.parts.front() < std::min(kSmallestSize, size.parts.front())) return std::nullopt;
  }
  return fitting;
}

std::string smaller_size_text(const Size& size, const Size& usual, std::uint64_t free_bytes,
                              std::uint64_t needed_bytes) {
  return fmt::format(
      "{} values instead of {}: {:.1f} GiB of the GPU's memory were free, and the usual size needs {:.1f} "
      "GiB",
      to_text(size), to_text(usual), static_cast<double>(free_bytes) / kGibibyte,
      static_cast<double>(needed_bytes) / kGibibyte);
}

unsigned jobs_that_fit(unsigned jobs, std::uint64_t free_bytes, std::uint64_t bytes) {
  if (free_bytes == 0) return jobs;
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(free_bytes / (context_bytes(free_bytes) + bytes), 1, jobs));
}

}  // namespace warpmark::judge

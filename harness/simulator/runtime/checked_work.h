// How much of a program is checked, in warp instructions: so much of all its launches together. A kernel that
// is launched behind that still has a small share of its own, so that a fault of it is found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpmark::simulator {

class CheckedWork {
 public:
  void done(std::string_view kernel, std::uint64_t work) {
    all_ += work;
    of_kernel_[std::string(kernel)] += work;
  }
  // What of the next launch of the kernel may be checked; 0: nothing.
  [[nodiscard]] std::uint64_t left(std::string_view kernel, std::uint64_t allowed) const {
    if (all_ < allowed) return allowed - all_;
    const auto known = of_kernel_.find(kernel);
    const std::uint64_t done = known == of_kernel_.end() ? 0 : known->second;
    return allowed / kKernels > done ? allowed / kKernels - done : 0;
  }

 private:
  static constexpr std::uint64_t kKernels = 32;  // that have a share of their own together need as much again
  std::uint64_t all_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> of_kernel_;
};

}  // namespace warpmark::simulator

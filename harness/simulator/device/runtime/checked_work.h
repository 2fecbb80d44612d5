// Budget of checked execution, in warp instructions, shared by all launches of a program. After it is used
// up, each kernel may still be checked for a small share of it, so that faults of kernels launched late are
// found.
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
  // Returns the number of warp instructions that may be checked in the kernel's next launch; 0 if none.
  // `allowed` is the whole budget in warp instructions.
  [[nodiscard]] std::uint64_t left(std::string_view kernel, std::uint64_t allowed) const {
    if (all_ < allowed) return allowed - all_;
    const auto known = of_kernel_.find(kernel);
    const std::uint64_t done = known == of_kernel_.end() ? 0 : known->second;
    return allowed / kKernels > done ? allowed / kKernels - done : 0;
  }

 private:
  // Divisor of the budget: each kernel may be checked for 1/32 of the budget even after the whole budget is
  // used up.
  static constexpr std::uint64_t kKernels = 32;
  std::uint64_t all_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> of_kernel_;
};

}  // namespace warpmark::simulator

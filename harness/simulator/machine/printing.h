// printf in kernels: the text of each call, and the order in which a launch shows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

// CUDA's buffer, by default (cudaLimitPrintfFifoSize).
inline constexpr std::size_t kPrintBytes = std::size_t{1} << 20;

// Reads device memory: copies that many bytes to a place of the host's; false when it cannot.
using DeviceReader = std::function<bool(Address from, void* to, std::size_t bytes)>;

// The characters up to the 0, but at most `limit`.
std::optional<std::string> read_string(const DeviceReader& read, Address from, std::size_t limit);

struct Formatted {
  std::string text;
  int arguments = 0;
};
// As printf: the arguments lie one behind the other from an address on, each at a multiple of its size (4 or
// 8 bytes). Empty when something could not be read.
std::optional<Formatted> format_print(const DeviceReader& read, std::string_view format, Address arguments);

// The calls of a launch. Blocks may add in any order; what is kept does not depend on it: the calls of all
// blocks in the order of their positions, as many as fit into the limit.
class PrintBuffer {
 public:
  explicit PrintBuffer(std::size_t limit) : limit_(limit) {}
  void add(std::uint64_t position, std::string_view text);  // one call

  struct Printed {
    std::string text;
    bool complete = true;  // false: more was printed than there was room for
  };
  [[nodiscard]] Printed up_to(std::uint64_t last_position) const;

 private:
  struct OfBlock {
    std::string text;
    std::vector<std::size_t> ends;  // of its calls
  };
  const std::size_t limit_;
  std::mutex mutex_;
  std::map<std::uint64_t, OfBlock> blocks_;
  std::size_t bytes_ = 0;
  bool dropped_ = false;
};

}  // namespace warpmark::simulator

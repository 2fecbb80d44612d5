// printf in kernels: formats each call, and keeps a launch's output in an order that does not depend on
// scheduling.
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

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

// Default size of CUDA's printf buffer (cudaLimitPrintfFifoSize).
inline constexpr std::size_t kPrintBytes = std::size_t{1} << 20;

// Copies `bytes` bytes of device memory to `to`; returns false if the memory cannot be read.
using DeviceReader = std::function<bool(Address from, void* to, std::size_t bytes)>;

// Reads a null-terminated string from device memory, truncated to `limit` characters; nullopt if the memory
// cannot be read.
std::optional<std::string> read_string(const DeviceReader& read, Address from, std::size_t limit);

struct Formatted {
  std::string text;
  int arguments = 0;
};
// Formats like printf. The arguments are stored in device memory from address `arguments` on, each aligned to
// its size of 4 or 8 bytes. Returns nullopt if memory cannot be read.
std::optional<Formatted> format_print(const DeviceReader& read, std::string_view format, Address arguments);

// Holds the printf output of a launch: the text of each call, in the execution order of the blocks, truncated
// to the limit. The result does not depend on the order in which blocks add text.
class PrintBuffer {
 public:
  explicit PrintBuffer(std::size_t limit) : limit_(limit) {}
  void add(std::uint64_t position, std::string_view text);  // appends one printf call's output

  struct Printed {
    std::string text;
    bool complete = true;  // false if the printf output exceeded the buffer's limit, so that some was dropped
  };
  [[nodiscard]] Printed up_to(std::uint64_t last_position) const;

 private:
  struct OfBlock {
    std::string text;
    // end offset, in the block's printf output, of the text of each printf call
    std::vector<std::size_t> ends;
  };
  const std::size_t limit_;
  std::mutex mutex_;
  std::map<std::uint64_t, OfBlock> blocks_;
  std::size_t bytes_ = 0;
  bool dropped_ = false;
};

}  // namespace warpmark::simulator

// Access to the arguments and the result of a call of a built-in function, which are in the stack frame at
// the offsets that FrameLayout computes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator {

// Calls visit(lane) for each active lane, in ascending order.
template <class Visitor>
void for_each_active(const Context& c, Visitor visit) {
  for (std::uint32_t rest = c.mask; rest != 0; rest &= rest - 1)
    visit(static_cast<unsigned>(std::countr_zero(rest)));
}

// Loads a lane's value from the stack frame. Consecutive 4-byte words of one lane are kRowBytes (128) bytes
// apart.
template <class T>
T read_frame(const std::byte* row, unsigned lane) {
  std::array<std::byte, sizeof(T)> bytes;
  for (std::size_t word = 0; word < sizeof(T) / 4; ++word) {
    std::memcpy(bytes.data() + 4 * word, row + word * kRowBytes + std::size_t{4} * lane, 4);
  }
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}
template <class T>
void write_frame(std::byte* row, unsigned lane, T value) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  for (std::size_t word = 0; word < sizeof(T) / 4; ++word) {
    std::memcpy(row + word * kRowBytes + std::size_t{4} * lane, bytes.data() + 4 * word, 4);
  }
}

// Typed access to the stack frame of a device function's call, which holds the result, if any, then the
// arguments, of 4 or 8 bytes each.
template <class Result, class... Arguments>
class CallFrame {
 public:
  CallFrame(const Context& c, const Instruction& i) : begin_(c.frame + i.offset) {}

  [[nodiscard]] std::tuple<Arguments...> arguments(unsigned lane) const {
    return arguments(lane, std::index_sequence_for<Arguments...>{});
  }
  template <class T>
  void give(unsigned lane, T result) const {
    static_assert(std::is_same_v<T, Result>);
    write_frame(begin_, lane, result);
  }

 private:
  static constexpr std::array<std::size_t, sizeof...(Arguments)> kOffsets = [] {
    std::size_t bytes = 0;
    if constexpr (!std::is_void_v<Result>) bytes = sizeof(Result);
    std::array<std::size_t, sizeof...(Arguments)> offsets{};
    std::size_t index = 0;
    (
        [&] {
          static_assert(sizeof(Arguments) == 4 || sizeof(Arguments) == 8);
          bytes = (bytes + sizeof(Arguments) - 1) / sizeof(Arguments) * sizeof(Arguments);
          offsets[index++] = bytes;
          bytes += sizeof(Arguments);
        }(),
        ...);
    return offsets;
  }();
  template <std::size_t... kIndex>
  std::tuple<Arguments...> arguments(unsigned lane, std::index_sequence<kIndex...>) const {
    return {read_frame<Arguments>(begin_ + kOffsets[kIndex] / 4 * kRowBytes, lane)...};
  }

  std::byte* begin_;
};

}  // namespace warpmark::simulator

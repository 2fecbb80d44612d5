#include "harness/simulator/program/host_instruction.h"

namespace warpmark::simulator {

#if defined(__x86_64__)
HostOperation host_operation(const void* instruction) {
  if (instruction == nullptr) return HostOperation::plain;
  const auto* at = static_cast<const std::uint8_t*>(instruction);
  bool locked = false;
  // true if the instruction has a DS segment prefix: redundant in 64-bit mode, it marks our atomic loads and
  // stores (host_atomics.h)
  bool marked = false;
  constexpr int kMostPrefixes = 14;
  for (int i = 0; i < kMostPrefixes; ++i, ++at) {
    const std::uint8_t byte = *at;
    locked = locked || byte == 0xF0;
    marked = marked || byte == 0x3E;
    const bool is_segment = byte == 0x2E || byte == 0x36 || byte == 0x3E || byte == 0x26;
    const bool is_prefix = is_segment || (byte >= 0x64 && byte <= 0x67) || byte == 0xF0 || byte == 0xF2 ||
                           byte == 0xF3 || (byte & 0xF0) == 0x40;
    if (!is_prefix) break;
  }
  const bool exchange = at[0] == 0x86 || at[0] == 0x87;  // xchg locks the bus without a LOCK prefix
  const bool compares = at[0] == 0x0F && (at[1] == 0xB0 || at[1] == 0xB1 || at[1] == 0xC7);
  if (locked && compares) return HostOperation::compare_and_swap;
  return locked || marked || exchange ? HostOperation::atomic : HostOperation::plain;
}
#else
HostOperation host_operation(const void* /*instruction*/) {
  return HostOperation::plain;
}
#endif

}  // namespace warpmark::simulator

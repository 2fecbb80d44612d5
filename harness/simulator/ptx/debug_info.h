// What the compiler's DWARF sections say of the source: names of kernel parameters, and where functions were
// inlined. clang writes them as data of .debug_abbrev and .debug_info, with labels for addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

// The bytes of a section, and the labels in the place of 8-byte addresses, by offset.
struct DebugSection {
  std::vector<std::uint8_t> bytes;
  std::map<std::size_t, std::string> labels;
};

// Fills Module::pointers and Module::callers, and the callers of instructions. What the sections say in
// another form than known is left out: names are a help, not a condition.
void apply_debug_info(const DebugSection& abbreviations, const DebugSection& entries, Module& module);

}  // namespace warpmark::simulator::ptx

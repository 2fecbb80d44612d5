// Reads the compiler's DWARF sections: names of kernel parameters, and inlined call sites. clang emits the
// sections .debug_abbrev and .debug_info as data, with labels in place of addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

// Contents of a DWARF section. `labels` has the labels that stand for 8-byte addresses, keyed by byte offset.
struct DebugSection {
  std::vector<std::uint8_t> bytes;
  std::map<std::size_t, std::string> labels;
};

// Adds information from DWARF to a parsed PTX module: names of pointer parameters and local arrays, and
// inlined call sites. DWARF entries of an unknown form are skipped, because they would only improve messages.
void apply_debug_info(const DebugSection& abbreviations, const DebugSection& entries, Module& module);

}  // namespace warpmark::simulator::ptx

// Address range of an executable or shared library loaded in this process.
#pragma once

#include <cstdint>

namespace warpmark {

struct LoadedObject {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;    // end of the loaded object's address range; 0 if no object contains the address
  std::uint64_t shift = 0;  // load bias: run-time address minus the address in the ELF file

  [[nodiscard]] bool holds(std::uint64_t address) const { return address >= begin && address < end; }
};

// Returns the object that contains the address; for address 0 the executable.
LoadedObject loaded_object_at(std::uint64_t address);

}  // namespace warpmark

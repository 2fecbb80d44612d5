// Links device functions and variables across the files of a program, like nvcc -rdc=true.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

// One file of a program after linking.
struct Linked {
  Module module;
  // Variables of other files that it refers to, keyed by its own name for each.
  struct Variable {
    std::size_t file = 0;
    std::string name;
  };
  std::map<std::string, Variable> imported;
};

// Returns files[which] with a copy of every function that it calls, directly or indirectly, and that another
// file defines. Names internal to that file are made unique. A function that no file defines stays undefined.
Linked link(std::span<const Module> files, std::size_t which);

}  // namespace warpmark::simulator::ptx

// Device functions across the files of a program, as `nvcc -rdc=true` links them.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

// A file of a program after linking.
struct Linked {
  Module module;
  // The variables of other files that it refers to: its own name for each, the file and the name there.
  struct Variable {
    std::size_t file = 0;
    std::string name;
  };
  std::map<std::string, Variable> imported;
};

// files[which] with a copy of every function that it calls, directly or not, and another file defines. What
// is internal to that file gets a name of its own. A function that no file defines stays undefined.
Linked link(std::span<const Module> files, std::size_t which);

}  // namespace warpmark::simulator::ptx

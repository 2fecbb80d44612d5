// Links device functions and variables across the files of a program, like nvcc -rdc=true.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

// A source file's PTX module after linking: with the functions that other files define, and the names of
// their variables.
struct Linked {
  Module module;
  // A variable that another source file defines (extern __device__). `imported` maps this file's name for the
  // variable to the defining file and its name there.
  struct Variable {
    std::size_t file = 0;
    std::string name;
  };
  std::map<std::string, Variable> imported;
};

// Links the PTX of one source file, files[which]: adds copies of all functions of other files that it calls,
// directly or indirectly, and makes names that are internal to another file unique. A function that no file
// defines stays undefined.
Linked link(std::span<const Module> files, std::size_t which);

}  // namespace warpmark::simulator::ptx

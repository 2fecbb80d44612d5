// Translates parsed PTX to a Program, the form that the simulator executes: registers become offsets, names
// become addresses, and opcodes become pointers to the functions that execute them.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "harness/simulator/ptx/program.h"
#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// Simulated addresses of .global and .const variables, by name.
using VariableAddresses = std::unordered_map<std::string, Address>;

Program decode(const ptx::Module& module, const VariableAddresses& variables);

}  // namespace warpmark::simulator

// From parsed PTX to a program: registers get places, names become addresses, mnemonics become handlers.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "harness/simulator/code/program.h"
#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// Addresses of .global and .const variables, by name.
using VariableAddresses = std::unordered_map<std::string, Address>;

Program decode(const ptx::Module& module, const VariableAddresses& variables);

}  // namespace warpmark::simulator

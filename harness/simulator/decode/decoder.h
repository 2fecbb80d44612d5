// Translates parsed PTX to a Program: assigns register offsets, resolves names to addresses and mnemonics to
// handlers.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "harness/simulator/ptx/program.h"
#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// Addresses of .global and .const variables, by name.
using VariableAddresses = std::unordered_map<std::string, Address>;

Program decode(const ptx::Module& module, const VariableAddresses& variables);

}  // namespace warpmark::simulator

// From parsed PTX to a program: registers get places, names become addresses, mnemonics become handlers.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "harness/simulator/program.h"
#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// Addresses of .global and .const variables, by name.
using VariableAddresses = std::unordered_map<std::string, Address>;

Program decode(const ptx::Module& module, const VariableAddresses& variables);

// A function's address, as function pointers hold it: no address of anything else.
inline constexpr Address kFunctionAddresses = 0x10000;
inline constexpr Address kFunctionStep = 16;
constexpr Address function_address(std::uint32_t index) {
  return kFunctionAddresses + index * kFunctionStep;
}

}  // namespace warpmark::simulator

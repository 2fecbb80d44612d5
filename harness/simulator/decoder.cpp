#include "harness/simulator/decoder.h"

#include <algorithm>
#include <set>

#include "harness/simulator/function_decoder.h"
#include "harness/simulator/names.h"

namespace warpmark::simulator {
namespace {

// Names that a function refers to, by calling or by address.
std::set<std::string> references_of(const ptx::Function& function) {
  std::set<std::string> names;
  for (const auto& instruction : function.body) {
    for (const auto& operand : instruction.operands) {
      if (!operand.name.empty() && operand.index < 0) names.insert(operand.name);
    }
  }
  return names;
}

// Whether the function, or one that it may call, refers to any of the names.
bool reaches(const ptx::Module& module, const ptx::Function& from,
             const std::unordered_map<std::string, std::size_t>& names) {
  std::vector<const ptx::Function*> work{&from};
  std::set<const ptx::Function*> seen{&from};
  while (!work.empty()) {
    const ptx::Function* function = work.back();
    work.pop_back();
    for (const std::string& name : references_of(*function)) {
      if (names.contains(name)) return true;
      for (const auto& other : module.functions) {
        if (other.name == name && seen.insert(&other).second) work.push_back(&other);
      }
    }
  }
  return false;
}

}  // namespace

Program decode(const ptx::Module& module, const VariableAddresses& variables) {
  Program program;
  program.files = module.files;
  ConstantPool constants;
  Symbols symbols{.module = module,
                  .variables = variables,
                  .functions = {},
                  .shared_offsets = {},
                  .dynamic_shared = {},
                  .constants = constants};
  std::size_t module_shared = 0;
  std::vector<SharedVariable> shared;
  const auto place = [&](const ptx::Variable& variable) {
    const std::size_t step = std::max<std::size_t>(1, variable.alignment);
    const std::size_t offset = (module_shared + step - 1) / step * step;
    symbols.shared_offsets[variable.name] = offset;
    shared.push_back({variable_name(variable.name), offset, variable.bytes,
                      std::max<std::size_t>(size_of(variable.type), variable.alignment)});
    module_shared = offset + variable.bytes;
  };
  for (const auto& variable : module.variables) {
    if (variable.space != ptx::Space::shared) continue;
    if (variable.unsized || variable.external) {
      symbols.dynamic_shared[variable.name] = true;
      shared.push_back({variable_name(variable.name), 0, 0, variable.alignment});
    } else {
      place(variable);
    }
  }
  // An array of a device function is there for the whole kernel that calls it, beside the kernel's own.
  for (const auto& function : module.functions) {
    if (function.entry) continue;
    for (const auto& variable : function.variables) {
      if (variable.space == ptx::Space::shared) place(variable);
    }
  }
  for (const auto& function : module.functions) {
    if (!function.defined) continue;
    symbols.functions[function.name] = static_cast<std::uint32_t>(program.functions.size());
    ProgramFunction result;
    result.name = function.name;
    result.display_name = function_name(function.name);
    result.entry = function.entry;
    result.shared = shared;
    if (reaches(module, function, symbols.shared_offsets)) result.static_shared_bytes = module_shared;
    program.functions.push_back(std::move(result));
  }
  std::size_t index = 0;
  for (const auto& function : module.functions) {
    if (!function.defined) continue;
    FunctionDecoder(function, symbols, program, program.functions[index++]).decode();
  }
  program.constants = constants.take();
  return program;
}

}  // namespace warpmark::simulator

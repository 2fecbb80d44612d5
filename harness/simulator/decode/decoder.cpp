#include "harness/simulator/decode/decoder.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/simulator/decode/function_decoder.h"
#include "harness/simulator/decode/names.h"

namespace warpmark::simulator {
namespace {

// Returns the names of all functions and variables that the operands of a PTX function refer to.
std::set<std::string> references_of(const ptx::Function& function) {
  std::set<std::string> names;
  for (const auto& instruction : function.body) {
    for (const auto& operand : instruction.operands) {
      if (!operand.name.empty() && operand.index < 0) names.insert(operand.name);
    }
  }
  return names;
}

// Returns the names of all functions and variables that a PTX function, or any function reachable from it by
// calls, refers to.
std::set<std::string> names_reached(const ptx::Module& module, const ptx::Function& from) {
  std::set<std::string> names;
  std::vector<const ptx::Function*> work{&from};
  std::set<const ptx::Function*> seen{&from};
  while (!work.empty()) {
    const ptx::Function* function = work.back();
    work.pop_back();
    for (const std::string& name : references_of(*function)) {
      if (!names.insert(name).second) continue;
      for (const auto& other : module.functions) {
        if (other.name == name && seen.insert(&other).second) work.push_back(&other);
      }
    }
  }
  return names;
}

// Assigns shared-memory offsets to the static shared arrays of the module and its device functions. An array
// has the same offset in all kernels, because a device function's code contains the offset. Arrays that no
// kernel uses together may overlap.
class SharedLayout {
 public:
  explicit SharedLayout(const ptx::Module& module) {
    for (const auto& function : module.functions) {
      if (function.entry && function.defined) reached_[function.name] = names_reached(module, function);
    }
  }

  std::size_t place(const ptx::Variable& variable) {
    Array array{.variable = &variable, .offset = 0, .placed = 0, .kernels = {}};
    for (const auto& [kernel, names] : reached_) {
      if (names.contains(variable.name)) array.kernels.insert(kernel);
    }
    const std::size_t step = std::max<std::size_t>(1, variable.alignment);
    for (bool moved = true; moved;) {
      moved = false;
      for (const Array& other : arrays_) {
        if (!overlap(array, other)) continue;
        array.offset = (other.end() + step - 1) / step * step;
        moved = true;
      }
    }
    array.placed = array.offset;
    while (std::any_of(arrays_.begin(), arrays_.end(),
                       [&](const Array& other) { return touch(array, other); })) {
      array.placed += kSharedGapStep;
    }
    arrays_.push_back(array);
    return array.placed;
  }

  // Adds the static shared arrays that a kernel uses, directly or in device functions, to the kernel's list
  // of shared variables.
  void give(ProgramFunction& kernel) const {
    for (const Array& array : arrays_) {
      if (!array.kernels.contains(kernel.name)) continue;
      const ptx::Variable& variable = *array.variable;
      kernel.shared.push_back({variable_name(variable.name), array.placed, variable.bytes,
                               std::max<std::size_t>(size_of(variable.type), variable.alignment)});
      kernel.static_shared_bytes = std::max(kernel.static_shared_bytes, array.end());
      kernel.shared_end = std::max(kernel.shared_end, array.placed + variable.bytes);
    }
  }

 private:
  struct Array {
    const ptx::Variable* variable;
    // A shared array's byte offset as on a GPU, i.e. without the gaps that the simulator inserts between
    // shared arrays to detect out-of-bounds accesses.
    std::size_t offset;
    std::size_t placed;
    std::set<std::string> kernels;

    [[nodiscard]] std::size_t end() const { return offset + variable->bytes; }
  };
  static bool overlap(const Array& a, const Array& b) {
    return a.offset < b.end() && b.offset < a.end() && meet(a, b);
  }
  // True if some kernel uses both shared arrays and they are closer than kSharedGapBytes, the minimum gap
  // between arrays by which out-of-bounds accesses are detected.
  static bool touch(const Array& a, const Array& b) {
    return a.placed < b.placed + b.variable->bytes + kSharedGapBytes &&
           b.placed < a.placed + a.variable->bytes + kSharedGapBytes && meet(a, b);
  }
  static bool meet(const Array& a, const Array& b) {
    return std::any_of(a.kernels.begin(), a.kernels.end(),
                       [&](const std::string& kernel) { return b.kernels.contains(kernel); });
  }

  // per kernel: names of all functions and variables used by the kernel and the functions it calls
  std::map<std::string, std::set<std::string>> reached_;
  std::vector<Array> arrays_;
};

}  // namespace

Program decode(const ptx::Module& module, const VariableAddresses& variables) {
  Program program;
  program.files = module.files;
  program.callers = module.callers;
  program.locations.emplace_back();  // source location 0 means "unknown"
  ConstantPool constants;
  Symbols symbols{.module = module,
                  .variables = variables,
                  .functions = {},
                  .shared_offsets = {},
                  .dynamic_shared = {},
                  .constants = constants};
  SharedLayout layout(module);
  std::vector<SharedVariable> dynamic;
  for (const auto& variable : module.variables) {
    if (variable.space != ptx::Space::shared) continue;
    if (variable.unsized || variable.external) {
      symbols.dynamic_shared[variable.name] = true;
      dynamic.push_back({variable_name(variable.name), 0, 0, variable.alignment});
    } else {
      symbols.shared_offsets[variable.name] = layout.place(variable);
    }
  }
  // Static shared arrays of a device function take up memory in every kernel that may call it.
  for (const auto& function : module.functions) {
    if (function.entry) continue;
    for (const auto& variable : function.variables) {
      if (variable.space == ptx::Space::shared)
        symbols.shared_offsets[variable.name] = layout.place(variable);
    }
  }
  for (const auto& function : module.functions) {
    if (!function.defined) continue;
    symbols.functions[function.name] = static_cast<std::uint32_t>(program.functions.size());
    ProgramFunction result;
    result.name = function.name;
    result.display_name = function_name(function.name);
    result.entry = function.entry;
    result.pointers = function.pointers;
    result.shared = dynamic;
    layout.give(result);
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

#include "harness/simulator/decode/array_index.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

namespace warpmark::simulator {
namespace {

using Kind = ptx::Operand::Kind;

// maximum number of PTX instructions searched for the memory access that follows a bounds check
constexpr std::size_t kMostInstructions = 64;
// In UBSan's type descriptor, byte offset of the type's name; before it are the kind and width, 16 bits each.
constexpr std::size_t kNameOffset = 4;

std::string_view mnemonic(const ptx::Instruction& instruction) {
  return std::string_view(instruction.opcode).substr(0, instruction.opcode.find('.'));
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::string& name_of(const ptx::Function& function, int index) {
  return function.registers[static_cast<std::size_t>(index)].name;
}

// True for %SP and %SPL, the PTX registers that clang -O0 code points at the depot (the stack area of a
// function's local variables).
bool is_frame(const ptx::Function& function, int index) {
  const std::string& name = name_of(function, index);
  return name == "%SP" || name == "%SPL";
}

// Result of a static analysis of PTX: tells whether a register holds an address within the function's local
// variables, and if so, whether the offset is constant.
enum class Into : std::uint8_t {
  nothing,
  variable,  // register = address of a local variable + constant
  element    // register = address of a local variable + variable index
};

Into sum_of(const ptx::Function& function, const std::vector<Into>& known,
            const ptx::Instruction& instruction) {
  Into into = Into::nothing;
  std::size_t registers = 0;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    const ptx::Operand& operand = instruction.operands[i];
    if (operand.kind != Kind::reg) continue;
    ++registers;
    const Into of_operand =
        is_frame(function, operand.index) ? Into::variable : known[static_cast<std::size_t>(operand.index)];
    into = std::max(into, of_operand);
  }
  return into == Into::variable && registers > 1 ? Into::element : into;
}

// Finds, for each PTX register, whether it holds an address within a local variable. A single pass suffices
// because -O0 code writes a register before (in text order) it reads it.
std::vector<Into> addresses_of_variables(const ptx::Function& function) {
  std::vector<Into> known(function.registers.size(), Into::nothing);
  for (const ptx::Instruction& instruction : function.body) {
    const auto& operands = instruction.operands;
    if (operands.empty() || operands[0].kind != Kind::reg ||
        !is_one_of(mnemonic(instruction), {"add", "sub", "or", "mov", "cvta"}))
      continue;
    Into& target = known[static_cast<std::size_t>(operands[0].index)];
    target = std::max(target, sum_of(function, known, instruction));
  }
  return known;
}

// Returns the register that holds the address of a load or store; nullopt if the address is a variable's
// name.
std::optional<int> address_register(const ptx::Function& function, const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind == Kind::address && operand.index >= 0 && !is_frame(function, operand.index))
      return operand.index;
  }
  return std::nullopt;
}

// True if control flow from `at` reaches an access to an element of a local array before the next bounds
// check.
bool local_access_follows(const ptx::Function& function, std::size_t at) {
  const std::vector<Into> known = addresses_of_variables(function);
  for (std::size_t i = 0; i < kMostInstructions && at < function.body.size(); ++i) {
    const ptx::Instruction& instruction = function.body[at++];
    const std::string_view name = mnemonic(instruction);
    if (name == "bra" && instruction.guard < 0) {
      const auto label = function.labels.find(instruction.operands.at(0).name);
      if (label == function.labels.end()) return false;
      at = label->second;
    } else if (is_one_of(name, {"bra", "call", "ret", "exit", "bar"})) {
      return false;
    } else if (is_one_of(name, {"ld", "st", "atom", "red"})) {
      const auto address = address_register(function, instruction);
      if (address && known[static_cast<std::size_t>(*address)] == Into::element) return true;
    }
  }
  return false;
}

// Returns the position of the setp (comparison) of the bounds check that calls the failure handler at
// `position`.
std::optional<std::size_t> test_before(const ptx::Function& function, std::size_t position) {
  std::size_t at = position;
  while (at > 0 && mnemonic(function.body[at - 1]) != "bra") --at;
  if (at < 3 || function.body[at - 1].guard >= 0) return std::nullopt;
  const ptx::Instruction& branch = function.body[at - 2];
  const ptx::Instruction& test = function.body[at - 3];
  if (mnemonic(branch) != "bra" || branch.guard < 0 ||
      !is_one_of(test.opcode, {"setp.lt.u64", "setp.lt.u32"}))
    return std::nullopt;
  if (test.operands.size() != 3 || test.operands[0].index != branch.guard) return std::nullopt;
  if (test.operands[1].kind != Kind::reg || test.operands[2].kind != Kind::integer) return std::nullopt;
  return at - 3;
}

const ptx::Operand* called(const ptx::Instruction& instruction) {
  if (mnemonic(instruction) != "call") return nullptr;
  const auto found = std::find_if(instruction.operands.begin(), instruction.operands.end(),
                                  [](const ptx::Operand& operand) { return operand.kind == Kind::symbol; });
  return found == instruction.operands.end() ? nullptr : &*found;
}

const ptx::Variable* variable(const ptx::Module& module, const std::string& name) {
  const auto found = std::find_if(module.variables.begin(), module.variables.end(),
                                  [&](const ptx::Variable& each) { return each.name == name; });
  return found == module.variables.end() ? nullptr : &*found;
}

// Returns the position of the instruction that loads the descriptor of the bounds check (mov %r, descriptor),
// which precedes the failure handler's call at `position`.
std::optional<std::size_t> description_before(const ptx::Module& module, const ptx::Function& function,
                                              std::size_t position) {
  for (std::size_t at = position; at > 0 && mnemonic(function.body[at - 1]) != "bra"; --at) {
    const ptx::Instruction& instruction = function.body[at - 1];
    if (mnemonic(instruction) == "mov" && instruction.operands.size() == 2 &&
        instruction.operands[1].kind == Kind::symbol &&
        variable(module, instruction.operands[1].name) != nullptr)
      return at - 1;
  }
  return std::nullopt;
}

// Parses the outermost array length in UBSan's name of a type: 8 for "'Pack[8]'", 4 for "'int[4][5]'", 0 if
// there is none.
std::uint64_t elements_of(const ptx::Variable& type) {
  std::string name;
  for (std::size_t i = kNameOffset; i < type.initialisers.size() && type.initialisers[i].bits != 0; ++i)
    name += static_cast<char>(type.initialisers[i].bits);
  while (name.ends_with('\'')) name.pop_back();
  std::uint64_t elements = 0;
  while (name.ends_with(']')) {
    const std::size_t open = name.rfind('[');
    if (open == std::string::npos) return 0;
    elements = 0;
    std::from_chars(name.data() + open + 1, name.data() + name.size() - 1, elements);
    name.resize(open);
  }
  return elements;
}

// Returns the array length that the descriptor of a bounds check contains; 0 if unknown. The descriptor holds
// {file, line and column, type of the array, type of the index}.
std::uint64_t elements_described(const ptx::Module& module, const std::string& description) {
  const ptx::Variable* data = variable(module, description);
  if (data == nullptr || data->initialisers.size() < 3) return 0;
  const ptx::Variable* type = variable(module, data->initialisers[2].symbol);
  return type == nullptr ? 0 : elements_of(*type);
}

void note_symbols(const std::vector<ptx::Operand>& operands, std::set<std::string>& names) {
  for (const ptx::Operand& operand : operands) {
    if (operand.index < 0 && !operand.name.empty()) names.insert(operand.name);
    note_symbols(operand.elements, names);
  }
}

// Removes those of the given module-scope PTX variables that no function refers to and, transitively, those
// that only removed variables refer to.
void remove_unnamed(ptx::Module& module, std::set<std::string> candidates) {
  while (!candidates.empty()) {
    std::set<std::string> named;
    for (const ptx::Function& function : module.functions) {
      for (const ptx::Instruction& instruction : function.body) note_symbols(instruction.operands, named);
    }
    for (const ptx::Variable& each : module.variables) {
      for (const ptx::Initialiser& initialiser : each.initialisers) named.insert(initialiser.symbol);
    }
    std::set<std::string> next;
    std::erase_if(module.variables, [&](const ptx::Variable& each) {
      if (!candidates.contains(each.name) || named.contains(each.name) || !each.internal) return false;
      for (const ptx::Initialiser& initialiser : each.initialisers) next.insert(initialiser.symbol);
      return true;
    });
    candidates = std::move(next);
  }
}

}  // namespace

void settle_index_tests(ptx::Module& module) {
  std::set<std::string> descriptions;
  for (ptx::Function& function : module.functions) {
    for (std::size_t position = 0; position < function.body.size(); ++position) {
      const ptx::Operand* callee = called(function.body[position]);
      if (callee == nullptr || !is_failed_index(callee->name)) continue;
      const auto naming = description_before(module, function, position);
      if (!naming) continue;
      ptx::Operand& description = function.body[*naming].operands[1];
      const std::uint64_t elements = elements_described(module, description.name);
      const auto test = test_before(function, position);
      if (test && elements != 0 && local_access_follows(function, position + 1)) {
        std::uint64_t& bound = function.body[*test].operands[2].bits;
        bound = std::min(bound, elements);
      }
      descriptions.insert(description.name);
      description = {};
      description.kind = Kind::integer;
    }
  }
  remove_unnamed(module, std::move(descriptions));
}

std::optional<FailedIndex> failed_local_index(const ptx::Function& function, std::size_t position) {
  if (!local_access_follows(function, position + 1)) return std::nullopt;
  const auto test = test_before(function, position);
  if (!test) return FailedIndex{};
  return FailedIndex{function.body[*test].operands[1].index};
}

}  // namespace warpmark::simulator

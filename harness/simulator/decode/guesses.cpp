#include "harness/simulator/decode/guesses.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace warpmark::simulator {
namespace {

using Kind = ptx::Operand::Kind;

// Storage location of a value: a PTX register, or a name (stack or parameter space) with a byte offset.
using Storage = std::tuple<int, std::string, std::int64_t>;

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return text.starts_with(s); });
}

Storage register_place(int index) {
  return {index, {}, 0};
}

class Sources {
 public:
  explicit Sources(const ptx::Function& function) : function_(function) {
    for (const ptx::Instruction& instruction : function.body) note_stack_address(instruction);
    for (std::size_t i = 0; i < function.body.size(); ++i) {
      for (const Storage& place : written_by(function.body[i])) writers_[place].push_back(i);
    }
  }

  // True if the instruction accesses a parameter or a local variable through the operand `address`.
  [[nodiscard]] bool is_frame(const ptx::Instruction& instruction, const ptx::Operand& address) const {
    if (address.kind != Kind::address) return false;
    if (address.index < 0) return is_in(instruction, ".param") || is_in(instruction, ".local");
    return is_stack(address);
  }

  // Returns the indices of the PTX instructions that compute the operand `value`, found by following moves,
  // loads and stores of stack variables and, if requested, arithmetic backwards. Adds the stack
  // variables that are read on the way to *places, if not null.
  std::set<std::size_t> sources(const ptx::Operand& value, bool through_arithmetic,
                                std::set<Storage>* places) const {
    std::set<std::size_t> found;
    std::set<Storage> seen;
    std::vector<Storage> work;
    const auto follow = [&](const ptx::Operand& operand) {
      // True if the operand names a variable. Names of special registers begin with %.
      const bool named =
          (operand.kind == Kind::symbol || (operand.kind == Kind::address && operand.index < 0)) &&
          !operand.name.starts_with('%');
      if (named && places != nullptr) places->insert({-1, operand.name, operand.offset});
      if (operand.kind != Kind::reg && operand.kind != Kind::address) return;
      if (operand.index >= 0 && !is_stack(operand)) work.push_back(register_place(operand.index));
    };
    follow(value);
    while (!work.empty()) {
      const Storage place = work.back();
      work.pop_back();
      if (!seen.insert(place).second) continue;
      for (const std::size_t at : writers_of(place)) {
        if (!found.insert(at).second) continue;
        const ptx::Instruction& instruction = function_.body[at];
        const std::string_view opcode = instruction.opcode;
        if (instruction.operands.size() < 2) continue;
        if (opcode.starts_with("st")) {
          follow(instruction.operands[1]);
        } else if (opcode.starts_with("ld")) {
          if (is_frame(instruction, instruction.operands[1]))
            work.push_back(frame_place(instruction.operands[1]));
        } else if (begins_with_any(opcode, {"mov", "cvt"}) ||
                   (through_arithmetic && !begins_with_any(opcode, {"atom", "call"}))) {
          for (std::size_t i = 1; i < instruction.operands.size(); ++i) follow(instruction.operands[i]);
        }
      }
    }
    if (places != nullptr) {
      for (const Storage& place : seen) {
        if (std::get<0>(place) < 0) places->insert(place);
      }
    }
    return found;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> writers_of(const Storage& place) const {
    const auto& [number, name, offset] = place;
    const auto found = writers_.find(place);
    std::vector<std::size_t> writers = found == writers_.end() ? std::vector<std::size_t>{} : found->second;
    if (number >= 0 || offset % 8 != 4) return writers;
    // The upper half of a variable of 64 bits is loaded alone: a flag beside a value of 32 bits.
    const auto whole = writers_.find(Storage{number, name, offset - 4});
    if (whole == writers_.end()) return writers;
    std::ranges::copy_if(whole->second, std::back_inserter(writers), [&](std::size_t at) {
      return std::string_view(function_.body[at].opcode).ends_with("64");
    });
    return writers;
  }
  [[nodiscard]] bool is_stack(const ptx::Operand& address) const {
    if (address.index < 0) return false;
    return is_stack_pointer(address.index) || stack_addresses_.contains(address.index);
  }
  [[nodiscard]] bool is_stack_pointer(int index) const {
    const std::string& name = function_.registers[static_cast<std::size_t>(index)].name;
    return name == "%SP" || name == "%SPL";
  }
  // Keeps the place that a register points to if the instruction adds a constant to the stack pointer, or to
  // such a register; "or" does that for a place with an alignment.
  void note_stack_address(const ptx::Instruction& instruction) {
    if (!begins_with_any(instruction.opcode, {"add", "or"}) || instruction.operands.size() != 3) return;
    const auto& [to, base, more] =
        std::tie(instruction.operands[0], instruction.operands[1], instruction.operands[2]);
    if (to.kind != Kind::reg || base.kind != Kind::reg || more.kind != Kind::integer || !is_stack(base))
      return;
    Storage place = frame_place(base);
    std::get<2>(place) += static_cast<std::int64_t>(more.bits);
    stack_addresses_.emplace(to.index, place);
  }
  static bool is_in(const ptx::Instruction& instruction, std::string_view space) {
    return instruction.opcode.find(space) != std::string::npos;
  }
  // Returns the stack or parameter location that a PTX address operand names: the name of its base (stack
  // pointer register or parameter) and the byte offset.
  [[nodiscard]] Storage frame_place(const ptx::Operand& address) const {
    if (const auto known = stack_addresses_.find(address.index); known != stack_addresses_.end()) {
      const auto& [kind, base, offset] = known->second;
      return {kind, base, offset + address.offset};
    }
    const std::string& name =
        address.index < 0 ? address.name : function_.registers[static_cast<std::size_t>(address.index)].name;
    return {-1, name, address.offset};
  }
  [[nodiscard]] std::vector<Storage> written_by(const ptx::Instruction& instruction) const {
    std::vector<Storage> places;
    if (instruction.operands.empty()) return places;
    const ptx::Operand& first = instruction.operands[0];
    if (instruction.opcode.starts_with("st")) {
      if (is_frame(instruction, first)) places.push_back(frame_place(first));
    } else if (first.kind == Kind::reg) {
      places.push_back(register_place(first.index));
    }
    return places;
  }

  const ptx::Function& function_;
  std::map<int, Storage> stack_addresses_;  // per register: the place on the stack that it points to
  std::map<Storage, std::vector<std::size_t>> writers_;
};

bool meet(const std::set<Storage>& a, const std::set<Storage>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Storage& place) { return b.contains(place); });
}

bool is_swap(const ptx::Instruction& instruction) {
  return instruction.opcode.starts_with("atom") && instruction.opcode.find(".cas.") != std::string::npos &&
         instruction.operands.size() == 4;
}

bool is_strong_load(const ptx::Instruction& instruction) {
  return begins_with_any(instruction.opcode, {"ld.volatile", "ld.relaxed", "ld.acquire"});
}

// True if two PTX instructions are in one loop: both lie between a label and a later branch back to that
// label.
bool in_one_loop(const ptx::Function& function, std::size_t first, std::size_t second) {
  for (std::size_t at = std::max(first, second); at < function.body.size(); ++at) {
    const ptx::Instruction& branch = function.body[at];
    if (!branch.opcode.starts_with("bra") || branch.operands.empty()) continue;
    const auto label = function.labels.find(branch.operands[0].name);
    if (label != function.labels.end() && label->second <= std::min(first, second)) return true;
  }
  return false;
}

// True for a load of one register from a variable in global or shared memory, at a constant place.
bool is_load_of_variable(const ptx::Instruction& instruction) {
  return begins_with_any(instruction.opcode, {"ld.global.", "ld.shared."}) && !is_strong_load(instruction) &&
         instruction.guard < 0 && instruction.operands.size() == 2 &&
         instruction.operands[0].kind == Kind::reg && instruction.operands[1].kind == Kind::address &&
         instruction.operands[1].index < 0 && !instruction.operands[1].name.empty();
}

// True if the instruction computes one register from its other operands and has no other effect.
bool is_pure(const ptx::Instruction& instruction) {
  return begins_with_any(instruction.opcode, {"add.", "and.", "cvt.", "mov.", "mul.", "neg.", "not.", "or.",
                                              "setp.", "shl.", "shr.", "sub.", "xor."}) &&
         instruction.guard < 0 && instruction.operands.size() >= 2 &&
         instruction.operands[0].kind == Kind::reg;
}

bool is_selection(const ptx::Instruction& instruction) {
  return instruction.opcode.starts_with("selp.") && instruction.guard < 0 && instruction.operands.size() == 4;
}

// Finds the instructions that use the value of another one.
class Uses {
 public:
  explicit Uses(const ptx::Function& function) : function_(function), of_(function.registers.size()) {
    for (std::size_t at = 0; at < function.body.size(); ++at) {
      const ptx::Instruction& instruction = function.body[at];
      if (instruction.guard >= 0) of_[static_cast<std::size_t>(instruction.guard)].reads.push_back(at);
      const bool stores = begins_with_any(instruction.opcode, {"st", "red", "br", "call"});
      for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        note(instruction.operands[i], at, i == 0 && !stores);
    }
  }

  // Returns the only instruction that uses the value which the one at `from` writes to the register, and adds
  // the instructions on all ways there to *between. Returns nullopt if there are several or none.
  [[nodiscard]] std::optional<std::size_t> only_use(std::size_t from, int number,
                                                    std::set<std::size_t>& between) const {
    const Of& of = of_[static_cast<std::size_t>(number)];
    const bool may_be = std::ranges::any_of(of.reads, [&](std::size_t at) {
      return is_pure(function_.body[at]) || is_selection(function_.body[at]);
    });
    if (!may_be) return std::nullopt;
    std::optional<std::size_t> use;
    bool several = false;
    const bool known = walk(from, [&](std::size_t at) {
      if (std::ranges::binary_search(of.reads, at)) {
        several = several || use.value_or(at) != at;
        use = at;
      }
      return !several && !(std::ranges::binary_search(of.writes, at) && function_.body[at].guard < 0);
    });
    if (!known || several || !use) return std::nullopt;
    (void)walk(from, [&](std::size_t at) {
      between.insert(at);
      return at != *use && !(std::ranges::binary_search(of.writes, at) && function_.body[at].guard < 0);
    });
    return use;
  }
  [[nodiscard]] bool is_written(int number, const std::set<std::size_t>& at) const {
    return std::ranges::any_of(of_[static_cast<std::size_t>(number)].writes,
                               [&](std::size_t write) { return at.contains(write); });
  }

 private:
  struct Of {
    std::vector<std::size_t> writes, reads;  // ascending
  };
  void note(const ptx::Operand& operand, std::size_t at, bool writes) {
    for (const ptx::Operand& element : operand.elements) note(element, at, writes);
    if (operand.index < 0) return;
    Of& of = of_[static_cast<std::size_t>(operand.index)];
    (writes && operand.kind == Kind::reg ? of.writes : of.reads).push_back(at);
  }
  // Calls visit(at) once for each instruction that may follow the one at `from`, where it returns true also
  // for those that follow this one. Returns false if a branch has no known target.
  template <class Visit>
  [[nodiscard]] bool walk(std::size_t from, Visit visit) const {
    std::vector<bool> seen(function_.body.size());
    std::vector<std::size_t> work{from + 1};
    while (!work.empty()) {
      std::size_t at = work.back();
      work.pop_back();
      for (bool goes_on = true; goes_on && at < function_.body.size() && !seen[at]; ++at) {
        seen[at] = true;
        if (!visit(at)) break;
        const ptx::Instruction& instruction = function_.body[at];
        if (begins_with_any(instruction.opcode, {"ret", "exit"})) goes_on = instruction.guard >= 0;
        if (!instruction.opcode.starts_with("br")) continue;
        const auto target = instruction.operands.size() == 1
                                ? function_.labels.find(instruction.operands[0].name)
                                : function_.labels.end();
        if (target == function_.labels.end()) return false;
        work.push_back(target->second);
        goes_on = instruction.guard >= 0;
      }
    }
    return true;
  }

  const ptx::Function& function_;
  std::vector<Of> of_;  // by register
};

// Returns the condition under which the only use of a loaded value selects it.
std::optional<Condition> condition_of(const ptx::Function& function, const Uses& uses, std::size_t load) {
  std::set<std::size_t> between;
  std::set<std::size_t> seen;
  for (std::size_t at = load; seen.insert(at).second;) {
    const int number = function.body[at].operands[0].index;
    const auto used_at = uses.only_use(at, number, between);
    if (!used_at) return std::nullopt;
    const ptx::Instruction& use = function.body[*used_at];
    const auto is_value = [&](std::size_t i) {
      return use.operands[i].kind == Kind::reg && use.operands[i].index == number;
    };
    const auto condition = [&](std::size_t i, bool negated) -> std::optional<Condition> {
      const ptx::Operand& operand = use.operands[i];
      if (operand.kind != Kind::reg || operand.index == number || uses.is_written(operand.index, between))
        return std::nullopt;
      return Condition{operand.index, negated != operand.negated};
    };
    if (is_selection(use) && is_value(1) != is_value(2)) return condition(3, is_value(2));
    if (!is_pure(use)) return std::nullopt;
    const bool both = use.opcode == "and.pred";
    if ((both || use.opcode == "or.pred") && use.operands.size() == 3)
      return condition(is_value(1) ? 2 : 1, !both);
    at = *used_at;
  }
  return std::nullopt;
}

}  // namespace

std::map<std::size_t, Condition> conditions_of(const ptx::Function& function) {
  std::map<std::size_t, Condition> conditions;
  if (std::ranges::none_of(function.body, is_load_of_variable)) return conditions;
  const Uses uses(function);
  for (std::size_t at = 0; at < function.body.size(); ++at) {
    if (!is_load_of_variable(function.body[at])) continue;
    if (const auto condition = condition_of(function, uses, at)) conditions.emplace(at, *condition);
  }
  return conditions;
}

std::vector<bool> polls_of(const ptx::Function& function) {
  std::vector<bool> polls(function.body.size());
  if (std::none_of(function.body.begin(), function.body.end(), is_strong_load)) return polls;
  const Sources flow(function);
  for (std::size_t at = 0; at < function.body.size(); ++at) {
    const ptx::Instruction& instruction = function.body[at];
    const bool branch = instruction.opcode.starts_with("bra") && instruction.guard >= 0;
    const bool result =
        !function.entry && instruction.opcode.starts_with("st.param") && instruction.operands.size() == 2;
    if (!branch && !result) continue;
    ptx::Operand value;
    if (branch) {
      value.kind = Kind::reg;
      value.index = instruction.guard;
    } else {
      value = instruction.operands[1];
    }
    for (const std::size_t source : flow.sources(value, true, nullptr)) {
      if (is_strong_load(function.body[source]) && (result || in_one_loop(function, source, at)))
        polls[source] = true;
    }
  }
  return polls;
}

std::vector<bool> guesses_of(const ptx::Function& function) {
  std::vector<bool> guesses(function.body.size());
  if (std::none_of(function.body.begin(), function.body.end(), is_swap)) return guesses;
  const Sources flow(function);
  for (const ptx::Instruction& swap : function.body) {
    if (!is_swap(swap)) continue;
    std::set<Storage> swapped;
    flow.sources(swap.operands[1], true, &swapped);
    for (const std::size_t at : flow.sources(swap.operands[2], false, nullptr)) {
      const ptx::Instruction& load = function.body[at];
      if (!load.opcode.starts_with("ld") || load.operands.size() < 2 || flow.is_frame(load, load.operands[1]))
        continue;
      std::set<Storage> loaded;
      flow.sources(load.operands[1], true, &loaded);
      const bool same_register =
          load.operands[1].index >= 0 && load.operands[1].index == swap.operands[1].index;
      if (same_register || meet(loaded, swapped)) guesses[at] = true;
    }
  }
  return guesses;
}

}  // namespace warpmark::simulator

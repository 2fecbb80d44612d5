// Decodes PTX branches, calls, barriers and warp-wide collectives.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "harness/simulator/decode/array_index.h"
#include "harness/simulator/decode/function_decoder.h"
#include "harness/simulator/decode/names.h"
#include "harness/simulator/engine/functions/builtin_functions.h"
#include "harness/simulator/engine/functions/device_library.h"
#include "harness/simulator/engine/machine/control_operations.h"

namespace warpmark::simulator {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

struct CollectiveName {
  std::string_view name;
  Type type;
  Collective how;
  // number of source operands of a warp-wide PTX instruction before its member mask: predicates for votes,
  // 32-bit words for shuffles and reductions
  std::uint8_t sources;
};
constexpr CollectiveName kCollectives[] = {
    {"bar.warp.sync", Type::none, Collective::barrier, 0},
    {"shfl.sync.idx", Type::b32, Collective::shuffle_index, 3},
    {"shfl.sync.up", Type::b32, Collective::shuffle_up, 3},
    {"shfl.sync.down", Type::b32, Collective::shuffle_down, 3},
    {"shfl.sync.bfly", Type::b32, Collective::shuffle_butterfly, 3},
    {"vote.sync.any", Type::pred, Collective::vote_any, 1},
    {"vote.sync.all", Type::pred, Collective::vote_all, 1},
    {"vote.sync.uni", Type::pred, Collective::vote_uniform, 1},
    {"vote.sync.ballot", Type::b32, Collective::vote_ballot, 1},
    {"redux.sync.add", Type::u32, Collective::add, 1},
    {"redux.sync.add", Type::s32, Collective::add, 1},
    {"redux.sync.min", Type::u32, Collective::min_unsigned, 1},
    {"redux.sync.min", Type::s32, Collective::min_signed, 1},
    {"redux.sync.max", Type::u32, Collective::max_unsigned, 1},
    {"redux.sync.max", Type::s32, Collective::max_signed, 1},
    {"redux.sync.and", Type::b32, Collective::bit_and, 1},
    {"redux.sync.or", Type::b32, Collective::bit_or, 1},
    {"redux.sync.xor", Type::b32, Collective::bit_xor, 1},
    {"match.any.sync", Type::b32, Collective::match_any, 1},
};

}  // namespace

bool FunctionDecoder::control_instruction(const ptx::Instruction& source, const Opcode& opcode) {
  const std::string_view base = opcode.parts.front();
  if (base == "bra") return branch(source);
  if (base == "call") return call(source);
  if (base == "ret" || base == "exit") return leave(opcode);
  if (base == "bar" || base == "barrier" || base == "shfl" || base == "vote" || base == "redux" ||
      base == "match") {
    return collective(source, opcode) || block_barrier(source, opcode);
  }
  return small_control(source, opcode);
}

bool FunctionDecoder::small_control(const ptx::Instruction& source, const Opcode& opcode) {
  const std::string_view base = opcode.parts.front();
  if (base == "membar" || base == "fence") {
    emit({.handler = control::fence, .detail = static_cast<std::uint8_t>(opcode.has("cta") ? 1 : 0)});
  } else if (base == "nanosleep") {
    emit({.handler = control::sleep});
  } else if (base == "trap") {
    emit_guarded({.handler = control::trap}, Flow::dead);
  } else if (base == "activemask") {
    const auto place = value(source.operands.at(0), 4);
    if (!place) return false;
    emit({.handler = control::active_mask, .operands = {*place}});
  } else if (base == "prefetch" || base == "prefetchu" || base == "brkpt") {
    emit({.handler = control::nothing});
  } else {
    return false;
  }
  return true;
}

bool FunctionDecoder::branch(const ptx::Instruction& source) {
  if (source.operands.size() != 1) return false;
  const auto label = source_.labels.find(source.operands[0].name);
  if (label == source_.labels.end()) return false;
  Instruction instruction{.handler = control::jump};
  if (source.guard >= 0) {
    instruction.handler = control::branch;
    instruction.operands[0] = register_operand(source.guard);
    instruction.detail = source.guard_negated ? 1 : 0;
  }
  branches_.emplace_back(emit(instruction, source.guard >= 0 ? Flow::branch : Flow::jump), label->second);
  return true;
}

// Decodes `ret` as a jump to the function's end, so that diverged lanes reconverge there before they return,
// and `exit` as the end of the thread.
bool FunctionDecoder::leave(const Opcode& opcode) {
  if (source_.entry || opcode.parts.front() == "exit") {
    emit_guarded({.handler = control::exit_lanes}, source_.entry ? Flow::end : Flow::dead);
    return true;
  }
  Instruction instruction{.handler = control::jump};
  if (current_->guard >= 0) {
    instruction.handler = control::branch;
    instruction.operands[0] = register_operand(current_->guard);
    instruction.detail = current_->guard_negated ? 1 : 0;
  }
  returns_.push_back(emit(instruction, current_->guard >= 0 ? Flow::branch : Flow::jump));
  return true;
}

const ptx::Prototype* FunctionDecoder::called_prototype(const ptx::Instruction& source) const {
  for (const auto& operand : source.operands) {
    if (operand.kind != Kind::symbol) continue;
    if (const auto own = source_.prototypes.find(operand.name); own != source_.prototypes.end())
      return &own->second;
  }
  for (const auto& operand : source.operands) {
    if (operand.kind != Kind::symbol) continue;
    const auto& functions = symbols_.module.functions;
    const auto found = std::find_if(functions.begin(), functions.end(), [&](const ptx::Function& function) {
      return function.name == operand.name;
    });
    if (found != functions.end()) return &found->prototype;
  }
  return nullptr;
}

bool FunctionDecoder::call(const ptx::Instruction& source) {
  const auto callee = std::find_if(source.operands.begin(), source.operands.end(),
                                   [](const ptx::Operand& operand) { return operand.kind != Kind::group; });
  const ptx::Prototype* prototype = called_prototype(source);
  if (callee == source.operands.end() || prototype == nullptr) return false;
  if (callee->kind == Kind::reg) {
    if (register_bytes(callee->index) != 8) return false;
    Instruction instruction{.handler = control::call_indirect};
    instruction.operands[1] = register_operand(callee->index);
    emit_guarded(instruction, Flow::next);
    return true;
  }
  if (const auto function = symbols_.functions.find(callee->name); function != symbols_.functions.end()) {
    const bool launches = program_.functions[function->second].entry;
    emit_guarded({.handler = launches ? device_library::launch : control::call,
                  .offset = static_cast<std::int64_t>(result_.frame_bytes / 4 * kRowBytes),
                  .target = function->second},
                 Flow::next);
    return true;
  }
  if (is_failed_index(callee->name)) {
    if (const auto failed = failed_local_index(source_, position_)) {
      Instruction instruction{.handler = control::index_out_of_bounds};
      instruction.operands[0] = kNoOperand;
      if (failed->index_register) {
        instruction.operands[0] = register_operand(*failed->index_register);
        instruction.width = static_cast<std::uint8_t>(register_bytes(*failed->index_register));
      }
      emit_guarded(instruction, Flow::next);
    } else {
      emit({.handler = control::nothing});
    }
    return true;
  }
  if (const Handler handler = builtin_function(callee->name)) {
    emit_guarded(
        {.handler = handler, .offset = static_cast<std::int64_t>(result_.frame_bytes / 4 * kRowBytes)},
        Flow::next);
    return true;
  }
  const std::string name = function_name(callee->name);
  // Chooses the error message for a call of an undefined function: a mangled C++ name is a device function
  // whose definition the program lacks; any other name is a compiler built-in that the simulator does not
  // support.
  const bool of_program = callee->name.starts_with("_Z") && !name.starts_with("operator");
  unsupported(
      source,
      fmt::format("function {}{}", name,
                  of_program
                      ? ", which is declared but defined in no file of the program (name the file that "
                        "defines it, too, or put it into a header)"
                      : ""));
  return true;
}

// Decodes bar.sync a{, b}; bar.arrive a, b; bar.red.popc.u32 d, a{, b}, {!}p.
bool FunctionDecoder::block_barrier(const ptx::Instruction& source, const Opcode& opcode) {
  std::string name = opcode.name;
  if (name.starts_with("barrier.")) name = "bar." + name.substr(8);
  if (name.starts_with("bar.cta.")) name = "bar." + name.substr(8);
  if (name.ends_with(".aligned")) name.resize(name.size() - 8);
  Instruction instruction{.handler = control::block_barrier};
  instruction.operands.fill(kNoOperand);
  auto how = BlockBarrier::sync;
  if (name == "bar.red.popc")
    how = BlockBarrier::population_count;
  else if (name == "bar.red.and")
    how = BlockBarrier::all_of;
  else if (name == "bar.red.or")
    how = BlockBarrier::any_of;
  else if (name == "bar.arrive")
    how = BlockBarrier::arrive;
  else if (name != "bar.sync")
    return false;
  instruction.detail = static_cast<std::uint8_t>(how);

  std::size_t next = 0;
  std::size_t last = source.operands.size();
  if (how == BlockBarrier::arrive && last != 2) return false;
  if (how != BlockBarrier::sync && how != BlockBarrier::arrive) {
    if (last < 3) return false;
    const auto result = value(source.operands[next++], how == BlockBarrier::population_count ? 4 : 0);
    const auto predicate = value(source.operands[--last], 0);
    if (!result || !predicate) return false;
    instruction.operands[0] = *result;
    instruction.operands[3] = *predicate;
    instruction.offset = source.operands[last].negated ? 1 : 0;
  }
  for (std::size_t operand = 1; next < last; ++next, ++operand) {
    const auto place = value(source.operands[next], 4);
    if (!place || operand > 2) return false;
    instruction.operands[operand] = *place;
  }
  if (instruction.operands[1] == kNoOperand) instruction.operands[1] = symbols_.constants.add(0, 4);
  emit_guarded(instruction, Flow::next);
  return true;
}

// Decodes shfl.sync.down.b32 d|p, a, b, c, members; vote.sync.any.pred d, {!}a, members; redux.sync.add.s32
// d, a, members.
bool FunctionDecoder::collective(const ptx::Instruction& source, const Opcode& opcode) {
  const auto* found =
      std::find_if(std::begin(kCollectives), std::end(kCollectives), [&](const CollectiveName& entry) {
        return entry.name == opcode.name &&
               entry.type == (opcode.types.empty() ? Type::none : opcode.types[0]);
      });
  if (found == std::end(kCollectives)) return false;
  const bool results = found->how != Collective::barrier;
  if (source.operands.size() != (results ? 2U : 1U) + found->sources) return false;
  Instruction instruction{.handler = control::collective};
  instruction.operands.fill(kNoOperand);
  instruction.detail = static_cast<std::uint8_t>(found->how);
  const bool vote = opcode.parts.front() == "vote";
  std::size_t next = 0;
  if (results) {
    const ptx::Operand& to = source.operands[next++];
    const bool pair = to.kind == Kind::pair;
    const ptx::Operand& first = pair ? to.elements[0] : to;
    if (first.kind != Kind::sink) {
      const auto place = value(first, found->type == Type::pred ? 0 : 4);
      if (!place) return false;
      instruction.operands[0] = *place;
    }
    if (pair && to.elements[1].kind != Kind::sink) {
      const auto place = value(to.elements[1], 0);
      if (!place) return false;
      instruction.operands[kPredicateOperand] = *place;
    }
  }
  for (std::size_t i = 0; i < found->sources; ++i, ++next) {
    const auto place = value(source.operands[next], vote ? 0 : 4);
    if (!place) return false;
    instruction.operands[1 + i] = *place;
    if (source.operands[next].negated) instruction.offset = 1;
  }
  const auto members = value(source.operands[next], 4);
  if (!members) return false;
  instruction.operands[kAddressOperand] = *members;
  // Instruction::target of a warp collective is 0 if its member mask provably names all 32 lanes, else 1: the
  // race detector (watch/launch_shadow.cpp) must then expect that subsets of a warp synchronise separately.
  instruction.target = masks_.names_all(source.operands[next]) ? 0 : 1;
  emit_guarded(instruction, Flow::next);
  return true;
}

}  // namespace warpmark::simulator

// Decodes PTX arithmetic, comparisons, conversions and moves.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "harness/simulator/decode/function_decoder.h"
#include "harness/simulator/engine/machine/control_operations.h"

namespace warpmark::simulator {

using ptx::Type;
using Kind = ptx::Operand::Kind;

bool FunctionDecoder::value_instruction(const ptx::Instruction& source, const Opcode& opcode) {
  const std::string_view base = opcode.parts.front();
  if (base == "mov") return move(source, opcode);
  if (base == "cvta") return convert_address(source, opcode);
  if (base == "setp") return set_predicate(source, opcode);
  if (base == "cvt") return convert(source, opcode);
  return arithmetic(source, opcode);
}

// Emits an extra instruction on a float: `how` selects flushing denormals to zero or saturating to [0, 1].
void FunctionDecoder::clean_float(const char* how, Operand from, Operand to) {
  static constexpr std::array<Type, 2> kFloat{Type::f32, Type::f32};
  const bool flush = std::string_view(how) == "flush";
  const Operation operation = flush ? operations().real({how, std::span(kFloat).first(1)})
                                    : operations().convert({how, kFloat}, 4, 4);
  emit({.handler = operation.handler, .operands = {to, from}});
}

// Emits an arithmetic operation with the operands that its table entry describes. Extra instructions
// implement .ftz (flushes float operands and results to zero) and .sat (clamps the result to [0, 1]).
bool FunctionDecoder::apply(const Operation& operation, const ptx::Instruction& source, const Opcode& opcode,
                            bool is_real) {
  if (operation.handler == nullptr || source.operands.size() != operation.count) return false;
  const bool flush = opcode.has("ftz");
  const bool saturate = opcode.has("sat") && opcode.parts.front() != "cvt";
  if (saturate && opcode.type() != Type::f32) return false;
  Instruction instruction{.handler = operation.handler};
  for (std::size_t i = 0; i < operation.count; ++i) {
    const ptx::Operand& operand = source.operands[i];
    if (i == 0 && operand.kind != Kind::reg) return false;
    const auto place = value(operand, operation.sizes[i]);
    if (!place) return false;
    instruction.operands[i] = *place;
    if (flush && i > 0 && opcode.type() == Type::f32 && operation.sizes[i] == 4) {
      instruction.operands[i] = temporary(4);
      clean_float("flush", *place, instruction.operands[i]);
    }
    if (operand.negated) {
      // Only predicate operands can be negated in PTX: sources of a logical operation, or the selector of
      // selp.
      const bool choice = operation.sizes[0] != 0;
      instruction.detail = static_cast<std::uint8_t>(instruction.detail | (choice ? 1U : 1U << i));
    }
  }
  const Operand result = instruction.operands[0];
  const ValueOperand value{
      .pc = emit(instruction), .operand = result, .bytes = operation.sizes[0], .is_real = is_real};
  if (is_real) program_.values.push_back(value);
  if (flush && opcode.types.front() == Type::f32) clean_float("flush", result, result);
  if (saturate) clean_float("cvt.sat", result, result);
  return true;
}

bool FunctionDecoder::arithmetic(const ptx::Instruction& source, const Opcode& opcode) {
  const Mnemonic mnemonic{opcode.name, opcode.types};
  for (const auto find : {operations().moves, operations().integer, operations().bits, operations().real,
                          operations().compare}) {
    const Operation found = find(mnemonic);
    if (found.handler != nullptr) return apply(found, source, opcode, find == operations().real);
  }
  return false;
}

bool FunctionDecoder::move(const ptx::Instruction& source, const Opcode& opcode) {
  if (source.operands.size() != 2) return false;
  const ptx::Operand& to = source.operands[0];
  const ptx::Operand& from = source.operands[1];
  const std::size_t size = size_of(opcode.type());
  const bool pack = from.kind == Kind::vector;
  // mov that packs a vector into one register (mov.b64 %rd1, {%r1, %r2}) or unpacks it
  if (pack || to.kind == Kind::vector) {
    const auto& parts = pack ? from.elements : to.elements;
    if (parts.empty() || (parts.size() != 2 && parts.size() != 4)) return false;
    const std::size_t part = size / parts.size();
    Instruction instruction;
    instruction.operands.fill(kNoOperand);
    instruction.handler =
        (pack ? operations().pack : operations().unpack)({opcode.type(), part, parts.size()});
    const auto whole = value(pack ? to : from, size);
    if (instruction.handler == nullptr || !whole) return false;
    instruction.operands[kAddressOperand] = *whole;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].kind == Kind::sink) continue;
      const auto place = value(parts[i], part);
      if (!place) return false;
      instruction.operands[i] = *place;
    }
    emit(instruction);
    return true;
  }
  if (to.kind != Kind::reg) return false;
  if (from.kind == Kind::symbol) {
    if (const auto offset = frame_offset(from.name); offset && size == 8) {
      emit({.handler = operations().frame_address,
            .operands = {register_operand(to.index)},
            .offset = static_cast<std::int64_t>(*offset) + from.offset,
            .space = ptx::Space::local});
      return true;
    }
    if (from.name == "%clock" || from.name == "%clock64" || from.name == "%globaltimer") {
      if (register_bytes(to.index) != size) return false;
      emit({.handler = control::clock,
            .operands = {register_operand(to.index)},
            .width = static_cast<std::uint8_t>(size)});
      return size == 4 || size == 8;
    }
  }
  return arithmetic(source, opcode);
}

// Decodes cvta. A generic address equals a shared or local address plus the start of its window; global and
// constant addresses are generic already.
bool FunctionDecoder::convert_address(const ptx::Instruction& source, const Opcode& opcode) {
  if (opcode.type() != Type::u64 || source.operands.size() != 2) return false;
  const bool to_space = opcode.has("to");
  Operand window = symbols_.constants.add(0, 8);
  if (opcode.has("shared"))
    window = operand_of(BlockRow::shared_window);
  else if (opcode.has("local"))
    window = operand_of(BlockRow::local_window);
  else if (!opcode.has("global") && !opcode.has("const"))
    return false;
  const auto from = value(source.operands[1], 8);
  if (!from && frame_offset(source.operands[1].name) && !to_space && opcode.has("local")) {
    emit({.handler = operations().frame_address,
          .operands = {register_operand(source.operands[0].index)},
          .offset = static_cast<std::int64_t>(*frame_offset(source.operands[1].name))});
    return true;
  }
  const auto to = value(source.operands[0], 8);
  if (!from || !to) return false;
  const std::array<Type, 1> word{Type::u64};
  const Operation sum = operations().integer({to_space ? "sub" : "add", word});
  emit({.handler = sum.handler, .operands = {*to, *from, window}});
  return true;
}

bool FunctionDecoder::set_predicate(const ptx::Instruction& source, const Opcode& opcode) {
  Instruction instruction;
  instruction.operands.fill(kNoOperand);
  std::string name = opcode.name;
  const auto combined = [&](std::string_view suffix, std::uint8_t how) {
    if (!name.ends_with(suffix)) return;
    name.resize(name.size() - suffix.size());
    instruction.detail = how;
  };
  combined(".and", kCombineAnd);
  combined(".xor", kCombineXor);
  combined(".or", kCombineOr);
  const Operation operation = operations().compare({name, opcode.types});
  const std::size_t expected = instruction.detail == 0 ? 3 : 4;
  if (operation.handler == nullptr || source.operands.size() != expected) return false;
  instruction.handler = operation.handler;

  const auto predicate = [&](const ptx::Operand& operand, Operand& place) {
    if (operand.kind == Kind::sink) return true;
    const auto found = value(operand, 0);
    if (found) place = *found;
    return found.has_value();
  };
  const ptx::Operand& to = source.operands[0];
  const bool pair = to.kind == Kind::pair;
  if (!predicate(pair ? to.elements[0] : to, instruction.operands[0])) return false;
  if (pair && !predicate(to.elements[1], instruction.operands[kPredicateOperand])) return false;
  for (std::size_t i = 1; i <= 2; ++i) {
    const auto place = value(source.operands[i], operation.sizes[i]);
    if (!place) return false;
    instruction.operands[i] = *place;
    if (opcode.has("ftz")) {
      instruction.operands[i] = temporary(4);
      clean_float("flush", *place, instruction.operands[i]);
    }
  }
  if (expected == 4) {
    if (!predicate(source.operands[3], instruction.operands[3])) return false;
    if (source.operands[3].negated) instruction.detail |= kCombineNegated;
  }
  emit(instruction);
  return true;
}

bool FunctionDecoder::convert(const ptx::Instruction& source, const Opcode& opcode) {
  if (source.operands.size() != 2 || source.operands[0].kind != Kind::reg) return false;
  const std::size_t to = register_bytes(source.operands[0].index);
  const bool from_register = source.operands[1].kind == Kind::reg;
  const std::size_t from = from_register ? register_bytes(source.operands[1].index)
                                         : std::max<std::size_t>(2, size_of(opcode.type()));
  return apply(operations().convert({opcode.name, opcode.types}, to, from), source, opcode);
}

}  // namespace warpmark::simulator

// Decodes mma.sync, ldmatrix and cp.async into loads, stores, moves and a warp-wide matrix operation.
#include <algorithm>
#include <array>

#include "harness/simulator/decode/function_decoder.h"
#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/engine/machine/matrix_operations.h"

namespace warpmark::simulator {
namespace {

using ptx::Type;
using Kind = ptx::Operand::Kind;

constexpr std::size_t kWord = 4;

}  // namespace

bool FunctionDecoder::matrix_instruction(const ptx::Instruction& source, const Opcode& opcode) {
  const std::string_view base = opcode.parts.front();
  if (base == "mma") return multiply_matrices(source, opcode);
  if (base == "ldmatrix") return load_matrices(source, opcode);
  if (base == "cp" && opcode.has("async")) return copy_asynchronously(source, opcode);
  return false;
}

// Allocates `count` consecutive temporary registers of the simulated warp, 4 bytes per lane each, and returns
// the first.
Operand FunctionDecoder::temporaries(std::size_t count) {
  const Operand first = temporary(kWord);
  for (std::size_t i = 1; i < count; ++i) temporary(kWord);
  return first;
}

bool FunctionDecoder::move_words(const std::vector<ptx::Operand>& from, Operand to) {
  const std::array<Type, 1> word{Type::b32};
  const Handler copy = operations().moves({"mov", word}).handler;
  for (const ptx::Operand& each : from) {
    const auto place = value(each, kWord);
    if (!place) return false;
    emit({.handler = copy, .operands = {to, *place}});
    to += static_cast<Operand>(kRowBytes);
  }
  return true;
}

bool FunctionDecoder::take_words(Operand from, const std::vector<ptx::Operand>& to) {
  const std::array<Type, 1> word{Type::b32};
  const Handler copy = operations().moves({"mov", word}).handler;
  for (const ptx::Operand& each : to) {
    const auto place = value(each, kWord);
    if (!place || each.kind != Kind::reg) return false;
    emit({.handler = copy, .operands = {*place, from}});
    from += static_cast<Operand>(kRowBytes);
  }
  return true;
}

// Decodes mma.sync.aligned.m16n8k16.row.col{.satfinite}.f32.f16.f16.f32 d, a, b, c.
bool FunctionDecoder::multiply_matrices(const ptx::Instruction& source, const Opcode& opcode) {
  const auto& parts = opcode.parts;
  if (parts.size() < 10 || source.operands.size() != 4 || !opcode.has("row") || !opcode.has("col") ||
      opcode.has("satfinite"))
    return false;
  const std::size_t types = parts.size() - 4;
  const auto shape = matrix::shape_named(parts[3], parts[types], parts[types + 1], parts[types + 2]);
  if (!shape || parts[types] != parts[types + 3]) return false;
  const std::array<std::size_t, 4> counts{shape->registers_of_sums(), shape->registers_of_a(),
                                          shape->registers_of_b(), shape->registers_of_sums()};
  std::array<std::vector<ptx::Operand>, 4> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const ptx::Operand& operand = source.operands[i];
    words[i] = operand.kind == Kind::vector ? operand.elements : std::vector<ptx::Operand>{operand};
    if (words[i].size() != counts[i]) return false;
  }
  const Operand first = temporaries(counts[0] + counts[1] + counts[2] + counts[3]);
  Operand to = first + static_cast<Operand>(counts[0] * kRowBytes);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!move_words(words[i], to)) return false;
    to += static_cast<Operand>(counts[i] * kRowBytes);
  }
  emit({.handler = matrix::multiply(*shape), .operands = {first}});
  return take_words(first, words[0]);
}

// Decodes ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {r, ...}, [address]: each lane loads one 16-byte
// row, then the rows are distributed over the lanes.
bool FunctionDecoder::load_matrices(const ptx::Instruction& source, const Opcode& opcode) {
  const std::uint8_t count = opcode.has("x4") ? 4 : opcode.has("x2") ? 2 : opcode.has("x1") ? 1 : 0;
  if (count == 0 || !opcode.has("m8n8") || opcode.parts.back() != "b16" || source.operands.size() != 2 ||
      source.operands[1].kind != Kind::address || current_->guard >= 0)
    return false;
  const ptx::Operand& results = source.operands[0];
  const auto words = results.kind == Kind::vector ? results.elements : std::vector<ptx::Operand>{results};
  if (words.size() != count) return false;
  const auto space =
      opcode.has("shared") || opcode.has("shared::cta") ? ptx::Space::shared : ptx::Space::none;
  const AddressOperand at = address(source.operands[1], space);
  if (at.kind != AddressOperand::Kind::memory) return false;
  const Operand rows = temporaries(std::size_t{4} + count);
  Instruction load = access_of_words(4, at, true);
  for (std::size_t i = 0; i < 4; ++i) load.operands[i] = rows + static_cast<Operand>(i * kRowBytes);
  // In ldmatrix eight lanes per matrix supply row addresses and load one row each; the other lanes are masked
  // off.
  load.guard = symbols_.constants.add(count == 4 ? kAllLanes : (1U << (8 * count)) - 1, kWord);
  emit_access(load);
  emit({.handler = matrix::spread_rows,
        .operands = {rows},
        .detail = static_cast<std::uint8_t>(count + (opcode.has("trans") ? 8 : 0))});
  return take_words(rows + static_cast<Operand>(4 * kRowBytes), words);
}

// Builds a decoded load or store of 1, 2 or 4 consecutive 32-bit words; the caller must still set the
// registers that are loaded or stored.
Instruction FunctionDecoder::access_of_words(std::size_t words, const AddressOperand& at, bool load) {
  const Move move{.memory = Type::b32, .register_bytes = kWord, .vector = words};
  Instruction access{.handler = (load ? operations().load : operations().store)(move)};
  access.operands.fill(kNoOperand);
  access.operands[kAddressOperand] = at.base;
  access.offset = at.offset;
  access.space = at.space;
  access.width = static_cast<std::uint8_t>(kWord * words);
  access.detail = load ? 0 : kWord;
  access.target = program_.memory_slots++;
  return access;
}

// Decodes cp.async.ca.shared.global [to], [from], bytes{, bytes to read}. The copy is performed at once, with
// bytes beyond the number to read zero-filled; that it is not waited for is found by AsyncCopies.
bool FunctionDecoder::copy_asynchronously(const ptx::Instruction& source, const Opcode& opcode) {
  const auto& operands = source.operands;
  if (opcode.has("commit_group")) {
    emit({.handler = control::copies_committed});
    return true;
  }
  if (opcode.has("wait_group") || opcode.has("wait_all")) {
    const bool all = opcode.has("wait_all");
    if (!all && (operands.size() != 1 || operands[0].kind != Kind::integer)) return false;
    emit({.handler = control::copies_awaited,
          .offset = all ? -1 : static_cast<std::int64_t>(operands[0].bits)});
    return true;
  }
  if (opcode.has("bulk") || opcode.has("mbarrier") || operands.size() < 3 ||
      operands[0].kind != Kind::address || operands[1].kind != Kind::address ||
      operands[2].kind != Kind::integer)
    return false;
  const std::size_t words = operands[2].bits / kWord;
  if (operands[2].bits % kWord != 0 || (words != 1 && words != 2 && words != 4)) return false;
  const AddressOperand to = address(operands[0], ptx::Space::shared);
  const AddressOperand from = address(operands[1], ptx::Space::global);
  if (to.kind != AddressOperand::Kind::memory || from.kind != AddressOperand::Kind::memory) return false;
  const Operand held = temporaries(words);
  const auto word = [&](std::size_t i) { return held + static_cast<Operand>(i * kRowBytes); };
  const bool whole =
      operands.size() == 3 || (operands[3].kind == Kind::integer && operands[3].bits >= operands[2].bits);
  if (whole) {
    Instruction load = access_of_words(words, from, true);
    for (std::size_t i = 0; i < words; ++i) load.operands[i] = word(i);
    emit_access(load);
  } else if (!load_first_bytes(operands[3], words, from, held)) {
    return false;
  }
  Instruction store = access_of_words(words, to, false);
  for (std::size_t i = 0; i < words; ++i) store.operands[i] = word(i);
  Instruction started = store;
  started.handler = control::copy_started;
  started.site = program_.code[emit_access(store)].site;
  emit(started);
  return true;
}

// Implements cp.async with a source size known only at run time: loads the words one by one, each only if it
// begins within the source size, else zero-fills it.
bool FunctionDecoder::load_first_bytes(const ptx::Operand& count, std::size_t words,
                                       const AddressOperand& from, Operand to) {
  const auto bytes = value(count, kWord);
  if (!bytes || current_->guard >= 0) return false;
  const std::array<Type, 1> word{Type::b32}, number{Type::u32};
  const Operand zero = symbols_.constants.add(0, kWord);
  for (std::size_t i = 0; i < words; ++i) {
    const Operand held = to + static_cast<Operand>(i * kRowBytes);
    emit({.handler = operations().moves({"mov", word}).handler, .operands = {held, zero}});
    const Operand reached = temporary(kWord);
    Instruction test{.handler = operations().compare({"setp.gt", number}).handler};
    test.operands.fill(kNoOperand);
    test.operands[0] = reached;
    test.operands[1] = *bytes;
    test.operands[2] = symbols_.constants.add(kWord * i, kWord);
    emit(test);
    Instruction load = access_of_words(1, from, true);
    load.operands[0] = held;
    load.offset += static_cast<std::int64_t>(kWord * i);
    load.guard = reached;
    emit_access(load);
  }
  return true;
}

}  // namespace warpmark::simulator

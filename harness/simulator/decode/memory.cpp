// Decodes PTX loads, stores and atomic operations: ld, st, atom, red.
#include <algorithm>
#include <span>

#include "harness/simulator/decode/function_decoder.h"
#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/ptx/atomic_detail.h"

namespace warpmark::simulator {
namespace {

using ptx::Space;
using ptx::Type;
using Kind = ptx::Operand::Kind;

// PTX load and store qualifiers that do not change how the simulator executes the access: cache hints, scopes
// and memory orders (an acquire or release order additionally emits a fence).
constexpr std::string_view kIgnored[] = {"volatile", "weak", "relaxed", "acquire", "release", "acq_rel",
                                         "cta",      "gpu",  "sys",     "cluster", "ca",      "cg",
                                         "cs",       "lu",   "cv",      "wb",      "wt",      "nc"};

// PTX qualifiers that make a load or store atomic with respect to other threads.
constexpr std::string_view kAtomicAccesses[] = {"relaxed", "acquire", "release", "acq_rel"};

struct NamedSpace {
  std::string_view name;
  Space space;
};
constexpr NamedSpace kSpaces[] = {{"global", Space::global},      {"shared", Space::shared},
                                  {"local", Space::local},        {"param", Space::param},
                                  {"const", Space::constant},     {"shared::cta", Space::shared},
                                  {"param::entry", Space::param}, {"param::func", Space::param}};

const NamedSpace* space_named(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kSpaces), std::end(kSpaces), [&](const auto& e) { return e.name == name; });
  return found == std::end(kSpaces) ? nullptr : found;
}

bool ignored(std::string_view part) {
  return std::find(std::begin(kIgnored), std::end(kIgnored), part) != std::end(kIgnored) ||
         part.starts_with("L1::") || part.starts_with("L2::");
}

std::int64_t rows_to(std::size_t frame_offset) {
  return static_cast<std::int64_t>(frame_offset / 4 * kRowBytes + frame_offset % 4);
}

}  // namespace

bool FunctionDecoder::memory_instruction(const ptx::Instruction& source, const Opcode& opcode) {
  const std::string_view base = opcode.parts.front();
  const bool ordered = opcode.has("acquire") || opcode.has("release") || opcode.has("acq_rel");
  const Instruction fence{.handler = control::fence,
                          .detail = static_cast<std::uint8_t>(opcode.has("cta") ? 1 : 0)};
  bool known = false;
  if (base == "ld" || base == "ldu" || base == "st") {
    if (ordered) emit(fence);
    known = load_or_store(source, opcode);
  } else if (base == "atom" || base == "red") {
    known = atomic(source, opcode);
  }
  if (known && ordered) emit(fence);
  return known;
}

std::optional<std::size_t> FunctionDecoder::frame_offset(const std::string& name) const {
  const auto found = frame_places_.find(name);
  return found == frame_places_.end() ? std::nullopt : std::optional(found->second);
}

FunctionDecoder::AddressOperand FunctionDecoder::address(const ptx::Operand& operand, Space space) {
  AddressOperand result;
  result.offset = operand.offset;
  // A device function's parameters are on the stack, so their addresses are local addresses.
  result.space = space == Space::param && !source_.entry ? Space::local : space;
  result.kind = AddressOperand::Kind::memory;
  if (operand.index >= 0) {
    // -O0 code addresses local variables through %SP and %SPL, which clang sets once to the start of the
    // depot (the stack area of local variables).
    const std::string& name = source_.registers[static_cast<std::size_t>(operand.index)].name;
    const bool in_depot = operand.offset >= 0 && static_cast<std::size_t>(operand.offset) < depot_bytes_;
    if (in_depot && ((name == "%SP" && space == Space::none) || (name == "%SPL" && space == Space::local))) {
      result.kind = AddressOperand::Kind::frame;
      result.frame_offset = depot_offset_ + static_cast<std::size_t>(operand.offset);
      return result;
    }
    result.base = register_operand(operand.index);
    // A 32-bit address register holds a shared-memory address, so it is zero-extended to 64 bits.
    if (register_bytes(operand.index) == 4) {
      const std::array<Type, 2> widen{Type::u64, Type::u32};
      const Operand wide = temporary(8);
      emit({.handler = operations().convert({"cvt", widen}, 8, 4).handler, .operands = {wide, result.base}});
      result.base = wide;
    }
    return result;
  }
  if (operand.name.empty()) {
    result.base = symbols_.constants.add(0, 8);
    return result;
  }
  if (const auto place = frame_offset(operand.name); place && operand.offset >= 0) {
    result.kind = AddressOperand::Kind::frame;
    result.frame_offset = *place + static_cast<std::size_t>(operand.offset);
    return result;
  }
  if (const auto parameter = parameter_places_.find(operand.name); parameter != parameter_places_.end()) {
    result.kind = operand.offset >= 0 ? AddressOperand::Kind::parameter : AddressOperand::Kind::unknown;
    result.frame_offset = parameter->second + static_cast<std::size_t>(operand.offset);
    return result;
  }
  ptx::Operand symbol = operand;
  symbol.offset = 0;
  const auto base = symbol_value(symbol, 8);
  if (!base) result.kind = AddressOperand::Kind::unknown;
  result.base = base.value_or(kNoOperand);
  return result;
}

bool FunctionDecoder::load_or_store(const ptx::Instruction& source, const Opcode& opcode) {
  const bool load = opcode.parts.front() != "st";
  if (source.operands.size() != 2 || opcode.types.size() != 1) return false;
  Space space = Space::none;
  Move move{.memory = opcode.type()};
  for (std::size_t i = 1; i + 1 < opcode.parts.size(); ++i) {
    const std::string_view part = opcode.parts[i];
    if (const NamedSpace* named = space_named(part))
      space = named->space;
    else if (part == "v2" || part == "v4")
      move.vector = part == "v2" ? 2 : 4;
    else if (!ignored(part))
      return false;
  }
  const ptx::Operand& values = source.operands[load ? 0 : 1];
  const ptx::Operand& where = source.operands[load ? 1 : 0];
  if (where.kind != Kind::address || (values.kind == Kind::vector) != (move.vector > 1)) return false;

  std::vector<ptx::Operand> single{values};
  const auto& elements = values.kind == Kind::vector ? values.elements : single;
  if (elements.size() != move.vector) return false;
  move.register_bytes = std::max<std::size_t>(2, size_of(move.memory));
  for (const auto& element : elements) {
    if (element.kind == Kind::reg) move.register_bytes = register_bytes(element.index);
  }
  Instruction instruction;
  instruction.operands.fill(kNoOperand);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].kind == Kind::sink && load) continue;
    if (load && elements[i].kind != Kind::reg) return false;
    const auto place = value(elements[i], move.register_bytes);
    if (!place) return false;
    instruction.operands[i] = *place;
  }
  instruction.width = static_cast<std::uint8_t>(size_of(move.memory) * move.vector);
  if (opcode.has("volatile")) instruction.strength = Strength::is_volatile;
  if (std::any_of(std::begin(kAtomicAccesses), std::end(kAtomicAccesses),
                  [&](std::string_view part) { return opcode.has(part); }))
    instruction.strength = opcode.has("cta") ? Strength::atomic_in_block : Strength::atomic;

  const AddressOperand at = address(where, space);
  instruction.space = at.space;
  instruction.offset = at.offset;
  switch (at.kind) {
    case AddressOperand::Kind::unknown:
      return false;
    case AddressOperand::Kind::frame:
      instruction.handler = (load ? operations().load_frame : operations().store_frame)(move);
      instruction.offset = rows_to(at.frame_offset);
      // A constant stack offset is within the frame, so only its alignment is checked.
      if (at.frame_offset % instruction.width != 0) return false;
      break;
    case AddressOperand::Kind::parameter:
      if (!load || at.frame_offset + instruction.width > result_.parameter_bytes) return false;
      std::fill_n(result_.parameter_reads.begin() + static_cast<std::ptrdiff_t>(at.frame_offset),
                  instruction.width, true);
      instruction.handler = operations().load_parameter(move);
      instruction.offset = static_cast<std::int64_t>(at.frame_offset);
      break;
    case AddressOperand::Kind::memory:
      instruction.handler = (load ? operations().load : operations().store)(move);
      instruction.operands[kAddressOperand] = at.base;
      instruction.target = program_.memory_slots++;
      break;
  }
  if (instruction.handler == nullptr) return false;
  if (!load) instruction.detail = static_cast<std::uint8_t>(move.register_bytes);
  if (load && instruction.strength == Strength::atomic && opcode.has("sys")) instruction.detail = kForSystem;
  instruction.guess = load && guesses_[position_];
  if (at.kind != AddressOperand::Kind::memory) {
    emit(instruction);
    return true;
  }
  const std::uint32_t pc = emit_access(instruction);
  const auto moved = std::span(instruction.operands).first(kAddressOperand);
  const auto first = std::ranges::find_if(moved, [](Operand each) { return each != kNoOperand; });
  if (first != moved.end())
    program_.values.push_back({.pc = pc,
                               .operand = *first,
                               .bytes = static_cast<std::uint8_t>(move.register_bytes),
                               .is_source = !load});
  return true;
}

std::uint32_t FunctionDecoder::emit_access(const Instruction& instruction) {
  const std::uint32_t pc = emit(instruction);
  Instruction& emitted = program_.code[pc];
  const ptx::Location& at = program_.locations[emitted.location];
  const auto next = static_cast<std::uint16_t>(std::min<std::size_t>(program_.sites.size(), UINT16_MAX));
  const Site site{emitted.location, updates_[position_], polls_[position_]};
  const int sort = (site.update ? 1 : 0) + (site.poll ? 2 : 0);
  const auto [known, is_new] = symbols_.sites.emplace(std::tuple(at.file, at.line, at.caller, sort), next);
  if (is_new && next == program_.sites.size()) program_.sites.push_back(site);
  emitted.site = known->second < program_.sites.size() ? known->second : 0;
  return pc;
}

// Decodes atom.global.gpu.add.u32 d, [a], b{, c} and red, its form without the result d.
bool FunctionDecoder::atomic(const ptx::Instruction& source, const Opcode& opcode) {
  const bool returns = opcode.parts.front() == "atom";
  if (opcode.types.size() != 1) return false;
  Space space = Space::none;
  std::string_view operation;
  for (std::size_t i = 1; i + 1 < opcode.parts.size(); ++i) {
    const std::string_view part = opcode.parts[i];
    if (const NamedSpace* named = space_named(part))
      space = named->space;
    else if (!ignored(part)) {
      if (!operation.empty()) return false;
      operation = part;
    }
  }
  const std::size_t first = returns ? 1 : 0;
  const std::size_t sources = operation == "cas" ? 2 : 1;
  if (source.operands.size() != first + 1 + sources || source.operands[first].kind != Kind::address)
    return false;
  const std::size_t size = size_of(opcode.type());
  Instruction instruction;
  instruction.operands.fill(kNoOperand);
  instruction.handler = operations().atomic(operation, opcode.type());
  instruction.width = static_cast<std::uint8_t>(size);
  instruction.strength = opcode.has("cta") ? Strength::atomic_in_block : Strength::atomic;
  if (instruction.handler == nullptr) return false;
  if (returns && source.operands[0].kind != Kind::sink) {
    const auto place = value(source.operands[0], size);
    if (!place || source.operands[0].kind != Kind::reg) return false;
    instruction.operands[0] = *place;
  }
  for (std::size_t i = 0; i < sources; ++i) {
    const auto place = value(source.operands[first + 1 + i], size);
    if (!place) return false;
    instruction.operands[1 + i] = *place;
  }
  AddressOperand at = address(source.operands[first], space);
  if (at.kind != AddressOperand::Kind::memory) {
    if (at.kind != AddressOperand::Kind::frame) return false;
    at.base = temporary(8);
    emit({.handler = operations().frame_address,
          .operands = {at.base},
          .offset = static_cast<std::int64_t>(at.frame_offset)});
    at.offset = 0;
    at.space = Space::none;
  }
  instruction.space = at.space;
  instruction.offset = at.offset;
  instruction.operands[kAddressOperand] = at.base;
  instruction.target = program_.memory_slots++;
  if (operation == "exch") instruction.detail |= kExchanges;
  if (opcode.has("sys")) instruction.detail |= kForSystem;
  const std::uint32_t pc = emit_access(instruction);
  program_.values.push_back({.pc = pc,
                             .operand = instruction.operands[sources],
                             .bytes = static_cast<std::uint8_t>(size),
                             .is_source = true});
  if (operation == "cas" && instruction.operands[0] != kNoOperand) {
    program_.values.push_back(
        {.pc = pc, .operand = instruction.operands[0], .bytes = static_cast<std::uint8_t>(size)});
  }
  return true;
}

}  // namespace warpmark::simulator

#include "harness/simulator/decode/function_decoder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "harness/simulator/decode/guesses.h"
#include "harness/simulator/decode/names.h"
#include "harness/simulator/decode/updates.h"
#include "harness/simulator/engine/machine/control_operations.h"

namespace warpmark::simulator {
namespace {

constexpr std::size_t kSlot = 64;  // alignment in bytes of a register's 32 per-lane values

std::size_t slot_bytes(std::size_t size) {
  return std::max(kSlot, size * kLanes);
}

}  // namespace

Operand ConstantPool::add(std::uint64_t bits, std::size_t size) {
  if (size < 8) bits &= (std::uint64_t{1} << (8 * size)) - 1;
  const auto [entry, added] = known_.try_emplace({size, bits}, 0);
  if (added) {
    entry->second = static_cast<Operand>(bytes_.size()) | kConstants;
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + slot_bytes(size));
    for (unsigned lane = 0; lane < kLanes; ++lane)
      std::memcpy(bytes_.data() + begin + lane * size, &bits, size);
  }
  return entry->second;
}

FrameLayout::FrameLayout(const ptx::Prototype& prototype) {
  const auto place = [&](const ptx::Variable& variable) {
    const std::size_t offset = round_up(bytes, std::max<std::size_t>(4, variable.alignment));
    bytes = offset + round_up(variable.bytes, 4);
    return offset;
  };
  for (const auto& variable : prototype.results) results.push_back(place(variable));
  for (const auto& variable : prototype.parameters) parameters.push_back(place(variable));
  bytes = round_up(bytes, 16);
}

std::vector<std::string_view> split_opcode(std::string_view opcode) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = opcode.find('.');
    parts.push_back(opcode.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    opcode.remove_prefix(dot + 1);
  }
}

bool FunctionDecoder::Opcode::has(std::string_view part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

FunctionDecoder::FunctionDecoder(const ptx::Function& source, Symbols& symbols, Program& program,
                                 ProgramFunction& result)
    : source_(source), symbols_(symbols), program_(program), result_(result), masks_(source) {
  registers_.assign(source.registers.size(), kNoOperand);
}

void FunctionDecoder::decode() {
  result_.begin = static_cast<std::uint32_t>(program_.code.size());
  lay_out();
  lay_out_shared();
  place_call_parameters();
  guesses_ = guesses_of(source_);
  polls_ = polls_of(source_);
  updates_ = updates_of(source_);
  const auto conditions = conditions_of(source_);
  for (const ptx::Instruction& instruction : source_.body) {
    position_ = pc_of_.size();
    pc_of_.push_back(static_cast<std::uint32_t>(program_.code.size()));
    const auto condition = conditions.find(position_);
    if (condition == conditions.end()) {
      statement(instruction);
      continue;
    }
    ptx::Instruction guarded = instruction;
    guarded.guard = condition->second.predicate;
    guarded.guard_negated = condition->second.negated;
    statement(guarded);
    current_ = nullptr;
  }
  pc_of_.push_back(static_cast<std::uint32_t>(program_.code.size()));
  // Emits the final instruction of a decoded PTX function. Falling off the function's end and every `ret`
  // lead to it, so that diverged lanes reconverge there.
  emit({.handler = source_.entry ? control::exit_lanes : control::function_return},
       source_.entry ? Flow::end : Flow::leave);
  result_.end = static_cast<std::uint32_t>(program_.code.size());
  resolve_branches();
  find_rejoins(program_.code, result_.begin, result_.end, flows_);
}

// Lays out the stack frame: results and parameters passed by the caller, then local variables. A kernel's
// parameters are in separate parameter memory instead.
void FunctionDecoder::lay_out() {
  std::size_t bytes = 0;
  if (source_.entry) {
    for (const auto& parameter : source_.prototype.parameters) {
      const std::size_t offset =
          round_up(result_.parameter_bytes, std::max<std::size_t>(1, parameter.alignment));
      parameter_places_[parameter.name] = offset;
      result_.parameter_offsets.push_back(offset);
      result_.parameter_sizes.push_back(parameter.bytes);
      result_.parameter_alignments.push_back(parameter.alignment);
      result_.parameter_bytes = offset + parameter.bytes;
    }
    result_.parameter_reads.resize(result_.parameter_bytes);
  } else {
    const FrameLayout layout(source_.prototype);
    const auto note = [&](const std::vector<ptx::Variable>& variables,
                          const std::vector<std::size_t>& offsets) {
      for (std::size_t i = 0; i < variables.size(); ++i) frame_places_[variables[i].name] = offsets[i];
    };
    note(source_.prototype.results, layout.results);
    note(source_.prototype.parameters, layout.parameters);
    bytes = layout.bytes;
  }
  for (const auto& variable : source_.variables) {
    if (variable.space != ptx::Space::local) continue;
    const std::size_t offset = round_up(bytes, std::max<std::size_t>(16, variable.alignment));
    if (variable.name.starts_with("__local_depot")) {
      depot_offset_ = offset;
      depot_bytes_ = variable.bytes;
    }
    frame_places_[variable.name] = offset;
    bytes = offset + round_up(variable.bytes, 4);
  }
  result_.frame_bytes = round_up(bytes, 16);
  for (ptx::LocalArray array : source_.arrays) {
    array.offset += depot_offset_;
    result_.arrays.push_back(std::move(array));
  }
}

// Lays out the kernel's shared memory: arrays of the module and of device functions, at the same offsets in
// all kernels, then the kernel's own arrays.
void FunctionDecoder::lay_out_shared() {
  if (!source_.entry) return;
  std::size_t bytes = result_.static_shared_bytes;
  for (const auto& variable : source_.variables) {
    if (variable.space != ptx::Space::shared) continue;
    const std::size_t offset = round_up(bytes, std::max<std::size_t>(1, variable.alignment));
    const std::size_t placed = behind_gap(offset, result_.shared_end);
    result_.shared_end = placed + variable.bytes;
    shared_places_[variable.name] = placed;
    result_.shared.push_back({variable_name(variable.name), placed, variable.bytes,
                              std::max<std::size_t>(size_of(variable.type), variable.alignment)});
    bytes = offset + variable.bytes;
  }
  result_.static_shared_bytes = bytes;
}

// Assigns stack offsets to the arguments and results of calls: they are at the start of the callee's frame,
// which follows this function's frame.
void FunctionDecoder::place_call_parameters() {
  for (const auto& instruction : source_.body) {
    if (!instruction.opcode.starts_with("call")) continue;
    const ptx::Prototype* prototype = called_prototype(instruction);
    if (prototype == nullptr) continue;
    const FrameLayout layout(*prototype);
    result_.outgoing_bytes = std::max(result_.outgoing_bytes, layout.bytes);
    bool callee_seen = false;
    for (const auto& operand : instruction.operands) {
      if (operand.kind != ptx::Operand::Kind::group) {
        callee_seen = true;
        continue;
      }
      const auto& offsets = callee_seen ? layout.parameters : layout.results;
      for (std::size_t i = 0; i < operand.elements.size() && i < offsets.size(); ++i) {
        frame_places_[operand.elements[i].name] = result_.frame_bytes + offsets[i];
      }
    }
  }
}

void FunctionDecoder::statement(const ptx::Instruction& source) {
  current_ = &source;
  Opcode opcode;
  opcode.parts = split_opcode(source.opcode);
  for (const auto& part : opcode.parts) {
    if (const ptx::Type type = ptx::type_named(part);
        type != ptx::Type::none && &part != &opcode.parts.front()) {
      opcode.types.push_back(type);
      continue;
    }
    // The operation table is keyed by the PTX opcode without .ftz (flush denormals) and .sat (clamp to [0,
    // 1]), except cvt's .sat: the decoder emits extra instructions for these two qualifiers.
    if (part == "ftz" || (part == "sat" && opcode.parts.front() != "cvt")) continue;
    if (!opcode.name.empty()) opcode.name += '.';
    opcode.name += part;
  }
  if (!control_instruction(source, opcode) && !memory_instruction(source, opcode) &&
      !matrix_instruction(source, opcode) && !value_instruction(source, opcode)) {
    unsupported(source);
  }
}

std::uint32_t FunctionDecoder::emit(Instruction instruction, Flow flow) {
  if (current_ != nullptr) {
    if (program_.locations.empty() || !(program_.locations.back() == current_->location)) {
      program_.locations.push_back(current_->location);
    }
    instruction.location = static_cast<std::uint32_t>(program_.locations.size() - 1);
    if (flow == Flow::next && current_->guard >= 0) {
      instruction.guard = register_operand(current_->guard);
      instruction.guard_negated = current_->guard_negated;
    }
  }
  program_.code.push_back(instruction);
  flows_.push_back(flow);
  return static_cast<std::uint32_t>(program_.code.size() - 1);
}

void FunctionDecoder::emit_guarded(Instruction instruction, Flow flow) {
  std::optional<std::uint32_t> around;
  if (current_->guard >= 0) {
    Instruction skip{.handler = control::branch};
    skip.operands[0] = register_operand(current_->guard);
    skip.detail = current_->guard_negated ? 0 : 1;
    around = emit(skip, Flow::branch);
  }
  const std::uint32_t pc = emit(instruction, flow);
  program_.code[pc].guard = kNoOperand;
  if (around) program_.code[*around].target = pc + 1;
}

void FunctionDecoder::unsupported(const ptx::Instruction& source, std::string_view why) {
  const std::string what = why.empty() ? fmt::format("instruction {}", source.opcode) : std::string(why);
  program_.unsupported.push_back(fmt::format(
      "the simulator does not know the {}; a GPU may run this kernel, the simulator cannot", what));
  const std::uint32_t pc = emit({.handler = control::unsupported,
                                 .target = static_cast<std::uint32_t>(program_.unsupported.size() - 1)});
  program_.unsupported_at.push_back(pc);
}

std::size_t FunctionDecoder::register_bytes(int index) const {
  return size_of(source_.registers[static_cast<std::size_t>(index)].type);
}

Operand FunctionDecoder::temporary(std::size_t size) {
  const auto place = static_cast<Operand>(result_.register_bytes);
  result_.register_bytes += slot_bytes(size);
  return place;
}

// Returns the storage of a PTX register, which is allocated on first use.
Operand FunctionDecoder::register_operand(int index) {
  Operand& place = registers_[static_cast<std::size_t>(index)];
  if (place == kNoOperand) place = temporary(register_bytes(index));
  return place;
}

std::optional<Operand> FunctionDecoder::value(const ptx::Operand& operand, std::size_t size) {
  switch (operand.kind) {
    case ptx::Operand::Kind::reg:
      if (register_bytes(operand.index) != size) return std::nullopt;
      return register_operand(operand.index);
    case ptx::Operand::Kind::integer:
      // A predicate constant, as in mov.pred %p1, -1, has the mask of all lanes or no lane.
      if (size == 0) return symbols_.constants.add(operand.bits != 0 ? kAllLanes : 0, 4);
      return symbols_.constants.add(operand.bits, size);
    case ptx::Operand::Kind::real:
      if (size == size_of(operand.type)) return symbols_.constants.add(operand.bits, size);
      if (size == 4) {
        const auto narrow = static_cast<float>(std::bit_cast<double>(operand.bits));
        return symbols_.constants.add(std::bit_cast<std::uint32_t>(narrow), size);
      }
      return std::nullopt;
    case ptx::Operand::Kind::symbol:
      return symbol_value(operand, size);
    default:
      return std::nullopt;
  }
}

struct SpecialRegister {
  std::string_view name;
  Operand operand;
};
constexpr SpecialRegister kSpecialRegisters[] = {
    {"%tid.x", operand_of(WarpRow::tid_x)},         {"%tid.y", operand_of(WarpRow::tid_y)},
    {"%tid.z", operand_of(WarpRow::tid_z)},         {"%laneid", operand_of(WarpRow::laneid)},
    {"%warpid", operand_of(WarpRow::warpid)},       {"%lanemask_eq", operand_of(WarpRow::mask_eq)},
    {"%lanemask_lt", operand_of(WarpRow::mask_lt)}, {"%lanemask_le", operand_of(WarpRow::mask_le)},
    {"%lanemask_gt", operand_of(WarpRow::mask_gt)}, {"%lanemask_ge", operand_of(WarpRow::mask_ge)},
    {"%ntid.x", operand_of(BlockRow::ntid_x)},      {"%ntid.y", operand_of(BlockRow::ntid_y)},
    {"%ntid.z", operand_of(BlockRow::ntid_z)},      {"%ctaid.x", operand_of(BlockRow::ctaid_x)},
    {"%ctaid.y", operand_of(BlockRow::ctaid_y)},    {"%ctaid.z", operand_of(BlockRow::ctaid_z)},
    {"%nctaid.x", operand_of(BlockRow::nctaid_x)},  {"%nctaid.y", operand_of(BlockRow::nctaid_y)},
    {"%nctaid.z", operand_of(BlockRow::nctaid_z)},  {"%nwarpid", operand_of(BlockRow::nwarpid)},
    {"%smid", operand_of(BlockRow::smid)},          {"%nsmid", operand_of(BlockRow::nsmid)},
};

std::optional<Operand> FunctionDecoder::symbol_value(const ptx::Operand& operand, std::size_t size) {
  if (operand.name.starts_with('%')) {
    const auto* found =
        std::find_if(std::begin(kSpecialRegisters), std::end(kSpecialRegisters),
                     [&](const SpecialRegister& entry) { return entry.name == operand.name; });
    if (found == std::end(kSpecialRegisters) || size != 4) return std::nullopt;
    return found->operand;
  }
  const auto constant = [&](Address address) -> std::optional<Operand> {
    if (size != 8 && size != 4) return std::nullopt;
    return symbols_.constants.add(address + static_cast<Address>(operand.offset), size);
  };
  if (const auto own = shared_places_.find(operand.name); own != shared_places_.end())
    return constant(own->second);
  if (const auto place = symbols_.shared_offsets.find(operand.name); place != symbols_.shared_offsets.end()) {
    return constant(place->second);
  }
  if (symbols_.dynamic_shared.contains(operand.name) && operand.offset == 0 && size == 8) {
    return operand_of(BlockRow::dynamic_shared);
  }
  if (size != 8) return std::nullopt;
  if (const auto global = symbols_.variables.find(operand.name); global != symbols_.variables.end()) {
    return constant(global->second);
  }
  if (const auto function = symbols_.functions.find(operand.name); function != symbols_.functions.end()) {
    return constant(function_address(function->second));
  }
  if (const auto parameter = parameter_places_.find(operand.name); parameter != parameter_places_.end()) {
    // Code that has a parameter's address may read all of it.
    const auto& offsets = result_.parameter_offsets;
    const auto which = std::ranges::find(offsets, parameter->second) - offsets.begin();
    std::fill_n(result_.parameter_reads.begin() + static_cast<std::ptrdiff_t>(parameter->second),
                result_.parameter_sizes[static_cast<std::size_t>(which)], true);
    return constant(parameter->second);
  }
  return std::nullopt;
}

void FunctionDecoder::resolve_branches() {
  for (const auto& [pc, index] : branches_) program_.code[pc].target = pc_of_[index];
  for (const std::uint32_t pc : returns_) program_.code[pc].target = result_.end - 1;
  for (std::uint32_t pc = result_.begin; pc < result_.end; ++pc) {
    Instruction& instruction = program_.code[pc];
    if (instruction.target > pc) continue;
    if (instruction.handler == control::jump) instruction.handler = control::jump_back;
    if (instruction.handler == control::branch) instruction.handler = control::branch_back;
  }
}

}  // namespace warpmark::simulator

// Decodes one PTX function. An unsupported instruction becomes one that reports a finding when it is
// executed.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "harness/simulator/decode/control_flow.h"
#include "harness/simulator/decode/decoder.h"
#include "harness/simulator/decode/lane_masks.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator {

// Constants of a program, without duplicates. Each is stored as 32 equal values, one per lane, like a
// register.
class ConstantPool {
 public:
  Operand add(std::uint64_t bits, std::size_t size);
  Bytes take() { return std::move(bytes_); }

 private:
  std::map<std::pair<std::size_t, std::uint64_t>, Operand> known_;
  Bytes bytes_;
};

// Symbol tables used to decode a PTX function.
struct Symbols {
  const ptx::Module& module;
  const VariableAddresses& variables;
  // maps a function's name to its index in Program::functions
  std::unordered_map<std::string, std::uint32_t> functions;
  // Maps the name of a static __shared__ array to its byte offset in shared memory.
  std::unordered_map<std::string, std::size_t> shared_offsets;
  // Set of the names of extern __shared__ (dynamically sized) arrays, stored as a map whose values are all
  // true.
  std::unordered_map<std::string, bool> dynamic_shared;
  ConstantPool& constants;
  // Index of each access site (source line of a memory access). Key: file, line, caller, and kind of load
  // (plain, read-modify-write, polling loop).
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, int>, std::uint16_t> sites = {};
};

// Calling convention of device functions: stack offsets of results and parameters in the callee's frame,
// which follows the caller's. Results come first, then parameters, each aligned to at least 4 bytes. Computed
// from the prototype alone, so that caller and callee agree.
struct FrameLayout {
  explicit FrameLayout(const ptx::Prototype& prototype);
  std::vector<std::size_t> results;
  std::vector<std::size_t> parameters;
  std::size_t bytes = 0;
};

std::vector<std::string_view> split_opcode(std::string_view opcode);

class FunctionDecoder {
 public:
  FunctionDecoder(const ptx::Function& source, Symbols& symbols, Program& program, ProgramFunction& result);
  void decode();

 private:
  struct Opcode {
    std::vector<std::string_view> parts;
    std::vector<ptx::Type> types;
    std::string name;  // mnemonic without its type suffixes, e.g. "ld.global" for ld.global.u32
    [[nodiscard]] bool has(std::string_view part) const;
    [[nodiscard]] ptx::Type type() const { return types.empty() ? ptx::Type::none : types.back(); }
  };
  struct AddressOperand {
    enum class Kind : std::uint8_t { unknown, frame, parameter, memory };
    Kind kind = Kind::unknown;
    // Byte offset of a PTX address operand: in the stack frame for a local variable, in the parameter block
    // for a kernel parameter.
    std::size_t frame_offset = 0;
    Operand base = kNoOperand;
    std::int64_t offset = 0;
    ptx::Space space = ptx::Space::none;
  };

  // FunctionDecoder, part 1 (function_decoder.cpp): stack frame layout, registers, emission of instructions.
  void lay_out();
  void lay_out_shared();
  void place_call_parameters();
  void statement(const ptx::Instruction& source);
  std::uint32_t emit(Instruction instruction, Flow flow = Flow::next);
  // Emits an access to global or shared memory and assigns the instruction the index of its source line, by
  // which findings and performance counters are attributed to lines.
  std::uint32_t emit_access(const Instruction& instruction);
  // Emits a decoded PTX instruction, preceded by a branch around it that is taken if the instruction's guard
  // predicate is false.
  void emit_guarded(Instruction instruction, Flow flow);
  void unsupported(const ptx::Instruction& source, std::string_view why = {});
  Operand register_operand(int index);
  [[nodiscard]] std::size_t register_bytes(int index) const;
  Operand temporary(std::size_t size);
  // Returns the decoded location of an operand's values. `size` is in bytes per lane; 0 means a predicate.
  std::optional<Operand> value(const ptx::Operand& operand, std::size_t size);
  std::optional<Operand> symbol_value(const ptx::Operand& operand, std::size_t size);
  void resolve_branches();

  // FunctionDecoder, part 2 (values.cpp): decodes PTX arithmetic, comparisons, conversions and moves.
  bool value_instruction(const ptx::Instruction& source, const Opcode& opcode);
  bool move(const ptx::Instruction& source, const Opcode& opcode);
  bool convert_address(const ptx::Instruction& source, const Opcode& opcode);
  bool set_predicate(const ptx::Instruction& source, const Opcode& opcode);
  bool convert(const ptx::Instruction& source, const Opcode& opcode);
  bool arithmetic(const ptx::Instruction& source, const Opcode& opcode);
  bool apply(const Operation& operation, const ptx::Instruction& source, const Opcode& opcode,
             bool is_real = false);
  void clean_float(const char* how, Operand from, Operand to);

  // FunctionDecoder, part 3 (memory.cpp): decodes PTX loads, stores and atomic operations.
  bool memory_instruction(const ptx::Instruction& source, const Opcode& opcode);
  bool load_or_store(const ptx::Instruction& source, const Opcode& opcode);
  bool atomic(const ptx::Instruction& source, const Opcode& opcode);
  AddressOperand address(const ptx::Operand& operand, ptx::Space space);
  [[nodiscard]] std::optional<std::size_t> frame_offset(const std::string& name) const;

  // FunctionDecoder, part 4 (matrices.cpp): decodes PTX mma.sync, ldmatrix and cp.async.
  bool matrix_instruction(const ptx::Instruction& source, const Opcode& opcode);
  bool multiply_matrices(const ptx::Instruction& source, const Opcode& opcode);
  bool load_matrices(const ptx::Instruction& source, const Opcode& opcode);
  bool copy_asynchronously(const ptx::Instruction& source, const Opcode& opcode);
  bool load_first_bytes(const ptx::Operand& count, std::size_t words, const AddressOperand& from, Operand to);
  Instruction access_of_words(std::size_t words, const AddressOperand& at, bool load);
  Operand temporaries(std::size_t count);
  bool move_words(const std::vector<ptx::Operand>& from, Operand to);
  bool take_words(Operand from, const std::vector<ptx::Operand>& to);

  // FunctionDecoder, part 5 (calls.cpp): decodes PTX branches, calls, barriers and warp-wide collectives.
  bool control_instruction(const ptx::Instruction& source, const Opcode& opcode);
  bool branch(const ptx::Instruction& source);
  bool call(const ptx::Instruction& source);
  bool leave(const Opcode& opcode);
  bool block_barrier(const ptx::Instruction& source, const Opcode& opcode);
  bool collective(const ptx::Instruction& source, const Opcode& opcode);
  bool small_control(const ptx::Instruction& source, const Opcode& opcode);
  [[nodiscard]] const ptx::Prototype* called_prototype(const ptx::Instruction& source) const;

  const ptx::Function& source_;
  Symbols& symbols_;
  Program& program_;
  ProgramFunction& result_;

  std::vector<Operand> registers_;
  // Byte offsets in the stack frame, by name: local variables (depot), parameters and results.
  std::unordered_map<std::string, std::size_t> frame_places_;
  // byte offset of each kernel parameter in the parameter block, by name
  std::unordered_map<std::string, std::size_t> parameter_places_;
  std::unordered_map<std::string, std::size_t> shared_places_;
  std::size_t depot_offset_ = 0;
  std::size_t depot_bytes_ = 0;
  // maps the index of a PTX instruction to the pc of its first decoded instruction
  std::vector<std::uint32_t> pc_of_;
  // Branches with unresolved targets: the branch's pc, and the index of the PTX instruction it jumps to.
  std::vector<std::pair<std::uint32_t, std::size_t>> branches_;
  // pcs of the branches emitted for PTX `ret` instructions; their target, the function's end, is patched in
  // last
  std::vector<std::uint32_t> returns_;
  std::vector<Flow> flows_;
  std::vector<bool> guesses_;
  // per PTX instruction: true for a load that polls a flag in a loop (polls_of())
  std::vector<bool> polls_;
  std::vector<bool> updates_;  // per PTX instruction: true for the load of a read-modify-write sequence
  LaneMasks masks_;
  const ptx::Instruction* current_ = nullptr;
  // index of the PTX instruction being decoded, within its function's body
  std::size_t position_ = 0;
};

}  // namespace warpmark::simulator

// Syntax tree of PTX text: register names are resolved, opcodes are not decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpmark::simulator::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f32,
  f64
};

// Returns the PTX type with the given name, e.g. "u32"; Type::none if PTX has none of that name.
Type type_named(std::string_view name);
// Returns the size in bytes of a value of a PTX type; 0 for a predicate.
std::size_t size_of(Type type);

enum class Space : std::uint8_t { none, global, shared, local, param, constant };

// A location in the CUDA source.
struct Location {
  std::uint32_t file = 0;  // source file number that the PTX directive .file assigns; 0: unknown
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t caller = 0;  // call site of inlined code, as an index into Module::callers; 0: not inlined
  // True if two source locations agree in file, line and column, even if their code was inlined at different
  // call sites.
  [[nodiscard]] bool is_same_place(const Location& other) const {
    return file == other.file && line == other.line && column == other.column;
  }
  friend bool operator==(const Location&, const Location&) = default;
};

struct Register {
  std::string name;
  Type type = Type::none;
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,      // PTX register: number in `index`; `negated` for a predicate used as !%p1
    integer,  // integer constant of a PTX instruction: value in `bits`
    real,     // floating-point constant: value in `bits`, of type f32 or f64
    // PTX symbol: `name` of a variable, label, function or special register (%tid.x); `offset` of name+4
    symbol,
    address,  // memory operand [reg+offset], [name+offset] or [offset] (index < 0 and name empty)
    vector,   // vector of registers {%r1, %r2}, in `elements`
    pair,     // two destination registers %p1|%p2, in `elements`
    group,    // arguments or results of a call (param0, param1), in `elements`
    sink,     // _ in place of a destination: the result is discarded
  };
  Kind kind = Kind::sink;
  Type type = Type::none;  // type (f32 or f64) of an operand that is a floating-point constant
  bool negated = false;
  int index = -1;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::string name;
  std::vector<Operand> elements;
};

struct Instruction {
  std::string opcode;  // opcode with all suffixes, e.g. ld.global.v4.u32
  int guard = -1;      // predicate register that guards the instruction; -1: none
  bool guard_negated = false;
  std::vector<Operand> operands;
  Location location;
};

// One element of a PTX variable's initialiser: a number, or a symbol's address plus an offset.
struct Initialiser {
  std::uint64_t bits = 0;
  std::string symbol;
};

struct Variable {
  std::string name;
  Space space = Space::none;
  Type type = Type::none;
  std::size_t alignment = 1;
  std::size_t bytes = 0;
  bool unsized = false;   // a variable in dynamic shared memory (extern __shared__), sized at launch
  bool external = false;  // a variable declared extern, which another source file defines
  bool internal = false;  // a variable with internal linkage: not visible to other files
  std::vector<Initialiser> initialisers;
};

struct Prototype {
  std::vector<Variable> results;
  std::vector<Variable> parameters;
};

// A pointer in a kernel's parameters, named as in the source: "values", "work.data".
struct PointerParameter {
  std::string name;
  std::size_t parameter = 0;  // index of the kernel parameter that contains the pointer
  std::size_t offset = 0;     // byte offset of a pointer within the kernel parameter that contains it
  // size in bytes of the type that a kernel's pointer parameter points to; 0 if unknown
  std::size_t element = 0;
  bool laid_out = false;           // true if the pointee type's layout is known, so that `padding` is valid
  std::vector<bool> padding = {};  // one flag per byte of the pointee type: true for padding
};

// A local variable that is an array of numbers.
struct LocalArray {
  std::string name;
  std::size_t offset = 0;  // byte offset of a local array from the start of the function's local variables
  std::size_t bytes = 0;
  std::size_t element = 0;  // bytes per element of a local array
};

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;
  bool internal = false;  // a function with internal linkage: not visible to other files
  Prototype prototype;
  std::vector<Register> registers;
  std::vector<Variable>
      variables;  // a function's local, shared and param variables; names of nested scopes are made unique
  std::vector<Instruction> body;
  // maps a label to the index in `body` of the instruction behind the label
  std::unordered_map<std::string, std::size_t> labels;
  std::unordered_map<std::string, Prototype>
      prototypes;  // types of indirect calls: the function's .callprototype directives, by label
  // Pointers in an entry function's parameters; empty without debug information.
  std::vector<PointerParameter> pointers;
  // A function's local arrays; empty without debug information, or if the code is optimised.
  std::vector<LocalArray> arrays;
};

struct Module {
  std::unordered_map<std::uint32_t, std::string> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Location> callers{{}};  // call sites of inlined functions; index 0 means not inlined
};

}  // namespace warpmark::simulator::ptx

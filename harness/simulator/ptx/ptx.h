// PTX as parsed: names resolved to registers, nothing decoded yet.
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

Type type_named(std::string_view name);  // Type::none when it is no type
std::size_t size_of(Type type);          // bytes a lane; a predicate has none

enum class Space : std::uint8_t { none, global, shared, local, param, constant };

// A place in the student's source.
struct Location {
  std::uint32_t file = 0;  // as numbered by .file; 0: not known
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t caller = 0;  // where its function was inlined: index into Module::callers; 0: not inlined
  // Wherever the function was inlined.
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
    reg,      // index: register of the function; negated: !%p1
    integer,  // bits
    real,     // bits, of type f32 or f64
    symbol,   // name: variable, label, function, special register (begins with %); offset: name+4
    address,  // [reg+offset], [name+offset] or [offset] (index < 0 and name empty)
    vector,   // elements: {%r1, %r2}
    pair,     // elements: %p1|%p2
    group,    // elements: (param0, param1)
    sink,     // _
  };
  Kind kind = Kind::sink;
  Type type = Type::none;  // of a real
  bool negated = false;
  int index = -1;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::string name;
  std::vector<Operand> elements;
};

struct Instruction {
  std::string opcode;  // in full: ld.global.v4.u32
  int guard = -1;      // register of the predicate, -1: none
  bool guard_negated = false;
  std::vector<Operand> operands;
  Location location;
};

// One element of an initialiser: a number, or an address plus an offset.
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
  bool unsized = false;   // extern shared memory: as much as the launch gives
  bool external = false;  // defined elsewhere
  bool internal = false;  // not seen by other files
  std::vector<Initialiser> initialisers;
};

struct Prototype {
  std::vector<Variable> results;
  std::vector<Variable> parameters;
};

// A pointer among the parameters of a kernel, by its name in the source: "values", "work.data".
struct PointerParameter {
  std::string name;
  std::size_t parameter = 0;       // which
  std::size_t offset = 0;          // bytes in it
  std::size_t element = 0;         // bytes of what it points to; 0: not known
  bool laid_out = false;           // the next is known
  std::vector<bool> padding = {};  // which of the bytes belong to no member
};

// An array of numbers among the variables of a function.
struct LocalArray {
  std::string name;
  std::size_t offset = 0;  // bytes from the begin of the local variables
  std::size_t bytes = 0;
  std::size_t element = 0;  // bytes
};

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;
  bool internal = false;  // not seen by other files
  Prototype prototype;
  std::vector<Register> registers;
  std::vector<Variable>
      variables;  // local, shared and param variables of the body; scoped names are made unique
  std::vector<Instruction> body;
  std::unordered_map<std::string, std::size_t> labels;    // index into body
  std::unordered_map<std::string, Prototype> prototypes;  // .callprototype, for indirect calls
  std::vector<PointerParameter> pointers;                 // of an entry; empty without debug information
  std::vector<LocalArray> arrays;                         // likewise; of code that is not optimised
};

struct Module {
  std::unordered_map<std::uint32_t, std::string> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Location> callers{{}};  // of inlined functions; the first stands for none
};

}  // namespace warpmark::simulator::ptx

// Recursive-descent parser of PTX. Modules and declarations are parsed in parser.cpp, function bodies in
// statements.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/simulator/ptx/debug_info.h"
#include "harness/simulator/ptx/lexer.h"
#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

struct ParseError {
  std::string message;
};

// PTX scope: the names declared inside one pair of braces. Registers are declared singly or as a range:
// "%r<43>" declares %r0 to %r42.
struct Scope {
  std::unordered_map<std::string, int> registers;
  std::unordered_map<std::string, std::pair<Type, std::uint64_t>> ranges;
  // maps a variable's name in the PTX text to the unique name used after parsing, because nested PTX scopes
  // may redeclare a name
  std::unordered_map<std::string, std::string> variables;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) { advance(); }
  Module parse_module();

 private:
  void advance() { token_ = lexer_.next(); }
  [[noreturn]] void fail(std::string_view expected) const;
  std::string_view take_text();
  void expect(char symbol);
  bool accept(char symbol);
  std::string word(std::string_view what);
  std::uint64_t integer(std::string_view what);
  std::int64_t signed_integer(std::string_view what);

  void top_level(Module& module);
  void section();
  void file(Module& module);
  Variable variable(Space space);
  void initialise(Variable& result);
  Initialiser initialiser();
  Function function(bool entry);
  std::vector<Variable> parameters();
  void location();
  void body(Function& function);
  void statement(Function& function);
  void declare_registers(Function& function);
  void declare_variable(Function& function, Space space);
  void call_prototype(Function& function, const std::string& name);
  void instruction(Function& function);
  Operand operand(Function& function);
  Operand plain_operand(Function& function);
  Operand list(Function& function, Operand::Kind kind, char close);
  Operand address(Function& function);
  Operand named(Function& function, std::string_view name);
  void maybe_offset(Operand& result);
  [[nodiscard]] std::optional<int> find_register(Function& function, const std::string& name);

  DebugSection abbreviations_;
  DebugSection entries_;
  Lexer lexer_;
  Token token_;
  std::vector<Scope> scopes_;
  Location location_;
  int next_unique_ = 0;
};

}  // namespace warpmark::simulator::ptx

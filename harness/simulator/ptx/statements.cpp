// Parses statements and operands of PTX functions.
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/ptx/grammar.h"

namespace warpmark::simulator::ptx {

// Parses .loc file line column [, function_name name[+offset], inlined_at file line column]
void Parser::location() {
  advance();
  Location next;
  next.file = static_cast<std::uint32_t>(integer("a file's number"));
  next.line = static_cast<std::uint32_t>(integer("a line"));
  next.column = static_cast<std::uint32_t>(integer("a column"));
  // Line 0 in a .loc directive marks code without a source line; such code keeps the previous location, the
  // best approximation.
  if (next.line != 0 || location_.file != next.file) location_ = next;
  while (token_.is(',')) {
    advance();
    const std::string what = word("function_name or inlined_at");
    if (what == "function_name") {
      word("a label");
      if (accept('+')) integer("an offset");
    } else {
      for (int i = 0; i < 3; ++i) integer("file, line and column");
    }
  }
}

void Parser::body(Function& function) {
  expect('{');
  scopes_.assign(1, {});
  while (!scopes_.empty()) {
    if (accept('{')) {
      scopes_.emplace_back();
    } else if (accept('}')) {
      scopes_.pop_back();
    } else if (token_.kind == Token::Kind::end) {
      fail("'}'");
    } else {
      statement(function);
    }
  }
}

void Parser::statement(Function& function) {
  if (token_.is(".loc")) return location();
  if (token_.is(".reg")) return declare_registers(function);
  if (token_.is(".local")) return declare_variable(function, Space::local);
  if (token_.is(".shared")) return declare_variable(function, Space::shared);
  if (token_.is(".param")) return declare_variable(function, Space::param);
  if (token_.is(".pragma")) {
    while (!accept(';')) {
      if (token_.kind == Token::Kind::end) fail("';'");
      advance();
    }
    return;
  }
  if (accept(';')) return;
  instruction(function);
}

void Parser::declare_registers(Function& function) {
  advance();
  const Type type = token_.kind == Token::Kind::directive ? type_named(token_.text.substr(1)) : Type::none;
  if (type == Type::none) fail("a register's type");
  advance();
  do {
    if (token_.kind != Token::Kind::variable && token_.kind != Token::Kind::word) fail("a register's name");
    const std::string name(take_text());
    if (accept('<')) {
      scopes_.back().ranges[name] = {type, integer("a number of registers")};
      expect('>');
    } else {
      scopes_.back().registers[name] = static_cast<int>(function.registers.size());
      function.registers.push_back({name, type});
    }
  } while (accept(','));
  expect(';');
}

void Parser::declare_variable(Function& function, Space space) {
  advance();
  Variable result = variable(space);
  expect(';');
  // PTX variables of a nested scope get unique names, because clang declares the same ones (param0, retval0)
  // in the scope of each call.
  if (scopes_.size() > 1) {
    const std::string unique = fmt::format("{}#{}", result.name, next_unique_++);
    scopes_.back().variables[result.name] = unique;
    result.name = unique;
  }
  function.variables.push_back(std::move(result));
}

std::optional<int> Parser::find_register(Function& function, const std::string& name) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  for (std::size_t depth = scopes_.size(); depth-- > 0;) {
    Scope& scope = scopes_[depth];
    if (const auto found = scope.registers.find(name); found != scope.registers.end()) return found->second;
    if (digits == name.size() || name.size() - digits > 9) continue;
    const auto range = scope.ranges.find(name.substr(0, digits));
    if (range == scope.ranges.end() || std::stoull(name.substr(digits)) >= range->second.second) continue;
    const int index = static_cast<int>(function.registers.size());
    scope.registers[name] = index;
    function.registers.push_back({name, range->second.first});
    return index;
  }
  return std::nullopt;
}

void Parser::call_prototype(Function& function, const std::string& name) {
  advance();
  Prototype prototype;
  if (token_.is('(')) prototype.results = parameters();
  word("'_'");
  if (token_.is('(')) prototype.parameters = parameters();
  while (token_.kind == Token::Kind::directive) advance();
  expect(';');
  function.prototypes[name] = std::move(prototype);
}

void Parser::instruction(Function& function) {
  Instruction result;
  result.location = location_;
  if (accept('@')) {
    result.guard_negated = accept('!');
    const auto guard = find_register(function, std::string(token_.text));
    if (!guard) fail("a declared predicate");
    result.guard = *guard;
    advance();
  }
  result.opcode = word("an instruction");
  if (result.guard < 0 && accept(':')) {
    if (token_.is(".callprototype")) return call_prototype(function, result.opcode);
    function.labels[result.opcode] = function.body.size();
    return;
  }
  while (!accept(';')) {
    result.operands.push_back(operand(function));
    if (!token_.is(';')) expect(',');
  }
  function.body.push_back(std::move(result));
}

Operand Parser::operand(Function& function) {
  Operand first = plain_operand(function);
  if (!accept('|')) return first;
  Operand pair;
  pair.kind = Operand::Kind::pair;
  pair.elements = {std::move(first), plain_operand(function)};
  return pair;
}

Operand Parser::list(Function& function, Operand::Kind kind, char close) {
  advance();
  Operand result;
  result.kind = kind;
  while (!accept(close)) {
    result.elements.push_back(plain_operand(function));
    if (!token_.is(close)) expect(',');
  }
  return result;
}

Operand Parser::named(Function& function, std::string_view name) {
  Operand result;
  result.name = std::string(name);
  if (name == "_") return result;
  if (const auto index = find_register(function, result.name)) {
    result.kind = Operand::Kind::reg;
    result.index = *index;
    return result;
  }
  result.kind = Operand::Kind::symbol;
  for (std::size_t depth = scopes_.size(); depth-- > 0;) {
    Scope& scope = scopes_[depth];
    if (const auto found = scope.variables.find(result.name); found != scope.variables.end()) {
      result.name = found->second;
      break;
    }
  }
  return result;
}

void Parser::maybe_offset(Operand& result) {
  if (accept('+'))
    result.offset = signed_integer("an offset");
  else if (accept('-'))
    result.offset = -signed_integer("an offset");
}

Operand Parser::address(Function& function) {
  advance();
  Operand result;
  if (token_.kind == Token::Kind::integer || token_.is('-')) {
    result.offset = signed_integer("an address");
  } else {
    if (token_.kind != Token::Kind::variable && token_.kind != Token::Kind::word) fail("an address");
    result = named(function, take_text());
    maybe_offset(result);
  }
  result.kind = Operand::Kind::address;
  expect(']');
  return result;
}

Operand Parser::plain_operand(Function& function) {
  Operand result;
  switch (token_.kind) {
    case Token::Kind::integer:
      result.kind = Operand::Kind::integer;
      result.bits = integer("a number");
      return result;
    case Token::Kind::real:
      result.kind = Operand::Kind::real;
      result.type = token_.real_type;
      result.bits = token_.bits;
      advance();
      return result;
    case Token::Kind::variable:
    case Token::Kind::word:
      result = named(function, take_text());
      if (result.kind == Operand::Kind::symbol) maybe_offset(result);
      return result;
    default:
      break;
  }
  if (token_.is('-')) {
    result.kind = Operand::Kind::integer;
    result.bits = static_cast<std::uint64_t>(signed_integer("a number"));
    return result;
  }
  if (accept('!')) {
    result = plain_operand(function);
    result.negated = true;
    return result;
  }
  if (token_.is('[')) return address(function);
  if (token_.is('{')) return list(function, Operand::Kind::vector, '}');
  if (token_.is('(')) return list(function, Operand::Kind::group, ')');
  fail("an operand");
}

}  // namespace warpmark::simulator::ptx

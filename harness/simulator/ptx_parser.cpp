#include "harness/simulator/ptx_parser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/ptx_lexer.h"

namespace warpmark::simulator::ptx {
namespace {

struct ParseError {
  std::string message;
};

// Names declared between a pair of braces. Registers come one by one or as a range: "%r<43>" declares %r0 to %r42.
struct Scope {
  std::unordered_map<std::string, int> registers;
  std::unordered_map<std::string, std::pair<Type, std::uint64_t>> ranges;
  std::unordered_map<std::string, std::string> variables;  // to their unique names
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
  void skip_section();
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

  Lexer lexer_;
  Token token_;
  std::vector<Scope> scopes_;
  Location location_;
  int next_unique_ = 0;
};

void Parser::fail(std::string_view expected) const {
  const bool end = token_.kind == Token::Kind::end;
  throw ParseError{fmt::format("PTX line {}: {} where {} should stand", token_.line,
                               end ? "the text ends" : fmt::format("'{}' stands", token_.text), expected)};
}

std::string_view Parser::take_text() {
  const std::string_view text = token_.text;
  advance();
  return text;
}

void Parser::expect(char symbol) {
  if (!accept(symbol)) fail(fmt::format("'{}'", symbol));
}

bool Parser::accept(char symbol) {
  if (!token_.is(symbol)) return false;
  advance();
  return true;
}

std::string Parser::word(std::string_view what) {
  if (token_.kind != Token::Kind::word) fail(what);
  return std::string(take_text());
}

std::uint64_t Parser::integer(std::string_view what) {
  if (token_.kind != Token::Kind::integer) fail(what);
  const std::uint64_t value = token_.bits;
  advance();
  return value;
}

std::int64_t Parser::signed_integer(std::string_view what) {
  const bool minus = accept('-');
  const auto value = static_cast<std::int64_t>(integer(what));
  return minus ? -value : value;
}

Module Parser::parse_module() {
  if (!token_.is(".version")) fail("'.version' (the first line of PTX)");
  Module module;
  while (token_.kind != Token::Kind::end) top_level(module);
  return module;
}

void Parser::top_level(Module& module) {
  bool external = false;
  while (token_.is(".visible") || token_.is(".extern") || token_.is(".weak") || token_.is(".common")) {
    external = external || token_.is(".extern");
    advance();
  }
  if (token_.is(".version") || token_.is(".address_size")) {
    advance();
    while (token_.kind == Token::Kind::integer || token_.kind == Token::Kind::error) advance();  // "7.0" is no number
  } else if (token_.is(".target")) {
    advance();
    do word("a target");
    while (accept(','));
  } else if (token_.is(".file")) {
    file(module);
  } else if (token_.is(".section")) {
    skip_section();
  } else if (token_.is(".loc")) {
    location();
  } else if (token_.is(".pragma")) {
    advance();
    if (token_.kind != Token::Kind::string) fail("a string");
    advance();
    expect(';');
  } else if (token_.is(".entry") || token_.is(".func")) {
    const bool entry = token_.is(".entry");
    advance();
    Function parsed = function(entry);
    const auto known = std::find_if(module.functions.begin(), module.functions.end(),
                                    [&](const Function& other) { return other.name == parsed.name; });
    if (known == module.functions.end()) {
      module.functions.push_back(std::move(parsed));
    } else if (parsed.defined) {
      *known = std::move(parsed);
    }
  } else if (token_.is(".global") || token_.is(".const") || token_.is(".shared")) {
    const Space space = token_.is(".global") ? Space::global : token_.is(".const") ? Space::constant : Space::shared;
    advance();
    Variable result = variable(space);
    result.external = external;
    expect(';');
    module.variables.push_back(std::move(result));
  } else {
    fail("a directive such as .entry, .func or .global");
  }
}

void Parser::skip_section() {
  while (!token_.is('{')) {
    if (token_.kind == Token::Kind::end) fail("'{'");
    advance();
  }
  int depth = 0;
  do {
    if (token_.is('{')) ++depth;
    if (token_.is('}')) --depth;
    if (token_.kind == Token::Kind::end) fail("'}'");
    advance();
  } while (depth > 0);
}

void Parser::file(Module& module) {
  advance();
  const auto number = static_cast<std::uint32_t>(integer("the number of a file"));
  std::string path;
  while (token_.kind == Token::Kind::string) {  // a folder may stand first
    const std::string_view part = take_text();
    if (part.starts_with('/') || path.empty()) {
      path = part;
    } else {
      path += '/';
      path += part;
    }
  }
  while (accept(',')) integer("a number");  // time and size
  module.files[number] = std::move(path);
}

// Everything behind the state space: .align 4 .b8 name[16] = {...}
Variable Parser::variable(Space space) {
  Variable result;
  result.space = space;
  std::size_t vector = 1;
  bool aligned = false;
  while (token_.kind == Token::Kind::directive) {
    const std::string_view name = take_text();
    if (name == ".align") {
      result.alignment = integer("an alignment");
      aligned = true;
    } else if (name == ".v2" || name == ".v4") {
      vector = name == ".v2" ? 2 : 4;
    } else if (const Type type = type_named(name.substr(1)); type != Type::none) {
      result.type = type;
    }  // else .ptr, .global and the like: what a pointer parameter points to
  }
  if (result.type == Type::none) fail("a type such as .b32");
  if (token_.kind == Token::Kind::word || token_.kind == Token::Kind::variable) result.name = take_text();
  std::size_t count = vector;
  while (accept('[')) {
    if (accept(']')) {
      result.unsized = true;
      continue;
    }
    count *= integer("a number of elements");
    expect(']');
  }
  result.bytes = result.unsized ? 0 : count * size_of(result.type);
  if (!aligned) result.alignment = std::max<std::size_t>(1, size_of(result.type) * vector);
  if (token_.is('=')) initialise(result);
  return result;
}

void Parser::initialise(Variable& result) {
  advance();
  if (!accept('{')) {
    result.initialisers.push_back(initialiser());
    return;
  }
  int depth = 1;
  while (depth > 0) {
    if (accept('{')) {
      ++depth;
    } else if (accept('}')) {
      --depth;
    } else if (!accept(',')) {
      result.initialisers.push_back(initialiser());
    }
  }
}

Initialiser Parser::initialiser() {
  Initialiser result;
  if (token_.kind == Token::Kind::real) {
    result.bits = token_.bits;
    advance();
    return result;
  }
  if (token_.kind == Token::Kind::integer || token_.is('-')) {
    result.bits = static_cast<std::uint64_t>(signed_integer("a number"));
    if (token_.is('(')) fail("',' (addresses in parts are not supported)");
    return result;
  }
  result.symbol = word("a number or a name");
  if (result.symbol == "generic") {
    expect('(');
    result.symbol = word("a name");
    expect(')');
  }
  if (accept('+')) result.bits = static_cast<std::uint64_t>(signed_integer("an offset"));
  if (accept('-')) result.bits = static_cast<std::uint64_t>(-signed_integer("an offset"));
  return result;
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> result;
  expect('(');
  while (!accept(')')) {
    if (!token_.is(".param") && !token_.is(".reg")) fail("'.param'");
    advance();
    result.push_back(variable(Space::param));
    if (!token_.is(')')) expect(',');
  }
  return result;
}

Function Parser::function(bool entry) {
  Function result;
  result.entry = entry;
  if (token_.is('(')) result.prototype.results = parameters();
  result.name = word("a function's name");
  if (token_.is('(')) result.prototype.parameters = parameters();
  while (token_.kind == Token::Kind::directive) {  // .maxntid 256, 1, 1 and the like
    advance();
    while (token_.kind == Token::Kind::integer || token_.is(',')) advance();
  }
  if (accept(';')) return result;
  result.defined = true;
  location_ = {};
  next_unique_ = 0;
  body(result);
  return result;
}

// .loc file line column [, function_name name[+offset], inlined_at file line column]
void Parser::location() {
  advance();
  Location next;
  next.file = static_cast<std::uint32_t>(integer("a file's number"));
  next.line = static_cast<std::uint32_t>(integer("a line"));
  next.column = static_cast<std::uint32_t>(integer("a column"));
  // Line 0 marks code that belongs to no line; the one before it is the best that can be told.
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
    while (!accept(';')) advance();
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
  if (scopes_.size() > 1) {  // the same name may stand in every call sequence
    const std::string unique = fmt::format("{}#{}", result.name, next_unique_++);
    scopes_.back().variables[result.name] = unique;
    result.name = unique;
  }
  function.variables.push_back(std::move(result));
}

std::optional<int> Parser::find_register(Function& function, const std::string& name) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->registers.find(name); found != scope->registers.end()) return found->second;
    if (digits == name.size() || name.size() - digits > 9) continue;
    const auto range = scope->ranges.find(name.substr(0, digits));
    if (range == scope->ranges.end() || std::stoull(name.substr(digits)) >= range->second.second) continue;
    const int index = static_cast<int>(function.registers.size());
    scope->registers[name] = index;
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
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->variables.find(result.name); found != scope->variables.end()) {
      result.name = found->second;
      break;
    }
  }
  return result;
}

void Parser::maybe_offset(Operand& result) {
  if (accept('+')) result.offset = signed_integer("an offset");
  else if (accept('-')) result.offset = -signed_integer("an offset");
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
    default: break;
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

struct NamedType {
  std::string_view name;
  Type type;
  std::size_t bytes;
};
constexpr std::array<NamedType, 16> kTypes{{{"pred", Type::pred, 0}, {"b8", Type::b8, 1},   {"b16", Type::b16, 2},
                                            {"b32", Type::b32, 4},   {"b64", Type::b64, 8}, {"u8", Type::u8, 1},
                                            {"u16", Type::u16, 2},   {"u32", Type::u32, 4}, {"u64", Type::u64, 8},
                                            {"s8", Type::s8, 1},     {"s16", Type::s16, 2}, {"s32", Type::s32, 4},
                                            {"s64", Type::s64, 8},   {"f16", Type::f16, 2}, {"f32", Type::f32, 4},
                                            {"f64", Type::f64, 8}}};

}  // namespace

Type type_named(std::string_view name) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.name == name; });
  return found == kTypes.end() || name.empty() ? Type::none : found->type;
}

std::size_t size_of(Type type) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& entry) { return entry.type == type; });
  return found == kTypes.end() ? 0 : found->bytes;
}

tl::expected<Module, std::string> parse(std::string_view text) {
  try {
    return Parser(text).parse_module();
  } catch (const ParseError& error) {
    return tl::unexpected(error.message);
  }
}

}  // namespace warpmark::simulator::ptx

#include "harness/simulator/ptx/parser.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/ptx/grammar.h"

namespace warpmark::simulator::ptx {

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
  apply_debug_info(abbreviations_, entries_, module);
  return module;
}

void Parser::top_level(Module& module) {
  bool external = false;
  bool internal = true;
  while (token_.is(".visible") || token_.is(".extern") || token_.is(".weak") || token_.is(".common")) {
    external = external || token_.is(".extern");
    internal = false;
    advance();
  }
  if (token_.is(".version") || token_.is(".address_size")) {
    advance();
    while (token_.kind == Token::Kind::integer || token_.kind == Token::Kind::error)
      advance();  // "7.0" is an error token, because the lexer accepts no such number
  } else if (token_.is(".target")) {
    advance();
    do word("a target");
    while (accept(','));
  } else if (token_.is(".file")) {
    file(module);
  } else if (token_.is(".section")) {
    section();
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
    parsed.internal = internal;
    const auto known = std::find_if(module.functions.begin(), module.functions.end(),
                                    [&](const Function& other) { return other.name == parsed.name; });
    if (known == module.functions.end()) {
      module.functions.push_back(std::move(parsed));
    } else if (parsed.defined) {
      *known = std::move(parsed);
    }
  } else if (token_.is(".global") || token_.is(".const") || token_.is(".shared")) {
    const Space space = token_.is(".global")  ? Space::global
                        : token_.is(".const") ? Space::constant
                                              : Space::shared;
    advance();
    Variable result = variable(space);
    result.external = external;
    result.internal = internal;
    expect(';');
    module.variables.push_back(std::move(result));
  } else {
    fail("a directive such as .entry, .func or .global");
  }
}

// Parses a DWARF section: .section .debug_info { .b8 1, 2 .b64 label .b32 label+4 ... }
void Parser::section() {
  advance();
  DebugSection ignored;
  DebugSection& into = token_.is(".debug_abbrev") ? abbreviations_
                       : token_.is(".debug_info") ? entries_
                                                  : ignored;
  while (!token_.is('{')) {
    if (token_.kind == Token::Kind::end) fail("'{'");
    advance();
  }
  advance();
  std::size_t bytes = 1;
  while (!token_.is('}')) {
    if (token_.kind == Token::Kind::end) fail("'}'");
    if (token_.kind == Token::Kind::integer) {
      for (std::size_t i = 0; i < bytes; ++i)
        into.bytes.push_back(i < 8 ? static_cast<std::uint8_t>(token_.bits >> (8 * i)) : 0);
    } else if (token_.kind == Token::Kind::directive && type_named(token_.text.substr(1)) != Type::none) {
      bytes = size_of(type_named(token_.text.substr(1)));
    } else if (token_.kind == Token::Kind::word || token_.kind == Token::Kind::directive) {
      into.labels[into.bytes.size()] = std::string(token_.text);
      into.bytes.resize(into.bytes.size() + bytes);
    } else if (token_.is('+') || token_.is('-')) {
      advance();  // skips an offset added to a label (label+4) in a PTX data section
    }
    advance();
  }
  advance();
}

void Parser::file(Module& module) {
  advance();
  const auto number = static_cast<std::uint32_t>(integer("the number of a file"));
  std::string path;
  while (token_.kind == Token::Kind::string) {  // a .file directive in PTX may give a directory first
    const std::string_view part = take_text();
    if (part.starts_with('/') || path.empty()) {
      path = part;
    } else {
      path += '/';
      path += part;
    }
  }
  while (accept(',')) integer("a number");  // skips the source file's modification time and size
  module.files[number] = std::move(path);
}

// Parses a variable's declaration, behind the state space: .align 4 .b8 name[16] = {...}
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
    }  // else: ignores an attribute of a PTX pointer parameter, such as .ptr
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
  while (token_.kind == Token::Kind::directive) {  // skips .maxntid 256, 1, 1 and similar
    advance();
    while (token_.kind == Token::Kind::integer || token_.is(',')) advance();
  }
  if (accept(';')) return result;
  result.defined = true;
  location_ = {};
  next_unique_ = 0;
  body(result);
  // A kernel that device code may launch is compiled as a function that calls a marker function
  // (include/warpmark_cuda/device/device_launches.h), and counts as an entry function.
  const auto is_mark = [](const Operand& operand) { return operand.name == "__warpmark_kernel_body"; };
  if (!entry)
    result.entry = std::ranges::any_of(result.body, [&](const Instruction& instruction) {
      return instruction.opcode.starts_with("call") && std::ranges::any_of(instruction.operands, is_mark);
    });
  return result;
}

tl::expected<Module, std::string> parse(std::string_view text) {
  try {
    return Parser(text).parse_module();
  } catch (const ParseError& error) {
    return tl::unexpected(error.message);
  }
}

}  // namespace warpmark::simulator::ptx

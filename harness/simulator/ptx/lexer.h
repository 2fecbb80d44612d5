// Splits PTX text into tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    word,       // PTX identifier or opcode, with inner dots: ld.global.u32, LBB0_1, _Z3fooPi
    directive,  // PTX directive, which begins with a dot: .reg
    variable,   // PTX register or special register, which begins with a percent sign: %r1, %tid.x
    integer,
    real,    // floating-point constant; `bits` has the value's bits in type real_type
    string,  // string literal; `text` excludes the quotes
    symbol,  // single punctuation character of PTX
    error,   // text that is not a valid PTX token; `text` holds it
    end,
  };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint64_t bits = 0;
  Type real_type = Type::none;
  int line = 0;

  [[nodiscard]] bool is(char symbol) const { return kind == Kind::symbol && text[0] == symbol; }
  [[nodiscard]] bool is(std::string_view name) const {
    return (kind == Kind::word || kind == Kind::directive) && text == name;
  }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}
  Token next();

 private:
  void skip_blanks();
  Token number();
  Token take(Token::Kind kind, std::size_t length);

  std::string_view rest_;
  int line_ = 1;
};

}  // namespace warpmark::simulator::ptx

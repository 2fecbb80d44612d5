#include "harness/simulator/ptx/lexer.h"

#include <algorithm>
#include <charconv>

namespace warpmark::simulator::ptx {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

template <class Predicate>
std::size_t length_of(std::string_view text, std::size_t from, Predicate belongs) {
  const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), belongs);
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

Token Lexer::take(Token::Kind kind, std::size_t length) {
  Token token;
  token.kind = kind;
  token.text = rest_.substr(0, length);
  token.line = line_;
  rest_.remove_prefix(length);
  return token;
}

void Lexer::skip_blanks() {
  while (!rest_.empty()) {
    if (rest_.front() == '\n') ++line_;
    if (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r' || rest_.front() == '\n' ||
        rest_.front() == '\0') {
      rest_.remove_prefix(1);
    } else if (rest_.starts_with("//")) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*")) {
      const std::size_t end = std::min(rest_.find("*/", 2), rest_.size() - 2) + 2;
      line_ +=
          static_cast<int>(std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      rest_.remove_prefix(end);
    } else {
      return;
    }
  }
}

Token Lexer::number() {
  const auto parse = [&](std::size_t prefix, std::size_t length, int base) {
    Token token = take(Token::Kind::integer, length);
    const char* end = token.text.data() + token.text.size();
    const auto result = std::from_chars(token.text.data() + prefix, end, token.bits, base);
    if (result.ec != std::errc{} || result.ptr != end) token.kind = Token::Kind::error;
    return token;
  };
  if (rest_.size() > 2 && rest_[0] == '0') {
    const char mark = rest_[1];
    if (mark == 'f' || mark == 'F' || mark == 'd' || mark == 'D') {
      const bool single = mark == 'f' || mark == 'F';
      const std::size_t length = length_of(rest_, 2, is_hex);
      Token token = parse(2, length, 16);
      token.real_type = single ? Type::f32 : Type::f64;
      if (token.kind == Token::Kind::integer) token.kind = Token::Kind::real;
      if (length != (single ? 10U : 18U)) token.kind = Token::Kind::error;
      return token;
    }
    if (mark == 'x' || mark == 'X') {
      const std::size_t length = length_of(rest_, 2, is_hex);
      Token token = parse(2, length, 16);
      if (rest_.starts_with('U')) rest_.remove_prefix(1);
      return token;
    }
  }
  const std::size_t length = length_of(rest_, 0, is_digit);
  if (length < rest_.size() && (rest_[length] == '.' || rest_[length] == 'e')) {
    Token token = take(Token::Kind::error, length + 1);
    return token;
  }
  Token token = parse(0, length, 10);
  if (rest_.starts_with('U')) rest_.remove_prefix(1);
  return token;
}

Token Lexer::next() {
  skip_blanks();
  if (rest_.empty()) return take(Token::Kind::end, 0);
  const char first = rest_.front();
  const auto word_or_dot = [](char c) { return is_word(c) || c == '.'; };
  if (is_digit(first)) return number();
  if (first == '"') {
    const std::size_t end = rest_.find_first_of("\"\n", 1);
    if (end == std::string_view::npos || rest_[end] == '\n') return take(Token::Kind::error, 1);
    Token token = take(Token::Kind::string, end + 1);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
  }
  if (first == '%') return take(Token::Kind::variable, length_of(rest_, 1, word_or_dot));
  if (first == '.') return take(Token::Kind::directive, length_of(rest_, 1, is_word));
  if (is_word(first)) {
    std::size_t length = length_of(rest_, 0, word_or_dot);
    // PTX lexer: a double colon belongs to the opcode, as in "bar.warp.sync::x" and
    // "ld.global.L1::no_allocate".
    while (rest_.substr(length).starts_with("::")) length = length_of(rest_, length + 2, word_or_dot);
    return take(Token::Kind::word, length);
  }
  if (std::string_view("{}[](),;:@!|+-=<>").find(first) != std::string_view::npos) {
    return take(Token::Kind::symbol, 1);
  }
  return take(Token::Kind::error, 1);
}

}  // namespace warpmark::simulator::ptx

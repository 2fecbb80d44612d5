#include "harness/assignments/tokens.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpmark {
namespace {

// C++ and CUDA punctuators, longest first, so that the first match is the longest (maximal munch).
constexpr std::array<std::string_view, 30> kPunctuators = {
    "<<<", ">>>", "<<=", ">>=", "<=>", "...", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "++",  "--",  "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "->", "::", ".*", "##", "%:"};

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' || c == '\n';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
// Returns true for characters of C++ identifiers. Bytes outside ASCII (UTF-8) count as letters: outside
// literals they occur nowhere else.
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Cursor over C++ source code that skips line continuations (a backslash at the end of the line), which may
// occur anywhere except in a raw string.
class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) { skip_continuations(position_); }

  [[nodiscard]] bool at_end() const { return position_ >= source_.size(); }
  [[nodiscard]] std::size_t position() const { return position_; }
  // Returns the character at the cursor plus `ahead` characters, without consuming it; '\0' past the end.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    std::size_t at = position_;
    for (; ahead > 0; --ahead) {
      ++at;
      skip_continuations(at);
    }
    return at < source_.size() ? source_[at] : '\0';
  }
  [[nodiscard]] bool starts_with(std::string_view text) const {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (peek(i) != text[i]) return false;
    }
    return true;
  }
  char take() {
    const char c = peek();
    ++position_;
    skip_continuations(position_);
    return c;
  }
  std::string take(std::size_t count) {
    std::string text;
    for (; count > 0 && !at_end(); --count) text += take();
    return text;
  }
  // Consumes the rest of a raw string literal after its R and returns it verbatim, line continuations
  // included.
  std::string take_raw_string() {
    const std::size_t open = source_.find('(', position_);
    std::size_t end = source_.size();
    if (open != std::string_view::npos) {
      const std::string_view delimiter = source_.substr(position_ + 1, open - position_ - 1);
      std::string closing(1, ')');
      closing += delimiter;
      closing += '"';
      const std::size_t close = source_.find(closing, open);
      if (close != std::string_view::npos) end = close + closing.size();
    }
    std::string text(source_.substr(position_, end - position_));
    position_ = end;
    skip_continuations(position_);
    return text;
  }

 private:
  // Like compilers, allows blanks between the backslash and the end of the line.
  void skip_continuations(std::size_t& at) const {
    while (at < source_.size() && source_[at] == '\\') {
      const std::size_t end = source_.find_first_not_of(" \t\v\f\r", at + 1);
      if (end == std::string_view::npos || source_[end] != '\n') return;
      at = end + 1;
    }
  }

  std::string_view source_;
  std::size_t position_ = 0;
};

void skip_line_comment(Scanner& scanner) {
  while (!scanner.at_end() && scanner.peek() != '\n') scanner.take();
}

void skip_block_comment(Scanner& scanner) {
  scanner.take(2);
  while (!scanner.at_end() && !scanner.starts_with("*/")) scanner.take();
  scanner.take(2);
}

// Consumes and returns a string or character literal, beginning at its opening quote. An unterminated literal
// ends with its line.
std::string take_quoted(Scanner& scanner) {
  const char quote = scanner.take();
  std::string text(1, quote);
  while (!scanner.at_end() && scanner.peek() != '\n') {
    const char c = scanner.take();
    text += c;
    if (c == quote) break;
    if (c == '\\' && !scanner.at_end() && scanner.peek() != '\n') text += scanner.take();
  }
  return text;
}

// Consumes a preprocessing number, a pp-number of the C++ standard: also 1'000, 0x1p-3 and 1e+5f.
std::string take_number(Scanner& scanner) {
  std::string text;
  while (!scanner.at_end()) {
    const char c = scanner.peek();
    const char last = text.empty() ? '\0' : text.back();
    const bool sign_of_exponent =
        (c == '+' || c == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
    const bool separator = c == '\'' && is_word(scanner.peek(1));
    if (!is_word(c) && c != '.' && !sign_of_exponent && !separator) break;
    text += scanner.take();
  }
  return text;
}

// Consumes and returns an identifier, or a literal with an encoding prefix (u8R"(...)", L'x').
std::string take_word(Scanner& scanner) {
  std::string word;
  while (!scanner.at_end() && is_word(scanner.peek())) word += scanner.take();
  const bool raw = !word.empty() && word.back() == 'R';
  const std::string encoding = raw ? word.substr(0, word.size() - 1) : word;
  const bool prefix = encoding == "u8" || encoding == "u" || encoding == "U" || encoding == "L";
  if (scanner.peek() == '"' && raw && (prefix || encoding.empty())) return word + scanner.take_raw_string();
  if ((scanner.peek() == '"' || scanner.peek() == '\'') && prefix && !raw) return word + take_quoted(scanner);
  return word;
}

std::string take_header_name(Scanner& scanner) {
  std::string name;
  while (!scanner.at_end() && scanner.peek() != '\n') {
    name += scanner.take();
    if (name.back() == '>') break;
  }
  return name;
}

std::string take_punctuator(Scanner& scanner) {
  const auto* found = std::find_if(kPunctuators.begin(), kPunctuators.end(),
                                   [&](std::string_view one) { return scanner.starts_with(one); });
  return scanner.take(found == kPunctuators.end() ? 1 : found->size());
}

}  // namespace

std::vector<PlacedToken> placed_tokens_of(std::string_view source) {
  const bool marked = source.substr(0, kByteOrderMark.size()) == kByteOrderMark;
  const std::size_t first = marked ? kByteOrderMark.size() : 0;
  source.remove_prefix(first);
  Scanner scanner(source);
  std::vector<PlacedToken> tokens;
  bool line_starts = true;  // true before the first token of a source line
  // Number of words read of the current preprocessor directive; 0: not in one.
  std::size_t words_of_directive = 0;
  const auto end_line = [&] {
    if (words_of_directive > 0)
      tokens.push_back({"\n", first + scanner.position(), first + scanner.position()});
    words_of_directive = 0;
    line_starts = true;
  };
  const auto take = [&](bool header_name) {
    const char c = scanner.peek();
    if (header_name) return take_header_name(scanner);
    if (is_digit(c) || (c == '.' && is_digit(scanner.peek(1)))) return take_number(scanner);
    if (is_word(c)) return take_word(scanner);
    if (c == '"' || c == '\'') return take_quoted(scanner);
    return take_punctuator(scanner);
  };
  while (!scanner.at_end()) {
    const char c = scanner.peek();
    if (c == '\n') {
      end_line();
      scanner.take();
      continue;
    }
    if (is_space(c)) {
      scanner.take();
      continue;
    }
    if (scanner.starts_with("//")) {
      skip_line_comment(scanner);
      continue;
    }
    if (scanner.starts_with("/*")) {
      skip_block_comment(scanner);
      continue;
    }
    const bool header_name = words_of_directive == 2 && tokens.back().text == "include" && c == '<';
    if (line_starts && c == '#')
      words_of_directive = 1;
    else if (words_of_directive > 0)
      ++words_of_directive;
    line_starts = false;
    const std::size_t begin = first + scanner.position();
    std::string text = take(header_name);
    tokens.push_back({std::move(text), begin, first + scanner.position()});
  }
  end_line();
  return tokens;
}

std::vector<std::string> tokens_of(std::string_view source) {
  std::vector<std::string> texts;
  for (PlacedToken& token : placed_tokens_of(source)) texts.push_back(std::move(token.text));
  return texts;
}

bool same_tokens(std::string_view a, std::string_view b) {
  return tokens_of(a) == tokens_of(b);
}

}  // namespace warpmark

// Tokenizer for one line of an ARFF file (Weka's Attribute-Relation File Format).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warpmark::arff {

struct Piece {
  std::string text;  // a token's text, without the quotes that may enclose it in the file
  bool quoted = false;
};

class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) { skip_space(); }

  // Returns true if the rest of an ARFF line is empty or a comment.
  [[nodiscard]] bool at_end() const { return at_ == line_.size() || line_[at_] == '%'; }
  [[nodiscard]] char next() const { return at_end() ? '\0' : line_[at_]; }
  // If the next character is `wanted`, consumes it and the white space after it and returns true.
  bool take(char wanted);
  // Consumes and returns the next word: a quoted text, which may be empty, or else the characters before the
  // next space or one of `, { } %`. Returns nullopt if the closing quote is missing.
  std::optional<Piece> piece();

 private:
  void skip_space();
  std::optional<Piece> quoted_piece();

  std::string_view line_;
  std::size_t at_ = 0;
};

// Compares ASCII texts case-insensitively.
bool same_word(std::string_view a, std::string_view b);

}  // namespace warpmark::arff

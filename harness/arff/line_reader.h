// One line of an ARFF file, piece by piece.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warpmark::arff {

struct Piece {
  std::string text;  // without its quotes
  bool quoted = false;
};

class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) { skip_space(); }

  // Whether nothing but a comment is left.
  [[nodiscard]] bool at_end() const { return at_ == line_.size() || line_[at_] == '%'; }
  [[nodiscard]] char next() const { return at_end() ? '\0' : line_[at_]; }
  // Takes this character and the space behind it, if it comes next.
  bool take(char wanted);
  // Takes the next word of the line: a quoted text, which may be empty, or else the characters before the
  // next space or one of `, { } %`. Returns nullopt if a quote is not closed.
  std::optional<Piece> piece();

 private:
  void skip_space();
  std::optional<Piece> quoted_piece();

  std::string_view line_;
  std::size_t at_ = 0;
};

// In any case; both of ASCII.
bool same_word(std::string_view a, std::string_view b);

}  // namespace warpmark::arff

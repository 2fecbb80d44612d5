#include "harness/arff/line_reader.h"

#include <algorithm>

namespace warpmark::arff {
namespace {

constexpr std::string_view kSpace = " \t\r\v\f";
constexpr std::string_view kEndOfPiece = " \t\r\v\f,{}%";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool LineReader::take(char wanted) {
  if (next() != wanted || wanted == '\0') return false;
  ++at_;
  skip_space();
  return true;
}

std::optional<Piece> LineReader::piece() {
  if (next() == '\'' || next() == '"') return quoted_piece();
  const std::size_t end = std::min(line_.find_first_of(kEndOfPiece, at_), line_.size());
  Piece piece{std::string(line_.substr(at_, end - at_))};
  at_ = end;
  skip_space();
  return piece;
}

std::optional<Piece> LineReader::quoted_piece() {
  const char quote = line_[at_++];
  Piece piece{"", true};
  for (; at_ < line_.size() && line_[at_] != quote; ++at_) {
    if (line_[at_] == '\\' && at_ + 1 < line_.size()) ++at_;
    piece.text += line_[at_];
  }
  if (at_ == line_.size()) return std::nullopt;
  ++at_;
  skip_space();
  return piece;
}

void LineReader::skip_space() {
  at_ = std::min(line_.find_first_not_of(kSpace, at_), line_.size());
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace warpmark::arff

#include "harness/assignments/plain/note.h"

#include <fmt/format.h>

namespace warpmark::plain {

Result<Note> Note::parse(std::string_view text) {
  Note note;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    if (open != 0) note.pieces_.push_back({std::string(text.substr(0, open))});
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos)
      return fail("a place begins with { and does not end; write }, as in {n} or {keys[i]}");
    std::string_view place = text.substr(open + 1, close - open - 1);
    Piece piece;
    if (const std::size_t bracket = place.find('['); bracket != std::string_view::npos) {
      if (!place.ends_with(']'))
        return fail(fmt::format("{{{}}} is no element of a buffer, such as {{keys[i + 1]}}", place));
      piece.buffer = place.substr(0, bracket);
      place = place.substr(bracket + 1, place.size() - bracket - 2);
    }
    auto parsed = Expression::parse(place);
    if (!parsed) return tl::unexpected(parsed.error());
    piece.expression = std::move(*parsed);
    note.pieces_.push_back(std::move(piece));
    text.remove_prefix(close + 1);
  }
  return note;
}

std::set<std::string> Note::sizes() const {
  std::set<std::string> names;
  for (const Piece& piece : pieces_) {
    if (piece.expression) names.insert(piece.expression->names().begin(), piece.expression->names().end());
  }
  names.erase(kIndex);
  return names;
}

std::set<std::string> Note::buffers() const {
  std::set<std::string> names;
  for (const Piece& piece : pieces_) {
    if (!piece.buffer.empty()) names.insert(piece.buffer);
  }
  return names;
}

std::string Note::text(const Values& values, const ElementText& element) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    if (!piece.expression) {
      text += piece.literal;
      continue;
    }
    const auto value = piece.expression->value(values);
    if (!value) {
      text += "?";
    } else if (piece.buffer.empty()) {
      text += fmt::format("{}", *value);
    } else {
      text += element(piece.buffer, static_cast<std::uint64_t>(*value));
    }
  }
  return text;
}

}  // namespace warpmark::plain

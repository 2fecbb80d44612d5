// A note that a message adds about a wrong element: text with placeholders such as {n}, {i} and {offsets[i +
// 1]}.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignments/plain/expression.h"

namespace warpmark::plain {

// Name of the wrong element's index in a note.
inline constexpr const char* kIndex = "i";

class Note {
 public:
  // Parses the text of a note about a wrong element. Fails if a brace is not closed or contains neither an
  // expression nor BUFFER[expression].
  static Result<Note> parse(std::string_view text);

  // Return the names of the input sizes and of the buffers that the placeholders of a message's note use.
  [[nodiscard]] std::set<std::string> sizes() const;
  [[nodiscard]] std::set<std::string> buffers() const;
  // Returns the note with every placeholder filled in. values: the sizes, and the wrong element's index as
  // kIndex. element: returns an element of a buffer as text, even for an index beyond its end.
  using ElementText = std::function<std::string(const std::string& buffer, std::uint64_t index)>;
  [[nodiscard]] std::string text(const Values& values, const ElementText& element) const;

 private:
  // A segment of a note about a wrong element: literal text, or a placeholder. The placeholder stands for an
  // element of `buffer`, or for a number if `buffer` is empty.
  struct Piece {
    std::string literal;
    std::string buffer = {};
    std::optional<Expression> expression = {};
  };
  std::vector<Piece> pieces_;
};

}  // namespace warpmark::plain

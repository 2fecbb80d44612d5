// What a message adds about a wrong element: text with places such as {n}, {i} and {offsets[i + 1]}.
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
  // Fails with the rule if a brace is not closed or holds neither an expression nor BUFFER[expression].
  static Result<Note> parse(std::string_view text);

  // Returns the names of the sizes and of the buffers in the places.
  [[nodiscard]] std::set<std::string> sizes() const;
  [[nodiscard]] std::set<std::string> buffers() const;
  // Returns the text with every place filled. values: the sizes and kIndex. element: returns an element of a
  // buffer as text; the index may be beyond its end.
  using ElementText = std::function<std::string(const std::string& buffer, std::uint64_t index)>;
  [[nodiscard]] std::string text(const Values& values, const ElementText& element) const;

 private:
  // Literal text, or a place: an element of `buffer`, or a number if that is empty.
  struct Piece {
    std::string literal;
    std::string buffer = {};
    std::optional<Expression> expression = {};
  };
  std::vector<Piece> pieces_;
};

}  // namespace warpmark::plain

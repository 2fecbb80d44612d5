// A source file with the submission's own headers in place of their #include lines, so that a change may be
// tried in a header, too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::source_edits {

// A line of a submitted file.
struct Origin {
  std::string file;
  int line = 0;
  bool operator==(const Origin&) const = default;
};

struct Flat {
  std::string text;
  std::vector<Origin> lines;  // of each line of the text, from the first

  // Returns the numbers in the text, from 1, of the lines that come from one of `origins`.
  [[nodiscard]] std::vector<int> places_of(const std::vector<Origin>& origins) const;
};

// `header` returns the text of a submitted header by the name in its #include line, and nothing for other
// headers, whose lines stay. Each is included once, without #pragma once or an include guard.
Flat flatten(const std::string& file, std::string_view text,
             const std::function<std::optional<std::string>(const std::string& name)>& header);

}  // namespace warpmark::source_edits

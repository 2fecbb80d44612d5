#include "harness/source_edits/flat.h"

#include <algorithm>
#include <set>

namespace warpmark::source_edits {
namespace {

std::string_view without_blanks(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// Returns the rest of a preprocessor line behind its directive, if it is that one.
std::optional<std::string_view> behind(std::string_view line, std::string_view directive) {
  line = without_blanks(line);
  if (!line.starts_with("#")) return std::nullopt;
  line = without_blanks(line.substr(1));
  if (!line.starts_with(directive)) return std::nullopt;
  return without_blanks(line.substr(directive.size()));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Empties the lines of an include guard: #ifndef NAME, #define NAME and the last #endif.
void drop_guard(std::vector<std::string>& lines) {
  for (std::size_t k = 0; k + 1 < lines.size(); ++k) {
    const auto guard = behind(lines[k], "ifndef");
    if (!guard || behind(lines[k + 1], "define") != guard) continue;
    const auto end = std::find_if(lines.rbegin(), lines.rend(),
                                  [](const std::string& line) { return behind(line, "endif").has_value(); });
    if (end == lines.rend()) return;
    end->clear();
    lines[k].clear();
    lines[k + 1].clear();
    return;
  }
}

class Flattening {
 public:
  using Header = std::function<std::optional<std::string>(const std::string&)>;
  explicit Flattening(const Header& header) : header_(header) {}

  void add(const std::string& file, std::string_view text, bool is_header) {
    auto lines = lines_of(text);
    if (is_header) drop_guard(lines);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (const auto name = own_header(lines[k])) {
        if (!included_.insert(*name).second) continue;
        if (const auto included = header_(*name)) {
          add(*name, *included, true);
          continue;
        }
      }
      flat_.text += behind(lines[k], "pragma") == "once" ? "" : lines[k];
      flat_.text += '\n';
      flat_.lines.push_back({file, static_cast<int>(k) + 1});
    }
  }
  [[nodiscard]] Flat take() { return std::move(flat_); }

 private:
  // Returns the name in a line #include "name".
  static std::optional<std::string> own_header(std::string_view line) {
    const auto name = behind(line, "include");
    if (!name || name->size() < 3 || name->front() != '"') return std::nullopt;
    const std::size_t end = name->find('"', 1);
    if (end == std::string_view::npos) return std::nullopt;
    return std::string(name->substr(1, end - 1));
  }

  const Header& header_;
  std::set<std::string> included_;
  Flat flat_;
};

}  // namespace

std::vector<int> Flat::places_of(const std::vector<Origin>& origins) const {
  std::vector<int> numbers;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (std::ranges::find(origins, lines[k]) != origins.end()) numbers.push_back(static_cast<int>(k) + 1);
  }
  return numbers;
}

Flat flatten(const std::string& file, std::string_view text,
             const std::function<std::optional<std::string>(const std::string& name)>& header) {
  Flattening flattening(header);
  flattening.add(file, text, false);
  return flattening.take();
}

}  // namespace warpmark::source_edits

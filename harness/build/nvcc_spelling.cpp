#include "harness/build/nvcc_spelling.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/build/device_launches.h"
#include "harness/build/quoted_includes.h"
#include "harness/build/source_text.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kAnySpaces = " \t\r\n\v\f";

class Respelling {
 public:
  explicit Respelling(std::string_view source) : source_(source) {}

  std::optional<std::string> result() {
    while (at_ < source_.size()) step();
    if (!changed_) return std::nullopt;
    return std::move(text_);
  }

 private:
  [[nodiscard]] bool starts(std::string_view what) const { return source_.substr(at_).starts_with(what); }

  void take(std::size_t count) {
    text_ += source_.substr(at_, count);
    at_ = std::min(at_ + count, source_.size());
  }
  // Copies source text unchanged to the rewritten source, up to and including the first occurrence of `end`
  // after index `from`.
  void take_to(std::string_view end, std::size_t from) {
    const std::size_t found = source_.find(end, from);
    take((found == kNone ? source_.size() : found + end.size()) - at_);
  }

  void step() {
    const char c = source_[at_];
    if (starts("/*")) return take_to("*/", at_ + 2);
    if (starts("//")) return take_line_comment();
    if (c == '"') return take_string();
    if (c == '\'') return take_character();
    if (c == '#' && at_line_start()) directive_ = true;
    if (c == '\n' && (at_ == 0 || source_[at_ - 1] != '\\')) directive_ = false;
    if (c == ';' || c == '{' || c == '}') launch_ = false;
    if (c == ';') cluster_.clear();
    if (c == ';' || (c == ':' && assembly_)) assembly_ = false;
    if (c == ';') operands_ = false;
    if (c == ')' && operands_ && string_behind()) return replace(1, "),");
    if (c == '{' && !cluster_.empty()) {
      const std::string size = std::exchange(cluster_, {});
      return replace(1, "{ warpmark_cluster_dims<" + size + ">();");
    }
    if (c == '\\' && !directive_ && only_a_comment_follows()) return replace(1, " ");
    if (starts("<<<")) {
      launch_ = true;
      return take(3);
    }
    if (starts("<<") && !after_operator()) {
      if (const std::size_t gap = gap_before('<')) {
        launch_ = true;
        return close_gap("<<<", gap);
      }
    }
    if (starts(">>>")) {
      launch_ = false;
      return take(3);
    }
    if (starts(">>") && launch_) {
      if (const std::size_t gap = gap_before('>')) {
        launch_ = false;
        return close_gap(">>>", gap);
      }
    }
    if (starts("<<") || starts(">>")) return take(2);
    if (is_word(c)) return take_word();
    take(1);
  }

  void take_word() {
    std::size_t end = at_;
    while (end < source_.size() && is_word(source_[end])) ++end;
    const std::string_view word = source_.substr(at_, end - at_);
    if (word == "__shared__" || word == "__device__" || word == "__constant__") {
      if (const std::size_t alignment = alignment_behind(end)) {
        // Moves __shared__, __device__ or __constant__ behind alignas(...): clang treats these words as GNU
        // attributes, which must not precede alignas.
        const std::string behind(source_.substr(end, alignment - end));
        return replace(alignment - at_, behind + " " + std::string(word));
      }
    }
    if (word == "__cluster_dims__" && !directive_) return take_cluster(end);
    if (word == "asm" || word == "__asm__" || word == "__asm") operands_ = assembly_ = has_operands(end);
    take(end - at_);
  }

  // Returns true if a string literal follows the current character. After the closing parenthesis of an
  // inline assembly operand, this means that the comma before the next operand is missing.
  [[nodiscard]] bool string_behind() const {
    const std::size_t next = source_.find_first_not_of(kAnySpaces, at_ + 1);
    return next != kNone && source_[next] == '"';
  }

  // Returns true if the inline assembly has operands, that is, a colon after its text.
  [[nodiscard]] bool has_operands(std::size_t from) const {
    bool quoted = false;
    for (std::size_t at = source_.find('(', from); at < source_.size(); ++at) {
      const char c = source_[at];
      if (c == '\\') ++at;
      if (c == '"') quoted = !quoted;
      if (!quoted && (c == ':' || c == ';')) return c == ':';
    }
    return false;
  }

  // Removes __cluster_dims__(...), an attribute that clang does not know; a call inserted at the start of the
  // kernel's body replaces it.
  void take_cluster(std::size_t from) {
    const std::size_t open = source_.find_first_not_of(kAnySpaces, from);
    const std::size_t close = source_.find(')', from);
    if (open == kNone || source_[open] != '(' || close == kNone) return take(from - at_);
    cluster_ = source_.substr(open + 1, close - open - 1);
    const auto lines = std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                  source_.begin() + static_cast<std::ptrdiff_t>(close), '\n');
    replace(close + 1 - at_, std::string(static_cast<std::size_t>(lines), '\n'));
  }

  // Returns the end of an alignas(...) that follows `from`, or 0 if there is none.
  [[nodiscard]] std::size_t alignment_behind(std::size_t from) const {
    const std::size_t next = source_.find_first_not_of(kAnySpaces, from);
    if (next == kNone || !source_.substr(next).starts_with("alignas")) return 0;
    std::size_t depth = 0;
    for (std::size_t at = source_.find('(', next); at != kNone && at < source_.size(); ++at) {
      if (source_[at] == '(') ++depth;
      if (source_[at] == ')' && --depth == 0) return at + 1;
    }
    return 0;
  }

  void take_line_comment() {
    do {
      take_to("\n", at_);
    } while (at_ < source_.size() && text_.ends_with("\\\n"));
    directive_ = false;
  }

  void take_string() {
    if (!text_.empty() && text_.back() == 'R') {
      const std::size_t open = source_.find('(', at_);
      if (open == kNone) return take(1);
      return take_to(fmt::format("){}\"", source_.substr(at_ + 1, open - at_ - 1)), open);
    }
    if (!assembly_) return take_quoted('"');
    const std::size_t begin = text_.size();
    take_quoted('"');
    escape_registers(begin);
  }

  // In inline assembly with operands, clang requires %% before a register name: doubles each single %.
  void escape_registers(std::size_t begin) {
    for (std::size_t at = begin; at + 2 < text_.size(); ++at) {
      if (text_[at] != '%') continue;
      if (text_[at + 1] == '%') {
        ++at;
        continue;
      }
      const auto is_letter = [&](std::size_t i) {
        return std::isalpha(static_cast<unsigned char>(text_[i])) != 0;
      };
      if (!is_letter(at + 1) || !is_word(text_[at + 2])) continue;
      text_.insert(at++, 1, '%');
      changed_ = true;
    }
  }

  // Copies a character literal, or a single apostrophe that is a digit separator.
  void take_character() {
    if (!text_.empty() && std::isxdigit(static_cast<unsigned char>(text_.back())) != 0) return take(1);
    take_quoted('\'');
  }

  void take_quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
      end += source_[end] == '\\' ? 2 : 1;
    take(std::min(end + 1, source_.size()) - at_);
  }

  [[nodiscard]] bool at_line_start() const {
    const std::size_t before = text_.find_last_not_of(kSpaces);
    return before == kNone || text_[before] == '\n';
  }

  [[nodiscard]] bool only_a_comment_follows() const {
    const std::size_t next = source_.find_first_not_of(kSpaces, at_ + 1);
    if (next == kNone) return false;
    const std::string_view rest = source_.substr(next);
    if (rest.starts_with("//")) return true;
    if (!rest.starts_with("/*")) return false;
    const std::size_t end = rest.find("*/");
    const std::size_t behind = end == kNone ? kNone : rest.find_first_not_of(kSpaces, end + 2);
    return behind != kNone && rest[behind] == '\n';
  }

  // Returns true if the current << belongs to an operator function's name, as in operator<< <T>, and starts
  // no kernel launch.
  [[nodiscard]] bool after_operator() const {
    const std::size_t last = text_.find_last_not_of(kAnySpaces);
    if (last == kNone) return false;
    const std::string_view before = std::string_view(text_).substr(0, last + 1);
    constexpr std::string_view kOperator = "operator";
    return before.ends_with(kOperator) &&
           (before.size() == kOperator.size() || !is_word(before[before.size() - kOperator.size() - 1]));
  }

  // Returns the number of spaces between the two-character token at the current position and the character
  // `third`; 0 if there are none or another character follows.
  [[nodiscard]] std::size_t gap_before(char third) const {
    const std::size_t next = source_.find_first_not_of(kAnySpaces, at_ + 2);
    return next != kNone && source_[next] == third ? next - at_ - 2 : 0;
  }

  void close_gap(std::string_view whole, std::size_t gap) {
    const std::string space(source_.substr(at_ + 2, gap));
    replace(gap + whole.size(), std::string(whole) + space);
  }

  void replace(std::size_t count, const std::string& by) {
    text_ += by;
    at_ += count;
    changed_ = true;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::string text_;
  bool changed_ = false;
  bool directive_ = false;  // true while the source scanner is inside a preprocessor directive
  bool launch_ = false;     // true while the source scanner is between <<< and >>> of a kernel launch
  bool assembly_ = false;   // true while the source scanner is between the keyword asm and its operands
  bool operands_ = false;   // true from the keyword asm to the end of its statement, if it has operands
  std::string cluster_;     // argument of __cluster_dims__ for the kernel whose body comes next
};

// Returns the names of the source and of all files that it includes by quoted names, as the compiler opens
// them.
std::set<fs::path> own_files(const Workspace& workspace) {
  std::set<fs::path> found;
  std::vector<fs::path> open{workspace.source()};
  while (!open.empty()) {
    const fs::path file = open.back();
    open.pop_back();
    if (!found.insert(file).second) continue;
    const Result<std::string> text = read_file(file);
    if (!text) continue;
    for (const std::string& name : quoted_includes(*text)) {
      std::vector<fs::path> folders{file.parent_path()};
      for (const Folder& folder : workspace.folders()) folders.emplace_back(folder.seen);
      for (const fs::path& folder : folders) {
        std::error_code error;
        const fs::path included = (folder / name).lexically_normal();
        if (fs::is_regular_file(included, error)) {
          open.push_back(included);
          break;
        }
      }
    }
  }
  return found;
}

}  // namespace

std::optional<std::string> in_clangs_spelling(std::string_view source) {
  return Respelling(source).result();
}

Result<std::optional<fs::path>> overlay_in_clangs_spelling(const Workspace& workspace,
                                                           const ArrayLines& arrays) {
  struct Spelled {
    fs::path file;
    std::string text;
    bool changed = false;
  };
  std::vector<Spelled> all;
  bool device_launches = false;
  for (const fs::path& file : own_files(workspace)) {
    Result<std::string> text = read_file(file);
    if (!text) continue;
    std::optional<std::string> respelled = in_clangs_spelling(*text);
    Spelled& spelled = all.emplace_back(file, std::move(*text), respelled.has_value());
    if (respelled) spelled.text = std::move(*respelled);
    if (const auto lines = arrays.find(file.filename().string()); lines != arrays.end()) {
      spelled.text = spell_variable_arrays(spelled.text, lines->second);
      spelled.changed = true;
    }
    device_launches = device_launches || has_device_launches(spelled.text);
  }
  json roots = json::array();
  for (auto& [file, text, changed] : all) {
    if (device_launches) {
      text = spell_device_launches(text);
      changed = true;
    }
    if (!changed) continue;
    const std::string* respelled = &text;
    const fs::path copy = workspace.folder() / fmt::format("respelled{}", roots.size());
    if (const Result<void> written = write_file(copy, *respelled); !written)
      return tl::unexpected<Error>(written.error());
    roots.push_back({{"type", "file"}, {"name", file.string()}, {"external-contents", copy.string()}});
  }
  if (roots.empty()) return std::nullopt;
  const json overlay{{"version", 0}, {"use-external-names", false}, {"roots", roots}};
  fs::path path = workspace.folder() / "overlay.yaml";
  const std::string text = overlay.dump(-1, ' ', false, json::error_handler_t::replace);
  if (const Result<void> written = write_file(path, text); !written)
    return tl::unexpected<Error>(written.error());
  return path;
}

}  // namespace warpmark::build

#include "harness/build/device_launches.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "harness/build/source_text.h"

namespace warpmark::build {
namespace {

constexpr std::string_view kWhite = " \t\r\n\v\f";

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != kNone; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    if (begins && (at + word.size() == text.size() || !is_word(text[at + word.size()]))) return true;
  }
  return false;
}

// Given the source text before <<<, returns the index at which the launched kernel's name begins: a qualified
// name with optional template arguments.
std::size_t kernel_begin(std::string_view text) {
  std::size_t at = text.size();
  const auto skip_spaces = [&] {
    while (at > 0 && kWhite.find(text[at - 1]) != kNone) --at;
  };
  while (true) {
    skip_spaces();
    if (at > 0 && text[at - 1] == '>') {
      int depth = 0;
      // nesting depth of parentheses, inside which > and < do not delimit template arguments
      int brackets = 0;
      do {
        --at;
        if (text[at] == ')') ++brackets;
        if (text[at] == '(') --brackets;
        if (text[at] == '>' && brackets == 0) ++depth;
        if (text[at] == '<' && brackets == 0) --depth;
      } while (at > 0 && depth > 0);
      skip_spaces();
    }
    while (at > 0 && is_word(text[at - 1])) --at;
    std::size_t before = at;
    while (before > 0 && kWhite.find(text[before - 1]) != kNone) --before;
    if (before < 2 || text.substr(before - 2, 2) != "::") return at;
    at = before - 2;
  }
}

// Rewrites kernel launches in device functions. Scans a source, skipping comments and literals, and tracks
// whether the current scope is a host or a device function.
class Speller {
 public:
  explicit Speller(std::string_view source) : source_(source) {}

  void run() {
    while (at_ < source_.size()) step();
  }
  [[nodiscard]] bool launches_on_device() const { return launches_on_device_; }
  std::string take_text() { return std::move(text_); }

 private:
  enum class Scope { names, host, device };

  [[nodiscard]] bool starts(std::string_view what) const { return source_.substr(at_).starts_with(what); }
  void take_until(std::size_t end) {
    end = std::min(end, source_.size());
    text_ += source_.substr(at_, end - at_);
    at_ = end;
  }
  void take_past(std::string_view what, std::size_t from) {
    const std::size_t found = source_.find(what, from);
    take_until(found == kNone ? source_.size() : found + what.size());
  }
  [[nodiscard]] std::size_t literal_end(std::size_t from) const {
    std::size_t end = from + 1;
    while (end < source_.size() && source_[end] != source_[from] && source_[end] != '\n')
      end += source_[end] == '\\' ? 2 : 1;
    return end + 1;
  }

  void step() {
    const char c = source_[at_];
    if (starts("/*")) return take_past("*/", at_ + 2);
    if (starts("//")) return take_past("\n", at_);
    if (c == '"' || (c == '\'' && (text_.empty() || !is_word(text_.back()))))
      return take_until(literal_end(at_));
    if (c == '#' && at_line_start()) return take_directive();
    if (is_word(c)) return take_word();
    if (c == '{') return open();
    if (c == '}') {
      if (scopes_.size() > 1) scopes_.pop_back();
      take_until(at_ + 1);
      header_ = text_.size();
      return;
    }
    if (c == ';') {
      take_until(at_ + 1);
      header_ = text_.size();
      return;
    }
    if (starts("<<<")) return launch();
    take_until(at_ + 1);
  }

  [[nodiscard]] bool at_line_start() const {
    const std::size_t before = text_.find_last_not_of(" \t\r");
    return before == std::string::npos || text_[before] == '\n';
  }

  // Copies a preprocessor directive with its continuation lines unchanged: kernel launches in a macro's body
  // are not rewritten.
  void take_directive() {
    std::size_t end = source_.find('\n', at_);
    while (end != kNone && end > 0 && source_[end - 1] == '\\') end = source_.find('\n', end + 1);
    take_until(end == kNone ? source_.size() : end + 1);
    header_ = text_.size();
  }

  void take_word() {
    std::size_t end = at_;
    while (end < source_.size() && is_word(source_[end])) ++end;
    const std::string_view word = source_.substr(at_, end - at_);
    if (word == "__global__") {
      text_ += "WARPMARK_GLOBAL";
      at_ = end;
      return;
    }
    take_until(end);
  }

  void open() {
    Scope scope = scopes_.back();
    const std::string_view header = std::string_view(text_).substr(header_);
    const bool kernel = scope == Scope::names && has_word(header, "WARPMARK_GLOBAL");
    if (scope == Scope::names) scope = kernel ? Scope::device : scope_of(header);
    scopes_.push_back(scope);
    take_until(at_ + 1);
    if (kernel) text_ += " WARPMARK_KERNEL_BODY";
    header_ = text_.size();
  }

  static Scope scope_of(std::string_view header) {
    if (has_word(header, "__device__") && header.find('(') != kNone) return Scope::device;
    const std::size_t last = header.find_last_not_of(kWhite);
    if (header.find('(') == kNone || last == kNone) return Scope::names;
    const bool type = has_word(header, "struct") || has_word(header, "class") || has_word(header, "union") ||
                      has_word(header, "enum") || has_word(header, "namespace");
    return type && header[last] != ')' ? Scope::names : Scope::host;
  }

  // Returns the index in the source after the parenthesis that closes the one at `from`, or kNone if it is
  // not closed.
  [[nodiscard]] std::size_t closed(std::size_t from) const {
    int depth = 0;
    for (std::size_t at = from; at < source_.size(); ++at) {
      const char c = source_[at];
      if (c == '"' || c == '\'') {
        at = literal_end(at) - 1;
        continue;
      }
      if (c == '(') ++depth;
      if (c == ')' && --depth == 0) return at + 1;
    }
    return kNone;
  }

  void launch() {
    const std::size_t end = source_.find(">>>", at_);
    if (end == kNone) return take_until(at_ + 3);
    const std::string shape(source_.substr(at_ + 3, end - at_ - 3));
    if (scopes_.back() != Scope::device) {
      text_ += fmt::format(" WARPMARK_HOST_LAUNCH({})", shape);
      at_ = end + 3;
      return;
    }
    const std::size_t open = source_.find_first_not_of(kWhite, end + 3);
    const std::size_t behind = open != kNone && source_[open] == '(' ? closed(open) : kNone;
    if (behind == kNone) return take_until(at_ + 3);
    launches_on_device_ = true;
    const std::size_t begin = std::max(kernel_begin(text_), header_);
    text_.insert(begin, fmt::format("WARPMARK_DEVICE_LAUNCH(({}), ", shape));
    text_ += source_.substr(end + 3, behind - end - 3);
    text_ += ")";
    at_ = behind;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::string text_;
  std::size_t header_ = 0;  // index in the rewritten text where the current declaration or statement starts
  std::vector<Scope> scopes_{Scope::names};
  bool launches_on_device_ = false;
};

}  // namespace

bool has_device_launches(std::string_view source) {
  Speller speller(source);
  speller.run();
  return speller.launches_on_device();
}

std::string spell_device_launches(std::string_view source) {
  Speller speller(source);
  speller.run();
  return speller.take_text();
}

}  // namespace warpmark::build

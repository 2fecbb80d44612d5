#include "harness/assignments/program/comparison.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace warpmark::program {
namespace {

constexpr std::array<std::pair<std::string_view, ComparisonKind>, 3> kKinds{
    {{"exact", ComparisonKind::exact},
     {"words", ComparisonKind::words},
     {"numbers", ComparisonKind::numbers}}};

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string shown(std::string_view text) {
  return std::string(text.substr(0, kShownBytes)) + (text.size() > kShownBytes ? "..." : "");
}

// One word or number of a text, with its place.
struct Token {
  std::string_view text;
  std::optional<double> number;
  std::size_t line = 1;
  std::size_t place = 1;  // position of a word or number in its line, from 1
};

// Splits a text at white space and, if numbers are wanted, before and after each number.
class Tokens {
 public:
  Tokens(std::string_view text, bool numbers) : text_(text), numbers_(numbers) {}

  // Returns the next token, or nullopt at the end.
  std::optional<Token> next() {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      place_ = 0;
    }
    if (at_ == text_.size()) return std::nullopt;
    Token token{{}, std::nullopt, line_, ++place_};
    const std::size_t begin = at_;
    if (numbers_) token.number = number_here();
    if (!token.number) {
      ++at_;
      while (at_ < text_.size() && !is_space(text_[at_]) && !(numbers_ && begins_number())) ++at_;
    }
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  // Returns true if a number may begin at this position of a text: no digit of a name (v2), and no sign
  // between operands (1-2).
  [[nodiscard]] bool begins_number() const {
    if (at_ > 0 && (is_of_a_name(text_[at_ - 1]) || text_[at_ - 1] == '.')) return false;
    std::size_t i = at_;
    if (i < text_.size() && (text_[i] == '-' || text_[i] == '+')) ++i;
    if (i < text_.size() && text_[i] == '.') ++i;
    return i < text_.size() && is_digit(text_[i]);
  }
  // Returns the value of a word for infinity or NaN that stands alone.
  std::optional<double> special_here() {
    std::size_t end = at_;
    while (end < text_.size() && !is_space(text_[end])) ++end;
    std::string word(text_.substr(at_, end - at_));
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool negative = word.starts_with('-');
    const std::string_view rest = std::string_view(word).substr(negative || word.starts_with('+') ? 1 : 0);
    if (rest != "inf" && rest != "infinity" && rest != "nan") return std::nullopt;
    at_ = end;
    if (rest == "nan") return std::nan("");
    return negative ? -HUGE_VAL : HUGE_VAL;
  }
  std::optional<double> number_here() {
    if (!begins_number()) return special_here();
    const char* begin = text_.data() + at_ + (text_[at_] == '+' ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::invalid_argument) return std::nullopt;
    // The digits overflow or underflow a double: the value becomes infinity or zero.
    if (error == std::errc::result_out_of_range) {
      const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
      value = digits.find("e-") == digits.npos && digits.find("E-") == digits.npos ? HUGE_VAL : 0.0;
      if (digits.starts_with('-')) value = -value;
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string_view text_;
  bool numbers_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t place_ = 0;
};

bool agree(const Comparison& comparison, double expected, double actual) {
  if (std::isnan(expected) || std::isnan(actual)) return false;
  if (expected == actual) return true;
  if (std::isinf(expected) || std::isinf(actual)) return false;
  const double distance = std::abs(expected - actual);
  return distance <= comparison.absolute || distance <= comparison.relative * std::abs(expected);
}

bool agree(const Comparison& comparison, const Token& expected, const Token& actual) {
  if (expected.number && actual.number) return agree(comparison, *expected.number, *actual.number);
  return !expected.number && !actual.number && expected.text == actual.text;
}

std::optional<Difference> difference_of_tokens(const Comparison& comparison, std::string_view expected,
                                               std::string_view actual) {
  const bool numbers = comparison.kind == ComparisonKind::numbers;
  Tokens wanted(expected, numbers);
  Tokens got(actual, numbers);
  for (;;) {
    const auto one = wanted.next();
    const auto other = got.next();
    if (!one && !other) return std::nullopt;
    if (!other)
      return Difference{got.line(),
                        fmt::format("it ends before {} {} of line {} of the expected output",
                                    one->number ? "number" : "word", one->place, one->line),
                        shown(one->text), "(nothing)"};
    if (!one)
      return Difference{
          other->line,
          fmt::format("it goes on after the end of the expected output, in line {}", other->line),
          "(nothing)", shown(other->text)};
    if (agree(comparison, *one, *other)) continue;
    return Difference{
        other->line,
        fmt::format("{} {} of line {} differs", one->number && other->number ? "number" : "word",
                    other->place, other->line),
        shown(one->text), shown(other->text)};
  }
}

// Returns the text's next line without its end, and takes it off.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::optional<Difference> difference_of_lines(std::string_view expected, std::string_view actual) {
  if (expected == actual) return std::nullopt;
  std::string_view wanted = expected;
  std::string_view got = actual;
  for (std::size_t line = 1;; ++line) {
    if (wanted.empty() || got.empty()) {
      if (wanted.empty() && got.empty())  // both outputs are equal but for a newline at the end
        return Difference{
            line - 1,
            expected.ends_with('\n') ? "its last line does not end with a newline"
                                     : "it ends with a newline, which the expected output does not",
            expected.ends_with('\n') ? "\\n" : "(nothing)", expected.ends_with('\n') ? "(nothing)" : "\\n"};
      return Difference{
          line,
          got.empty() ? fmt::format("it ends before line {} of the expected output", line)
                      : fmt::format("it goes on after the end of the expected output, in line {}", line),
          wanted.empty() ? "(nothing)" : shown(next_line(wanted)),
          got.empty() ? "(nothing)" : shown(next_line(got))};
    }
    const std::string_view one = next_line(wanted);
    const std::string_view other = next_line(got);
    if (one == other) continue;
    return Difference{line,
                      other.size() == one.size() + 1 && other.ends_with('\r') && other.starts_with(one)
                          ? fmt::format("line {} ends with a carriage return (\\r)", line)
                          : fmt::format("line {} differs", line),
                      shown(one), shown(other)};
  }
}

}  // namespace

std::optional<ComparisonKind> comparison_kind_from(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name, [](const auto& kind) { return kind.first; });
  if (found == kKinds.end()) return std::nullopt;
  return found->second;
}

std::optional<Difference> difference(const Comparison& comparison, std::string_view expected,
                                     std::string_view actual) {
  if (comparison.kind == ComparisonKind::exact) return difference_of_lines(expected, actual);
  return difference_of_tokens(comparison, expected, actual);
}

}  // namespace warpmark::program

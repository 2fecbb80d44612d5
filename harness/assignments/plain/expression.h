// Expressions in an assignment.toml: sizes and whole numbers, + - * / % ( ), min, max, ceil_div, isqrt (the
// square root, rounded down), and for `where` also comparisons, && and ||. Values are signed 64-bit numbers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::plain {

// The values of the names in an expression.
using Values = std::map<std::string, std::int64_t, std::less<>>;

class Expression {
 public:
  // Parses an expression of sizes, such as "2 * n + 1". A syntax error names the position and the rule.
  static Result<Expression> parse(std::string_view text);
  static Expression number(std::int64_t value);

  // Evaluates the expression. Fails on overflow, division by zero and a name missing in `values`.
  [[nodiscard]] Result<std::int64_t> value(const Values& values) const;
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  enum class Operation : std::uint8_t {
    number,
    name,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    negate,
    minimum,
    maximum,
    ceil_div,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    both,
    either,
    complement,
    isqrt,
  };
  // One instruction of the stack machine that evaluates an expression.
  struct Step {
    Operation operation;
    std::int64_t number = 0;
    std::string name = {};
  };
  class Parser;
  static Result<std::int64_t> applied(Operation operation, std::int64_t a, std::int64_t b);

  std::string text_;
  std::vector<Step> steps_;  // the expression in postfix order, for a stack machine
  std::set<std::string> names_;
};

}  // namespace warpmark::plain

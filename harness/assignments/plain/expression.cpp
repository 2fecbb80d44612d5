#include "harness/assignments/plain/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "harness/base/text.h"

namespace warpmark::plain {
namespace {

constexpr int kDeepest = 100;           // limit on nested parentheses and signs, against stack overflow
constexpr std::size_t kLongest = 2000;  // limit on an expression's length in characters

bool is_name_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace

// Recursive-descent parser of expressions; the lowest level of precedence is ||.
class Expression::Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) { result_.text_ = std::string(text); }

  Result<Expression> parse() {
    if (rest_.size() > kLongest)
      return fail(fmt::format("an expression has at most {} characters", kLongest));
    level(0);
    skip_blanks();
    if (!error_ && !rest_.empty())
      refuse(fmt::format("\"{}\" is left over; operators are + - * / % ( ) < <= > >= == != && || !", rest_));
    if (error_) return fail(fmt::format("\"{}\": {}", result_.text_, *error_));
    return std::move(result_);
  }

 private:
  struct Binary {
    std::string_view sign;
    Operation operation;
    std::size_t level;
  };
  // Operators of the expression grammar: longer ones precede their prefixes ("<=" before "<"), because the
  // first match wins.
  static constexpr std::array kBinary{
      Binary{"||", Operation::either, 0},     Binary{"&&", Operation::both, 1},
      Binary{"==", Operation::equal, 2},      Binary{"!=", Operation::not_equal, 2},
      Binary{"<=", Operation::less_equal, 3}, Binary{">=", Operation::greater_equal, 3},
      Binary{"<", Operation::less, 3},        Binary{">", Operation::greater, 3},
      Binary{"+", Operation::add, 4},         Binary{"-", Operation::subtract, 4},
      Binary{"*", Operation::multiply, 5},    Binary{"/", Operation::divide, 5},
      Binary{"%", Operation::modulo, 5},
  };
  static constexpr std::size_t kLevels = 6;

  void level(std::size_t level_now) {
    if (level_now == kLevels) return sign();
    level(level_now + 1);
    while (!error_) {
      skip_blanks();
      const auto found =
          std::ranges::find_if(kBinary, [&](const Binary& binary) { return rest_.starts_with(binary.sign); });
      if (found == kBinary.end() || found->level != level_now) return;
      rest_.remove_prefix(found->sign.size());
      level(level_now + 1);
      result_.steps_.push_back({found->operation});
    }
  }

  void sign() {
    if (error_) return;
    if (++depth_ > kDeepest) return refuse("it is nested too deeply");
    skip_blanks();
    if (take("-")) {
      sign();
      result_.steps_.push_back({Operation::negate});
    } else if (rest_.starts_with("!") && !rest_.starts_with("!=")) {
      rest_.remove_prefix(1);
      sign();
      result_.steps_.push_back({Operation::complement});
    } else {
      operand();
    }
    --depth_;
  }

  void operand() {
    if (take("(")) {
      level(0);
      return need(")");
    }
    if (rest_.empty()) return refuse("an operand is missing at the end");
    std::size_t length = 0;
    while (length < rest_.size() && is_name_letter(rest_[length])) ++length;
    const std::string word(rest_.substr(0, length));
    if (word.empty()) return refuse(fmt::format("an operand is expected before \"{}\"", rest_));
    rest_.remove_prefix(length);
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      const auto number = number_in<std::int64_t>(word);
      if (!number) return refuse(fmt::format("\"{}\" is no whole number below 2^63", word));
      result_.steps_.push_back({Operation::number, *number});
      return;
    }
    skip_blanks();
    if (!take("(")) {
      result_.names_.insert(word);
      result_.steps_.push_back({Operation::name, 0, word});
      return;
    }
    call(word);
  }

  void call(const std::string& function) {
    const std::optional<Operation> operation = function == "min"        ? std::optional(Operation::minimum)
                                               : function == "max"      ? std::optional(Operation::maximum)
                                               : function == "ceil_div" ? std::optional(Operation::ceil_div)
                                               : function == "isqrt"    ? std::optional(Operation::isqrt)
                                                                        : std::nullopt;
    if (!operation)
      return refuse(fmt::format("no function is called \"{}\"; known: min, max, ceil_div, isqrt", function));
    level(0);
    if (*operation == Operation::isqrt) {
      result_.steps_.push_back({*operation});
      return need(")");
    }
    if (!error_ && !take(","))
      return refuse(fmt::format("{} takes two operands, separated by a comma", function));
    level(0);
    result_.steps_.push_back({*operation});
    need(")");
  }

  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }
  bool take(std::string_view sign) {
    skip_blanks();
    if (error_ || !rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }
  void need(std::string_view sign) {
    if (!take(sign)) refuse(fmt::format("\"{}\" is missing", sign));
  }
  void refuse(std::string why) {
    if (!error_) error_ = std::move(why);
  }

  std::string_view rest_;
  Expression result_;
  std::optional<std::string> error_;
  int depth_ = 0;
};

Result<Expression> Expression::parse(std::string_view text) {
  return Parser(text).parse();
}

Expression Expression::number(std::int64_t value) {
  Expression expression;
  expression.text_ = std::to_string(value);
  expression.steps_.push_back({Operation::number, value});
  return expression;
}

Result<std::int64_t> Expression::applied(Operation operation, std::int64_t a, std::int64_t b) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  std::int64_t result = 0;
  bool overflow = false;
  switch (operation) {
    case Operation::number:
    case Operation::name:
      return a;
    case Operation::add:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Operation::subtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Operation::multiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Operation::divide:
    case Operation::modulo:
    case Operation::ceil_div:
      if (b == 0) return fail("it divides by 0");
      if (a == kLeast && b == -1) {
        overflow = true;
      } else if (operation == Operation::modulo) {
        result = a % b;
      } else {
        result = a / b;
        const bool inexact = a % b != 0 && (a < 0) == (b < 0);
        if (operation == Operation::ceil_div && inexact) ++result;
      }
      break;
    case Operation::negate:
      overflow = __builtin_sub_overflow(std::int64_t{0}, a, &result);
      break;
    case Operation::minimum:
      return std::min(a, b);
    case Operation::maximum:
      return std::max(a, b);
    case Operation::less:
      return a < b ? 1 : 0;
    case Operation::less_equal:
      return a <= b ? 1 : 0;
    case Operation::greater:
      return a > b ? 1 : 0;
    case Operation::greater_equal:
      return a >= b ? 1 : 0;
    case Operation::equal:
      return a == b ? 1 : 0;
    case Operation::not_equal:
      return a != b ? 1 : 0;
    case Operation::both:
      return a != 0 && b != 0 ? 1 : 0;
    case Operation::either:
      return a != 0 || b != 0 ? 1 : 0;
    case Operation::complement:
      return a == 0 ? 1 : 0;
    case Operation::isqrt:
      if (a < 0) return fail("it takes the root of a negative number");
      result = static_cast<std::int64_t>(std::sqrt(static_cast<long double>(a)));
      return result;
  }
  if (overflow) return fail("it exceeds 64 bits");
  return result;
}

Result<std::int64_t> Expression::value(const Values& values) const {
  std::vector<Result<std::int64_t>> stack;
  const auto pop = [&] {
    Result<std::int64_t> top = std::move(stack.back());
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    if (step.operation == Operation::number) {
      stack.emplace_back(step.number);
      continue;
    }
    if (step.operation == Operation::name) {
      const auto found = values.find(step.name);
      stack.push_back(found == values.end() ? fail(fmt::format("{} is not known", step.name))
                                            : Result<std::int64_t>(found->second));
      continue;
    }
    const bool unary = step.operation == Operation::negate || step.operation == Operation::complement ||
                       step.operation == Operation::isqrt;
    const auto b = unary ? Result<std::int64_t>(0) : pop();
    const auto a = pop();
    // && and || short-circuit as in C++: an error in the right operand is ignored if the left one decides.
    const bool decided = a && ((step.operation == Operation::both && *a == 0) ||
                               (step.operation == Operation::either && *a != 0));
    if (decided) {
      stack.emplace_back(*a != 0 ? 1 : 0);
    } else if (!a || !b) {
      stack.push_back(a ? b : a);
    } else {
      stack.push_back(applied(step.operation, *a, *b));
    }
  }
  if (!stack.back()) return fail(fmt::format("\"{}\": {}", text_, stack.back().error().message));
  return stack.back();
}

}  // namespace warpmark::plain

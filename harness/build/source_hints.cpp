#include "harness/build/source_hints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "harness/build/source_text.h"

namespace warpmark::build {
namespace {

constexpr std::string_view kTestIt = "test the index against the size before the access";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == kNone) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

bool is_opening(char c) {
  return c == '(' || c == '[' || c == '{';
}
bool is_closing(char c) {
  return c == ')' || c == ']' || c == '}';
}

// Returns where the bracket that opens at `begin` closes; kNone if it does not on this line.
std::size_t closing_of(std::string_view line, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < line.size(); ++i) {
    depth += is_opening(line[i]) ? 1 : is_closing(line[i]) ? -1 : 0;
    if (depth == 0) return i;
  }
  return kNone;
}

// Variables and members of an expression, each with its object: {"row", "p.inner", "threadIdx.x"}.
std::set<std::string> names_in(std::string_view expression) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t end = i;
    while (end < expression.size() && (is_word(expression[end]) || expression[end] == '.')) ++end;
    if (end > i && std::isdigit(static_cast<unsigned char>(expression[i])) == 0)
      names.emplace(expression.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return names;
}

struct Test {
  std::string_view left, right;
  bool or_equal = false;
  [[nodiscard]] std::string text() const {
    return fmt::format("{} {} {}", left, or_equal ? "<=" : "<", right);
  }
};

// Comparisons by < and <= on a line.
std::vector<Test> tests_in(std::string_view line) {
  constexpr std::string_view kEnds = "&|?:;,=!";
  std::vector<Test> tests;
  for (std::size_t at = line.find('<'); at != kNone; at = line.find('<', at + 1)) {
    const bool shifts = (at > 0 && line[at - 1] == '<') || (at + 1 < line.size() && line[at + 1] == '<');
    if (shifts) continue;
    const bool or_equal = at + 1 < line.size() && line[at + 1] == '=';
    std::size_t begin = at;
    for (int depth = 0; begin > 0; --begin) {
      const char c = line[begin - 1];
      depth += is_closing(c) ? 1 : is_opening(c) ? -1 : 0;
      if (depth < 0 || (depth == 0 && kEnds.find(c) != kNone)) break;
    }
    const std::size_t from = at + (or_equal ? 2 : 1);
    std::size_t end = from;
    for (int depth = 0; end < line.size(); ++end) {
      const char c = line[end];
      depth += is_opening(c) ? 1 : is_closing(c) ? -1 : 0;
      if (depth < 0 || (depth == 0 && kEnds.find(c) != kNone)) break;
    }
    const Test test{trimmed(line.substr(begin, at - begin)), trimmed(line.substr(from, end - from)),
                    or_equal};
    // The angle brackets of a template's arguments are no comparison.
    if (!test.left.empty() && !test.right.empty() && test.right.find('>') == kNone) tests.push_back(test);
  }
  return tests;
}

// Returns the index of the access `array[index]` on the line.
std::optional<std::string_view> index_of(std::string_view line, std::string_view array) {
  for (std::size_t at = line.find(array); at != kNone; at = line.find(array, at + 1)) {
    const std::size_t open = at + array.size();
    if ((at > 0 && is_word(line[at - 1])) || open >= line.size() || line[open] != '[') continue;
    const std::size_t end = closing_of(line, open);
    if (end != kNone) return trimmed(line.substr(open + 1, end - open - 1));
  }
  return std::nullopt;
}

std::string line_of(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string read;
  for (int number = 0; number < line;) {
    if (!std::getline(lines, read)) return {};
    ++number;
  }
  return read.substr(0, read.find("//"));
}

// Removes the head of a for loop, which changes the loop's own variable.
std::string_view without_loop(std::string_view line) {
  const std::size_t loop = line.find("for (");
  const std::size_t end = loop == kNone ? kNone : closing_of(line, loop + 4);
  return end == kNone ? line : line.substr(end + 1);
}

// Returns the variable that ends before `end`: "work.data[i]" of "work.data[i] += 1".
std::string_view variable_before(std::string_view line, std::size_t end) {
  while (end > 0 && line[end - 1] == ' ') --end;
  std::size_t begin = end;
  int depth = 0;
  for (; begin > 0; --begin) {
    const char c = line[begin - 1];
    depth += c == ']' ? 1 : c == '[' ? -1 : 0;
    if (depth == 0 && c != '[' && !is_word(c) && c != '.') break;
  }
  return line.substr(begin, end - begin);
}

std::string_view variable_behind(std::string_view line, std::size_t begin) {
  std::size_t end = begin;
  while (end < line.size() && (is_word(line[end]) || line[end] == '.')) ++end;
  return line.substr(begin, end - begin);
}

}  // namespace

std::string changed_variable(std::string_view line) {
  line = without_loop(line.substr(0, line.find("//")));
  std::set<std::string_view> changed;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view two = line.substr(i, 2);
    if (two == "++" || two == "--") {
      const std::string_view before = variable_before(line, i);
      changed.insert(before.empty() ? variable_behind(line, i + 2) : before);
      ++i;
    } else if (two == "==") {
      ++i;
    } else if (line[i] == '=' && i > 0) {
      constexpr std::string_view kComparing = "<>!", kOperators = "+-*/%&|^";
      if (kComparing.find(line[i - 1]) != kNone) continue;
      changed.insert(variable_before(line, kOperators.find(line[i - 1]) != kNone ? i - 1 : i));
    }
  }
  changed.erase("");
  return changed.size() == 1 ? std::string(*changed.begin()) : std::string();
}

std::string about_bounds_test(const std::string& text, int line, std::string_view array) {
  const std::string accessing = line_of(text, line);
  const auto index = index_of(accessing, array);
  if (!index) return {};
  const std::string before = line_of(text, line - 1);
  int tested_at = line;
  auto tests = tests_in(accessing);
  if (tests.empty() && before.find("if (") != kNone) {
    tests = tests_in(before);
    tested_at = line - 1;
  }
  const auto used = names_in(*index);
  std::set<std::string> tested;
  for (const Test& test : tests) tested.merge(names_in(test.left));
  for (const Test& test : tests) {
    const auto names = names_in(test.left);
    if (names.empty() || std::ranges::includes(used, names)) continue;
    std::vector<std::string> forgotten;
    for (const std::string& name : used) {
      if (!tested.contains(name) && test.right != name) forgotten.push_back(name);
    }
    if (forgotten.empty()) continue;
    return fmt::format("line {} tests `{}`, but the index is `{}`: test what is used as the index", tested_at,
                       test.text(), *index);
  }
  for (const Test& test : tests) {
    if (test.left == *index && test.or_equal)
      return fmt::format(
          "line {} tests `{}`, which is true of {} = {}, too: the last element has the index {} - 1, so "
          "use <",
          tested_at, test.text(), test.left, test.right, test.right);
    // Of an index with a second variable, the test of the first may be right.
    const auto alone = names_in(*index).size() == names_in(test.left).size();
    if (tests.size() == 1 && test.left != *index && !test.left.empty() && index->starts_with(test.left) &&
        alone)
      return fmt::format("line {} tests `{}`, but the index is `{}`: test that one", tested_at, test.text(),
                         *index);
  }
  return {};
}

namespace {

// The step of a for loop: "offset *= 2" changes `offset` upwards.
struct Step {
  std::string_view variable;
  bool up = false;
  bool down = false;
};

Step step_of(std::string_view step) {
  struct Operator {
    std::string_view text;
    bool up;
  };
  static constexpr std::array kOperators{Operator{"++", true},   Operator{"--", false}, Operator{"<<=", true},
                                         Operator{">>=", false}, Operator{"+=", true},  Operator{"-=", false},
                                         Operator{"*=", true},   Operator{"/=", false}};
  for (const auto& [text, up] : kOperators) {
    const std::size_t at = step.find(text);
    if (at == kNone) continue;
    const std::string_view before = variable_before(step, at);
    return {before.empty() ? variable_behind(step, at + text.size()) : before, up, !up};
  }
  const std::size_t equals = step.find('=');
  return equals == kNone ? Step{} : Step{variable_before(step, equals)};
}

}  // namespace

std::string about_endless_loop(const std::string& text, int line) {
  const std::string source = line_of(text, line);
  const std::size_t loop = source.find("for (");
  const std::size_t end = loop == kNone ? kNone : closing_of(source, loop + 4);
  if (end == kNone) return {};
  const std::string_view head = std::string_view(source).substr(loop + 5, end - loop - 5);
  const std::size_t first = head.find(';');
  const std::size_t second = first == kNone ? kNone : head.find(';', first + 1);
  if (second == kNone) return {};
  const std::string_view test = trimmed(head.substr(first + 1, second - first - 1));
  const std::string_view change = trimmed(head.substr(second + 1));
  const Step step = step_of(change);
  if (step.variable.empty()) return {};
  if (!step.up && !step.down) {
    const std::string_view value = change.substr(change.find('=') + 1);
    if (names_in(value).contains(std::string(step.variable))) return {};
    return fmt::format("the step `{}` gives {} the same value in each round: it must change by that, with +=",
                       change, step.variable);
  }
  const bool tested = test.starts_with(step.variable) && test.size() > step.variable.size() &&
                      !is_word(test[step.variable.size()]);
  const std::size_t than = test.find_first_of("<>");
  if (!tested || than == kNone || (test[than] == '<') == step.up) return {};
  return fmt::format("the step `{}` leads {} away from the bound of `{}`: the operator is the opposite one",
                     change, step.variable, test);
}

int line_that_sets(const std::string& text, std::string_view array, int line) {
  std::istringstream lines(text);
  std::string read;
  int before = 0;
  for (int number = 1; std::getline(lines, read); ++number) {
    const std::string_view code = std::string_view(read).substr(0, read.find("//"));
    for (std::size_t at = code.find(array); at != kNone; at = code.find(array, at + 1)) {
      std::size_t end = at + array.size();
      if ((at > 0 && is_word(code[at - 1])) || end >= code.size() || code[end] != '[') continue;
      while (end < code.size() && code[end] == '[') {
        const std::size_t close = closing_of(code, end);
        end = close == kNone ? code.size() : close + 1;
      }
      while (end < code.size() && code[end] == ' ') ++end;
      if (end + 1 >= code.size() || code[end] != '=' || code[end + 1] == '=') continue;
      if (number >= line) return before == 0 && number != line ? number : before;
      before = number;
    }
  }
  return before;
}

bool function_uses(const std::string& text, int line, std::string_view name) {
  std::istringstream lines(text);
  std::string read;
  bool uses = false;
  for (int number = 1; std::getline(lines, read) && (number <= line || !read.starts_with("}")); ++number) {
    if (number < line && read.starts_with("}")) uses = false;
    uses = uses || read.substr(0, read.find("//")).find(name) != std::string::npos;
  }
  return uses;
}

int line_of_launch(const std::string& text, std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  if (const std::size_t scope = kernel.rfind("::"); scope != kNone) kernel.remove_prefix(scope + 2);
  if (kernel.empty()) return 0;
  for (std::size_t at = text.find(kernel); at != std::string::npos; at = text.find(kernel, at + 1)) {
    const std::size_t open = at + kernel.size();
    if ((at > 0 && is_word(text[at - 1])) || open >= text.size() || text[open] != '<') continue;
    const std::size_t launch = text.find("<<<", open);
    const std::size_t begin = text.rfind('\n', at) + 1;
    const bool in_comment = text.substr(begin, at - begin).find("//") != std::string::npos;
    if (launch != std::string::npos && text.find_first_of(";{", open) > launch && !in_comment)
      return 1 +
             static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  return 0;
}

namespace {

// Returns why a test with >= lets an index without a sign get below its bound; empty without such a test.
std::string about_unsigned_test(const std::string& text, int line) {
  const std::string source = line_of(text, line);
  const std::size_t at = source.find(">=");
  if (at == kNone) return {};
  const std::string_view left = variable_before(source, at);
  const std::string_view right = variable_behind(source, source.find_first_not_of(' ', at + 2));
  if (left.empty() || right.empty()) return {};
  return fmt::format(
      "if {0} has no sign, `{0} >= {1}` holds when {1} is 0, too: one less than 0 is the largest number. "
      "Test "
      "`{0} > {1}` before the subtraction",
      left, right);
}

// Returns what to do about an index below 0.
std::string about_negative_index(const std::string& text, int line) {
  const std::string source = line_of(text, line);
  if (source.find("signed char") != kNone || source.find("(char)") != kNone || source.find("<char>") != kNone)
    return "the index is negative: an 8-bit number with a sign goes from -128 to 127. Use `unsigned char`";
  return "the index is negative: what is subtracted, or a type with a sign, makes it less than 0. Test that "
         "it "
         "is at least 0 before the access";
}

}  // namespace

std::string with_bounds_test(std::string message, const std::string& text, int line) {
  const std::size_t general = message.rfind(kTestIt);
  if (general == std::string::npos) return message;
  const std::size_t of = message.find(" of ");
  const std::size_t end = message.find('[', of == kNone ? 0 : of);
  std::string hint;
  const bool is_below = message.find("before the start") != std::string::npos;
  if (is_below) hint = about_unsigned_test(text, line);
  if (hint.empty() && of != kNone && end != kNone)
    hint = about_bounds_test(text, line, std::string_view(message).substr(of + 4, end - of - 4));
  if (hint.empty() && is_below) hint = about_negative_index(text, line);
  if (!hint.empty()) message.replace(general, kTestIt.size(), hint);
  return message;
}

}  // namespace warpmark::build

// Repairs of how far something reaches: the threads of a grid or a block, a loop, and the lanes of a shuffle.
#include <cctype>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {
namespace {

// An index of the whole grid that a kernel computes, `const auto i = blockIdx.x * blockDim.x + threadIdx.x;`.
struct GridIndex {
  std::size_t begin = 0;  // of its declaration
  std::size_t end = 0;    // its semicolon
  std::string name;
  std::string step;  // "gridDim.x * blockDim.x"
};

// Returns true if a statement begins at `token`. The brace of std::size_t{blockIdx.x} begins none.
bool begins_at(const Source& source, std::size_t token) {
  const std::string_view before = source.at(token - 1);
  if (before != "{") return before == ";" || before == "}";
  const std::size_t end = source.partner(token - 1);
  return end == Source::kNone || !source.is_name(token - 2) || source.at(end - 1) == ";";
}

std::optional<GridIndex> grid_index_at(const Source& source, const Function& function, std::size_t block) {
  if (source.at(block) != "blockIdx" || source.at(block + 1) != ".") return std::nullopt;
  const std::string_view axis = source.at(block + 2);
  GridIndex index{block, block, {}, {}};
  std::size_t equals = Source::kNone;
  for (; index.begin > function.open + 1 && !begins_at(source, index.begin); --index.begin)
    if (source.at(index.begin) == "=") equals = index.begin;
  while (index.end < function.close && source.at(index.end) != ";") ++index.end;
  if (equals == Source::kNone || !source.is_name(equals - 1)) return std::nullopt;
  index.name = source.at(equals - 1);
  std::size_t times = block + 3;
  while (source.at(times) == "}" || source.at(times) == ")") ++times;
  if (source.at(times) != "*") return std::nullopt;
  index.step = fmt::format("gridDim.{} * ({})", axis, source.text(times + 1, source.factor_end(times)));
  return index;
}

// Returns the declaration of an index as one of a variable.
std::string as_variable(const Source& source, const GridIndex& index) {
  const std::size_t begin = source.at(index.begin) == "const" ? index.begin + 1 : index.begin;
  return source.text(begin, index.end);
}

}  // namespace

// Lets each thread of a kernel go on, in steps of all threads of the grid, where it tests its index once: by
// `if (i < n)`, or by `if (i >= n) return;`.
void loop_over_rest(const Source& source, const Function& function, std::vector<Edit>& edits) {
  if (!function.on_device) return;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const auto index = grid_index_at(source, function, k);
    if (!index) continue;
    for (std::size_t test = index->end + 1; test + 3 < function.close; ++test) {
      if (source.at(test) != "if" || source.at(test + 2) != index->name) continue;
      const std::size_t close = source.partner(test + 1);
      if (close == Source::kNone) break;
      const std::string bound = source.text(test + 4, close - 1);
      const std::string between =
          test > index->end + 1 ? source.text(index->end + 1, test - 1) + " " : std::string();
      const std::string head = fmt::format("{} {}for (; {} < {}; {} += {})", as_variable(source, *index),
                                           between, index->name, bound, index->name, index->step);
      if (source.at(test + 3) == "<") edits.push_back(replace(source, index->begin, close, head));
      const bool leaves = source.at(close + 1) == "return" && source.at(close + 2) == ";";
      if (source.at(test + 3) == ">=" && leaves && close + 3 < function.close)
        edits.push_back(
            replace(source, index->begin, function.close - 1,
                    fmt::format("{} {{ {} }}", head, source.text(close + 3, function.close - 1))));
      break;
    }
  }
}

// Keeps a step of several elements within its bound: `i + kEach <= n` in place of `i < n`, with the constants
// that the function uses.
void tighten_bounds(const Source& source, const Function& function, std::vector<Edit>& edits) {
  if (!function.on_device) return;
  std::set<std::string_view> constants;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view name = source.at(k);
    const bool constant =
        name.size() > 1 && name[0] == 'k' && std::isupper(static_cast<unsigned char>(name[1])) != 0;
    if (constant && source.at(k + 1) != "(") constants.insert(name);
  }
  for (std::size_t k = function.open + 1; k + 1 < function.close; ++k) {
    if (source.at(k) != "<" || !source.is_binary(k) || !source.is_name(k - 1)) continue;
    for (const std::string_view each : constants)
      if (each != source.at(k + 1)) edits.push_back(replace(source, k, k, fmt::format("+ {} <=", each)));
  }
}

// Gives lanes whose partner in a shuffle is past the warp's end 0 in place of their own value.
void limit_shuffles(const Source& source, const Function& function, std::vector<Edit>& edits) {
  constexpr std::string_view kLane =
      "(((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32)";
  for (std::size_t k = function.open + 1; k + 1 < function.close; ++k) {
    const bool down = source.at(k) == "__shfl_down_sync";
    if ((!down && source.at(k) != "__shfl_up_sync") || source.at(k + 1) != "(") continue;
    const std::size_t close = source.partner(k + 1);
    if (close == Source::kNone) continue;
    const auto arguments = arguments_of(source, k + 1);
    if (arguments.size() < 3) continue;
    const std::string by = source.text(arguments[2].begin, arguments[2].end);
    edits.push_back(replace(source, k, close,
                            down ? fmt::format("({} * ({} + ({}) < 32))", source.text(k, close), kLane, by)
                                 : fmt::format("({} * ({} >= ({})))", source.text(k, close), kLane, by)));
  }
}

// Repeats what a kernel does once: `while` in place of `if`.
void repeat_tests(const Source& source, const Function& function, std::vector<Edit>& edits) {
  if (!function.on_device) return;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const bool has_else = source.at(k - 1) == "else";
    if (source.at(k) == "if" && !has_else) edits.push_back(replace(source, k, k, "while"));
  }
}

// Lets the threads of a block take all elements where each takes one: `for (unsigned i = threadIdx.x; i < n;
// i
// += blockDim.x)` for `if (const unsigned i = threadIdx.x; i < n)`, and for `if (threadIdx.x < n)`.
void take_all(const Source& source, const Function& function, std::vector<Edit>& edits) {
  if (!function.on_device) return;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "if" || source.at(k + 1) != "(" || source.partner(k + 1) == Source::kNone ||
        source.at(k - 1) == "else")
      continue;
    const std::size_t close = source.partner(k + 1);
    std::size_t test = k + 2;
    while (test < close && source.at(test) != ";") ++test;
    if (test < close) {
      const std::size_t type = source.at(k + 2) == "const" ? k + 3 : k + 2;
      std::size_t name = type;
      while (name < test && source.at(name + 1) != "=") ++name;
      edits.push_back(replace(source, k, close,
                              fmt::format("for ({}; {}; {} += blockDim.x)", source.text(type, test - 1),
                                          source.text(test + 1, close - 1), source.at(name))));
      continue;
    }
    // The thread's number in front of <, and everywhere in what depends on the test.
    std::size_t number = k + 2;
    if (is_member(source, number + 2)) number += 2;
    const std::size_t end = source.statement_end(close + 1);
    if (!source.is_name(number) || source.at(number + 1) != "<" || end == Source::kNone) continue;
    const std::string thread = source.text(k + 2, number);
    std::string body = source.text(close + 1, end);
    for (std::size_t at = body.find(thread); at != std::string::npos; at = body.find(thread, at + 1))
      body.replace(at, thread.size(), "each");
    edits.push_back(replace(source, k, end,
                            fmt::format("for (unsigned each = {}; each < {}; each += blockDim.x) {}", thread,
                                        source.text(number + 2, close - 1), body)));
  }
}

// Drops what is added in front of a comparison with a bound, `first + kDepth <= n`, so that the last, partial
// step is made, too.
void loosen_bounds(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 3; k + 1 < function.close; ++k) {
    if ((source.at(k) != "<=" && source.at(k) != "<") || !source.is_binary(k)) continue;
    if (source.at(k - 2) == "+" && source.is_name(k - 3)) edits.push_back(replace(source, k - 2, k, "<"));
  }
}

// Numbers the threads of a block with two dimensions through: at one place, and at all of a function.
void number_threads(const Source& source, const Function& function, std::vector<Edit>& edits) {
  bool has_dimensions = false;
  for (std::size_t k = 0; k < source.count(); ++k) has_dimensions = has_dimensions || source.at(k) == "dim3";
  if (!has_dimensions) return;
  constexpr std::string_view kNumber = "(threadIdx.y * blockDim.x + threadIdx.x)";
  std::string all;
  std::size_t first = Source::kNone;
  std::size_t last = 0;
  std::size_t count = 0;
  for (std::size_t k = function.open + 1; k + 2 < function.close; ++k) {
    if (source.at(k) != "threadIdx" || source.at(k + 2) != "x") continue;
    edits.push_back(replace(source, k, k + 2, std::string(kNumber)));
    if (first == Source::kNone)
      first = k;
    else
      all += source.substring(source.token(last).end, source.token(k).begin);
    all += kNumber;
    last = k + 2;
    ++count;
  }
  if (count > 1) edits.push_back(replace(source, first, last, all));
}

}  // namespace warpmark::source_edits

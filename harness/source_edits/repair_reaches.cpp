// Repairs of how far something reaches: the threads of a grid, and the lanes of a shuffle.
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

}  // namespace warpmark::source_edits

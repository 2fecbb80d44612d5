// Repairs of the shapes of launches and of arrays: what is x and what is y, and how far rows lie apart.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {
namespace {

// Names of the member that holds how far the rows of an array lie apart.
constexpr std::array<std::string_view, 5> kPitches{"pitch", "stride", "row_stride", "ld",
                                                   "leading_dimension"};

// A factor that multiplies the row in an index, and what should stand in its place.
struct RowLength {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string pitch;  // "m.b.pitch"
};

// Returns the factor of the row in an index of `object.data`, which ends at token `data`; an empty text if it
// is the pitch already, or none.
RowLength row_length_behind(const Source& source, std::size_t data, std::string_view pitch) {
  RowLength found;
  const std::size_t begin = begin_of_member(source, data);
  const std::string object = source.text(begin, data - 1);
  const bool subscript = source.at(data + 1) == "[";
  const std::size_t last = subscript ? source.partner(data + 1) : source.statement_end(data);
  if (last == Source::kNone || (!subscript && source.at(data + 1) != "+")) return found;
  for (std::size_t k = data + 2; k < last; ++k) {
    if (source.at(k) == "," || source.at(k) == ")") return found;
    if (source.at(k) != "*" || !source.is_binary(k)) continue;
    found.begin = k + 1;
    found.end = source.factor_end(k);
    const std::string should = fmt::format("{}{}", object, pitch);
    if (source.text(found.begin, found.end) != should) found.pitch = should;
    return found;
  }
  return found;
}

std::string_view pitch_of(const Source& source) {
  const auto known =
      std::ranges::find_if(kPitches, [&](std::string_view name) { return source.knows(name); });
  return known == kPitches.end() ? std::string_view() : *known;
}

// Returns the source text from one token to another with other row lengths, which are given in order.
std::string with_lengths(const Source& source, std::size_t first, std::size_t last,
                         const std::vector<RowLength>& lengths) {
  std::string text;
  std::size_t from = first;
  for (const RowLength& each : lengths) {
    if (each.begin > from) text += source.text(from, each.begin - 1) + " ";
    text += each.pitch;
    from = each.end + 1;
  }
  return from > last ? text : text + source.text(from, last);
}

// A dim3 of at least two dimensions.
struct Shape {
  std::array<Argument, 2> arguments;  // x and y
  std::size_t count = 2;              // of its arguments
  bool is_grid = false;               // true: of a grid; false: of a block
};

// Returns true if the dim3 at `token` is the first argument of a launch, by itself or by its variable's name.
bool is_grid_at(const Source& source, std::size_t token) {
  if (source.at(token - 1) == "<<<") return true;
  for (std::size_t k = 0; k + 1 < source.count(); ++k)
    if (source.at(k) == "<<<" && source.at(k + 1) == source.at(token + 1)) return true;
  return false;
}

std::vector<Shape> shapes_in(const Source& source, const Function& function) {
  std::vector<Shape> shapes;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "dim3") continue;
    const std::size_t open = source.is_name(k + 1) ? k + 2 : k + 1;
    if ((source.at(open) != "(" && source.at(open) != "{") || source.partner(open) == Source::kNone) continue;
    const auto arguments = arguments_of(source, open);
    if (arguments.size() >= 2)
      shapes.push_back({{arguments[0], arguments[1]}, arguments.size(), is_grid_at(source, k)});
  }
  return shapes;
}

// Returns true if the source uses `of`.y.
bool uses_y(const Source& source, std::string_view of) {
  for (std::size_t k = 0; k + 2 < source.count(); ++k)
    if (source.at(k) == of && source.at(k + 1) == "." && source.at(k + 2) == "y") return true;
  return false;
}

}  // namespace

// Exchanges the first two arguments of a dim3.
void exchange_dimensions(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (const Shape& shape : shapes_in(source, function)) {
    const auto& [x, y] = shape.arguments;
    edits.push_back(replace(source, x.begin, y.end,
                            fmt::format("{}, {}", source.text(y.begin, y.end), source.text(x.begin, x.end))));
  }
}

// Makes a block or grid of two dimensions one of a single dimension with as many threads or blocks, unless
// the kernels use y: then all threads would do the work of the first row.
void flatten_dimensions(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (const Shape& shape : shapes_in(source, function)) {
    const auto& [x, y] = shape.arguments;
    if (shape.count == 2 && !uses_y(source, shape.is_grid ? "blockIdx" : "threadIdx"))
      edits.push_back(
          replace(source, x.begin, y.end,
                  fmt::format("({}) * ({})", source.text(x.begin, x.end), source.text(y.begin, y.end))));
  }
}

// Keeps the number of blocks in y within what CUDA permits, where the kernels step over the rest of the rows.
void limit_blocks(const Source& source, const Function& function, std::vector<Edit>& edits) {
  if (!uses_y(source, "gridDim")) return;
  for (const Shape& shape : shapes_in(source, function)) {
    const auto& y = shape.arguments[1];
    const std::string blocks = source.text(y.begin, y.end);
    if (shape.is_grid)
      edits.push_back(
          replace(source, y.begin, y.end, fmt::format("({0}) > 65535U ? 65535U : ({0})", blocks)));
  }
}

namespace {

// Returns true if an argument of a launch may be the number of threads per block.
bool may_count_threads(const Source& source, std::size_t first, std::size_t last) {
  const std::string argument = source.text(first, last);
  if (source.is_number(first) || argument.find("hread") != std::string::npos || source.at(first) == "dim3")
    return true;
  return std::ranges::any_of(file_constants(source),
                             [&](const Constant& constant) { return source.at(constant.name) == argument; });
}

}  // namespace

// Exchanges the numbers of blocks and threads of a launch.
void exchange_launch(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "<<<" || source.partner(k) == Source::kNone) continue;
    std::vector<std::size_t> commas;
    for (std::size_t i = k + 1; i < source.partner(k); ++i) {
      if ((source.at(i) == "(" || source.at(i) == "{") && source.partner(i) != Source::kNone)
        i = source.partner(i);
      if (source.at(i) == ",") commas.push_back(i);
    }
    // The first argument would be the number of threads: a number, a constant or so named.
    if (commas.empty() || !may_count_threads(source, k + 1, commas[0] - 1)) continue;
    const std::size_t end = (commas.size() > 1 ? commas[1] : source.partner(k)) - 1;
    edits.push_back(
        replace(source, k + 1, end,
                fmt::format("{}, {}", source.text(commas[0] + 1, end), source.text(k + 1, commas[0] - 1))));
  }
}

// Takes the pitch of an array, where it has one, as the distance of its rows: in one index, and in all of a
// statement.
void use_pitch(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const std::string_view pitch = pitch_of(source);
  if (pitch.empty()) return;
  std::vector<RowLength> all;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "data" || !is_member(source, k)) continue;
    RowLength length = row_length_behind(source, k, pitch);
    if (length.pitch.empty()) continue;
    edits.push_back(replace(source, length.begin, length.end, length.pitch));
    all.push_back(std::move(length));
  }
  if (all.size() < 2) return;
  const std::size_t last = all.back().end;
  edits.push_back(
      replace(source, all.front().begin, last, with_lengths(source, all.front().begin, last, all)));
}

// Adds to a test of an array's first address, `reinterpret_cast<uintptr_t>(a.data) % 16 == 0`, one of its
// pitch.
void align_rows(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const std::string_view pitch = pitch_of(source);
  for (std::size_t k = function.open + 1; k + 3 < function.close && !pitch.empty(); ++k) {
    if (source.at(k) != "data" || !is_member(source, k) || source.at(k + 1) != ")" || source.at(k + 2) != "%")
      continue;
    const std::size_t end = source.factor_end(k + 2);
    if (source.at(end + 1) != "==" || source.at(end + 2) != "0") continue;
    const std::size_t begin = begin_of_member(source, k);
    edits.push_back(insert_before(source, end + 3,
                                  fmt::format(" && {0}{1} * sizeof(*{0}data) % ({2}) == 0",
                                              source.text(begin, k - 1), pitch, source.text(k + 3, end)),
                                  "test of the pitch"));
  }
}

// Exchanges two subscripts of an array, a[i][j], or the two parts of an index, i * width + j.
void exchange_subscripts(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k + 1 < function.close; ++k) {
    if (source.at(k) == "]" && source.at(k + 1) == "[" && source.partner(k) != Source::kNone &&
        source.partner(k + 1) != Source::kNone && source.at(source.partner(k) - 1) != "]") {
      const std::size_t open = source.partner(k);
      const std::size_t close = source.partner(k + 1);
      edits.push_back(
          replace(source, open, close,
                  fmt::format("[{}][{}]", source.text(k + 2, close - 1), source.text(open + 1, k - 1))));
    }
    // i * width + j
    if (source.at(k) != "*" || !source.is_binary(k) || source.at(k + 2) != "+" || !source.is_name(k + 3))
      continue;
    const std::size_t begin = begin_of_member(source, k - 1);
    const std::size_t last = source.factor_end(k + 2);
    if (!source.is_name(begin)) continue;
    edits.push_back(replace(
        source, begin, last,
        fmt::format("{} * {} + {}", source.text(k + 3, last), source.at(k + 1), source.text(begin, k - 1))));
  }
}

// Exchanges x and y of a kernel's threads and blocks, all of them.
void exchange_axes(const Source& source, const Function& function, std::vector<Edit>& edits) {
  std::size_t first = Source::kNone;
  std::size_t last = Source::kNone;
  bool both = false;
  for (std::size_t k = function.open + 1; k + 2 < function.close; ++k) {
    if (!is_built_in(source.at(k)) || source.at(k + 1) != ".") continue;
    if (first == Source::kNone) first = k;
    both = both || source.at(k + 2) == "y";
    last = k + 2;
  }
  if (!both) return;
  std::string text = source.text(first, last);
  for (std::size_t at = text.find('.'); at != std::string::npos; at = text.find('.', at + 1)) {
    const bool built_in = at >= 3 && (text.substr(at - 3, 3) == "Idx" || text.substr(at - 3, 3) == "Dim");
    if (built_in && text[at + 1] == 'x')
      text[at + 1] = 'y';
    else if (built_in && text[at + 1] == 'y')
      text[at + 1] = 'x';
  }
  edits.push_back(replace(source, first, last, text));
}

// Exchanges x and y of the blocks in two statements that follow each other: where a tile is written turned
// around, its place in the grid has to be turned, too.
void exchange_block_axes(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const auto parts = parts_of(source, function);
  const auto axis_in = [&](const Statement& part) {
    std::size_t found = Source::kNone;
    for (std::size_t k = part.begin; k < part.end; ++k) {
      if (source.at(k) != "blockIdx") continue;
      if (found != Source::kNone) return Source::kNone;
      found = k + 2;
    }
    return found;
  };
  // { and } of std::size_t{blockIdx.x} make parts, too.
  std::vector<std::size_t> axes;
  for (const Statement& part : parts) {
    if (const std::size_t axis = axis_in(part); axis != Source::kNone) axes.push_back(axis);
  }
  for (std::size_t k = 0; k + 1 < axes.size(); ++k) {
    const std::size_t first = axes[k];
    const std::size_t second = axes[k + 1];
    if (source.at(first) == source.at(second)) continue;
    edits.push_back(replace(source, first, second,
                            fmt::format("{}{}{}", source.at(second),
                                        source.substring(source.token(first).end, source.token(second).begin),
                                        source.at(first))));
  }
}

}  // namespace warpmark::source_edits

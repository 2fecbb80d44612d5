#include "harness/assignments/plain/recognisers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace warpmark::plain {
namespace {

// What is certain comes first: chance, then memory that was not written, then patterns of all numbers of an
// output, then those of single ones.
constexpr std::array kRecognisers{
    Recogniser{"by_chance", look::by_chance,
               "threads change one place at the same time, or read what others have not written yet: put a "
               "barrier between, or use an atomic"},
    Recogniser{
        "unwritten", look::unwritten,
        "does a thread reach it? Compare the number of blocks, the bounds test and the stride with the "
        "size"},
    Recogniser{"initial_value", look::initial_value,
               "set the output and the workspace before they are added to or compared with"},
    Recogniser{"other_half", look::other_half,
               "take the result from the buffer that was written last, for an even and an odd number of "
               "rounds"},
    Recogniser{"unstable", look::unstable, "decide by their positions what happens to equal ones"},
    Recogniser{"wrong_order", look::another_order, ""},
    Recogniser{"swapped_indices", look::transposed, "exchange the two indices, or the width and the height"},
    Recogniser{"reversed", look::reversed, "count the index from the other end"},
    Recogniser{"shifted", look::shifted, "correct the offset of the index"},
    Recogniser{"truncated", look::truncated, "convert to a floating-point type before dividing or storing"},
    Recogniser{"integer_width", look::narrow, "compute in the type of the output"},
    Recogniser{"wrong_sign", look::negated, "look at the sign and the order of the operands"},
    Recogniser{"initial_value", look::not_neutral,
               "begin with a value that each of them replaces: the greatest that the type has in a search "
               "for the least, the least in one for the greatest, or with the first value"},
    Recogniser{"initial_value", look::of_nothing,
               "begin with what is expected without any: of floats infinity for the least, -infinity for the "
               "greatest"},
    Recogniser{"ties", look::position_of_equal, "decide by their positions what happens to equal values"},
    Recogniser{"mixed_members", look::mixed_members,
               "wherever a value is taken, its own position has to be taken with it"},
    Recogniser{"", look::special_values, ""},
    Recogniser{
        "initial_value", look::begins_with,
        "is the statement left out that takes the values? Else begin with the first of them, or with a "
        "value that changes no result"},
    Recogniser{"wrong_buffer", look::another_output, "look for a name that was copied and not changed"},
    Recogniser{"wrong_index", look::within_a_block, "add the index of the block's first element"},
    Recogniser{"constant", look::constant,
               "look at the constants and at the value with which the computation starts"},
    Recogniser{"permuted", look::permuted, "compare both indices"},
    Recogniser{"ignores_inputs", look::ignores_inputs,
               "look whether the result that was computed is the one that is stored"},
    Recogniser{"swapped_indices", look::swapped_inputs, "exchange the two indices"},
    Recogniser{"shifted", look::shifted_inputs, "correct the offset of the index"},
    Recogniser{"one_for_all", look::one_input_for_all,
               "the index lacks the part that differs from thread to thread"},
    Recogniser{"wrong_order", look::no_order,
               "look at the comparison, at the direction of each step and at the last step"},
    Recogniser{"wrong_index", look::other_inputs, "follow the index from the thread's number to the load"},
    Recogniser{
        "lost", look::lost,
        "is it loaded, and does each step afterwards keep it? Look at bounds, strides and the steps at "
        "the edges of warps and blocks"},
    Recogniser{"doubled", look::counted_often, "two threads, or two rounds of a loop, take the same value"},
    Recogniser{"", look::large_values, ""},
    Recogniser{"wrong_index", look::extra, "follow the index from the thread's number to the load"},
    Recogniser{"wrong_operator", look::other_operation, "compare the formula with that of the assignment"},
    Recogniser{"initial_value", look::something_added,
               "look at the value with which the computation starts, and at what stands for missing inputs"},
};

std::string share(std::size_t chosen, std::uint64_t all, std::string_view buffer) {
  return fmt::format("{}of {} numbers of {}", chosen == 1 ? std::string() : fmt::format("{} ", chosen), all,
                     buffer);
}

// Returns the distance of neighbours among the chosen numbers if it is always the same, else 0.
std::uint64_t step_of(std::span<const Cell> chosen) {
  if (chosen.size() < 2) return 0;
  const std::uint64_t step = chosen[1].number - chosen[0].number;
  for (std::size_t i = 1; i < chosen.size(); ++i) {
    if (chosen[i].number - chosen[i - 1].number != step) return 0;
  }
  return step;
}

// Returns true if the chosen numbers are all those in rows, or columns, `first` on or up to it.
std::optional<Placement> in_rows(std::span<const Cell> chosen, std::uint64_t rows, std::uint64_t columns) {
  const auto extent = [&](auto of) {
    std::uint64_t least = of(chosen[0].number);
    std::uint64_t most = least;
    for (const Cell& cell : chosen) {
      least = std::min(least, of(cell.number));
      most = std::max(most, of(cell.number));
    }
    return std::pair(least, most);
  };
  const auto row = extent([&](std::uint64_t k) { return k / columns; });
  const auto column = extent([&](std::uint64_t k) { return k % columns; });
  const auto [least, most] = row;
  const bool whole_rows = chosen.size() == (most - least + 1) * columns;
  const bool whole_columns = chosen.size() == (column.second - column.first + 1) * rows;
  const auto named = [&](const char* what, const auto& range,
                         std::uint64_t count) -> std::optional<Placement> {
    const std::uint64_t these = range.second - range.first + 1;
    const bool last = range.second + 1 == count;
    if (these == count || (!last && range.first != 0)) return std::nullopt;
    return Placement{fmt::format(", the {} {} of {} {}s,", last ? "last" : "first",
                                 these == 1 ? what : fmt::format("{} {}s", these, what), count, what),
                     last ? "tail" : "head"};
  };
  if (whole_rows && rows > 1) return named("row", row, rows);
  if (whole_columns && columns > 1) return named("column", column, columns);
  return std::nullopt;
}

}  // namespace

std::span<const Recogniser> recognisers() {
  return kRecognisers;
}

std::string names_of(const Specimen& specimen, std::span<const Cell> cells) {
  if (cells.size() == 1) return specimen.name(cells[0]);
  if (cells.size() == 2) return fmt::format("{} and {}", specimen.name(cells[0]), specimen.name(cells[1]));
  if (cells.size() == 3)
    return fmt::format("{}, {} and {}", specimen.name(cells[0]), specimen.name(cells[1]),
                       specimen.name(cells[2]));
  return fmt::format("{}, {} and {} more", specimen.name(cells[0]), specimen.name(cells[1]),
                     cells.size() - 2);
}

std::string names_of(const Specimen& specimen, std::span<const Run> runs) {
  constexpr std::size_t kNamed = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), kNamed); ++i) {
    const Cell last{runs[i].first.buffer, runs[i].last};
    const std::string_view before = i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ";
    text += fmt::format("{}{}", before, specimen.name(runs[i].first));
    if (last == runs[i].first) continue;
    text +=
        fmt::format(" {} {}", last.number == runs[i].first.number + 1 ? "and" : "to", specimen.name(last));
  }
  return runs.size() > kNamed ? text + fmt::format(" and {} more runs", runs.size() - kNamed) : text;
}

Contents with_other_signs(const Specimen& specimen) {
  return specimen.with_values([](const Cell& /*cell*/, long double value) { return std::optional(-value); });
}

Placement placement_of(const Specimen& specimen, std::span<const Cell> chosen) {
  const std::uint64_t all = specimen.numbers(chosen[0].buffer);
  const std::string& buffer = specimen.spec().buffers[chosen[0].buffer].name;
  if (chosen.size() == all) return {all == 1 ? "" : fmt::format(", all {} numbers of {},", all, buffer), ""};
  if (const std::uint64_t columns = specimen.row(chosen[0].buffer); columns > 1 && all > columns) {
    if (auto found = in_rows(chosen, (all + columns - 1) / columns, columns)) return *found;
  }
  const std::uint64_t first = chosen.front().number;
  const std::uint64_t last = chosen.back().number;
  const bool together = last - first + 1 == chosen.size();
  if (together && last + 1 == all)
    return {fmt::format(", the last {},", share(chosen.size(), all, buffer)), "tail"};
  if (together && first == 0)
    return {fmt::format(", the first {},", share(chosen.size(), all, buffer)), "head"};
  const std::uint64_t step = step_of(chosen);
  const std::uint64_t edge = (first + 1) % 32 == 0 ? first + 1 : first;
  const bool at_edge = edge != 0 && edge % 32 == 0 && (chosen.size() == 1 || step % 32 == 0);
  const std::string_view side = edge == first ? "first" : "last";
  if (at_edge && (step == 32 || edge == 32))
    return {fmt::format(", the {} of a warp's 32,", side), "warp_edge"};
  if (at_edge) {
    const std::uint64_t block = step != 0 ? step : edge;
    return {fmt::format(", the {} of a block of {},", side, block), "block_edge"};
  }
  if (step > 1)
    return {fmt::format(", every {}{} of {},", step, step == 2 ? "nd" : (step == 3 ? "rd" : "th"), buffer),
            "stride"};
  return {fmt::format(", {}{},", chosen.size() == 1 ? "one " : "", share(chosen.size(), all, buffer)), ""};
}

}  // namespace warpmark::plain

#include "harness/source_edits/repairs.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "harness/source_edits/dependences.h"
#include "harness/source_edits/edits.h"

namespace warpmark::source_edits {
namespace {

// Longest changed code that a message quotes.
constexpr std::size_t kLongestQuote = 40;
// Distances of lines above this are not told apart.
constexpr int kFar = 4;
// Turns for which a change waits for each step of distance.
constexpr double kWait = 0.5;

// Applies the mutation operator of that name.
template <const char* kName>
void mutate(const Source& source, const Function& function, std::vector<Edit>& edits) {
  find_operator(kName)->apply(source, function, edits);
}
constexpr char kComparison[] = "comparison";
constexpr char kLogic[] = "logic";
constexpr char kAxis[] = "axis";
constexpr char kFunction[] = "function";
constexpr char kBuffer[] = "buffer";
constexpr char kShift[] = "shift";

// In host code min and max choose numbers of threads and blocks, and another number can hide a mistake.
void swap_on_device(const Source& source, const Function& function, std::vector<Edit>& edits) {
  if (function.on_device) mutate<kFunction>(source, function, edits);
}

constexpr std::array kKinds{
    RepairKind{"wrong_comparison", "another comparison", mutate<kComparison>, 8},
    RepairKind{"wrong_operator", "another arithmetic operator", change_arithmetic, 8},
    RepairKind{"wrong_operator", "another arithmetic operator", undo_arithmetic, 6},
    RepairKind{"wrong_stride", "another step of the loop", undo_strides, 3},
    RepairKind{"wrong_stride", "another step of the loop", change_strides, 2},
    RepairKind{"wrong_constant", "a constant one larger or smaller", change_constants, 10},
    RepairKind{"wrong_index", "an index one larger or smaller", change_indices, 6},
    RepairKind{"wrong_axis", "another of x and y", mutate<kAxis>, 4},
    RepairKind{"early_exit", "no jump", drop_jumps, 8},
    RepairKind{"wrong_condition", "&& and || exchanged, or without !", mutate<kLogic>, 4},
    RepairKind{"wrong_condition", "the condition reversed", negate_tests, 2},
    RepairKind{"wrong_condition", "one part of the condition alone", drop_conditions, 4},
    RepairKind{"missing_test", "one more condition", add_conditions, 1},
    RepairKind{"missing_test", "a test first, so that nothing is launched for 0 elements,", guard_launches,
               8},
    RepairKind{"missing_barrier", "a barrier, __syncthreads(), first", add_barriers, 3},
    RepairKind{"wrong_factor", "a factor more or less", change_operands, 2},
    RepairKind{"integer_width", "another type", widen_types, 1},
    RepairKind{"wrong_division", "a quotient that is rounded up, is not, or keeps its fraction,",
               change_divisions, 2},
    RepairKind{"swapped_indices", "the two indices exchanged", exchange_subscripts, 2},
    RepairKind{"wrong_axis", "x and y of all its threads and blocks exchanged", exchange_axes, 3},
    RepairKind{"wrong_loop", "a loop, `while`,", repeat_tests, 1},
    RepairKind{"wrong_comparison", "a bound that the last, partial step keeps to,", loosen_bounds, 3},
    RepairKind{"wrong_axis", "the threads of a two-dimensional block numbered through", number_threads, 1},
    RepairKind{"initial_value", "another value to begin with", change_beginnings, 1},
    RepairKind{"integer_width", "a number with a fraction, 0.0,", begin_with_a_fraction, 4},
    RepairKind{"byte_count", "a number of bytes, count * sizeof(element),", count_bytes, 3},
    RepairKind{"wrong_buffer", "another buffer", mutate<kBuffer>, 2},
    RepairKind{"swapped_dimensions", "x and y exchanged", exchange_dimensions, 4},
    RepairKind{"swapped_dimensions", "blocks and threads exchanged", exchange_launch, 4},
    RepairKind{"wrong_axis", "one dimension of as many", flatten_dimensions, 2},
    RepairKind{"wrong_comparison", "a bound that the whole step keeps to,", tighten_bounds, 2},
    RepairKind{"row_length", "the pitch as the distance of rows", use_pitch, 8},
    RepairKind{"misaligned_rows", "a test of the pitch, too,", align_rows, 8},
    RepairKind{"unreached", "a loop, in steps of all threads of the grid,", loop_over_rest, 6},
    RepairKind{"shuffle_past_end", "0 for lanes that have no partner in the warp (they get their own value)",
               limit_shuffles, 6},
    RepairKind{"wrong_name", "another name", match_members, 3},
    RepairKind{"wrong_name", "another name", exchange_names, 1},
    RepairKind{"swapped_names", "two names exchanged", swap_names, 1},
    RepairKind{"wrong_name", "another name, wherever it stands there,", exchange_in_statement, 1},
    RepairKind{"wrong_shift", "a shift to the other side", mutate<kShift>, 2},
    RepairKind{"wrong_function", "the opposite function", swap_on_device, 2},
};

// What a change of a number in a loop's step is called.
constexpr RepairKind kStep{"wrong_stride", "another step of the loop", undo_strides};

// Returns true if the edit changes the head of a loop of a host function. Such a loop may never end, which
// takes long to find out.
bool is_in_host_loop(const Source& source, const Edit& edit) {
  for (const Function& function : source.functions()) {
    if (function.on_device) continue;
    for (std::size_t k = function.open; k < function.close; ++k) {
      if (source.at(k) != "for" && source.at(k) != "while") continue;
      const std::size_t close = source.partner(k + 1);
      if (close != Source::kNone && source.token(k + 1).begin <= edit.begin &&
          edit.begin <= source.token(close).begin)
        return true;
    }
  }
  return false;
}

// Returns true if the edit changes the step of a loop, `k += 2`.
bool is_in_step(const Source& source, const Edit& edit) {
  for (std::size_t k = 0; k + 1 < source.count(); ++k) {
    if (source.at(k) != "for" || source.at(k + 1) != "(" || source.partner(k + 1) == Source::kNone) continue;
    std::size_t step = source.partner(k + 1);
    while (step > k && source.at(step - 1) != ";") --step;
    if (source.token(step).begin <= edit.begin && edit.begin <= source.token(source.partner(k + 1)).begin)
      return true;
  }
  return false;
}

// Returns the source around a place, from the end of one statement to that of the next.
std::string_view statement_around(std::string_view text, std::size_t at) {
  constexpr std::string_view kEnds = ";{}";
  const std::size_t before = at == 0 ? std::string_view::npos : text.find_last_of(kEnds, at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(begin, text.find_first_of(kEnds, at) - begin);
}

std::string described(const RepairKind& kind, std::string_view text, const Edit& edit) {
  std::string was(text.substr(edit.begin, edit.end - edit.begin));
  std::erase(was, '\n');
  if (was.empty() || was.size() > kLongestQuote) return std::string(kind.with);
  return fmt::format("{} in place of `{}`", kind.with, was);
}

}  // namespace

std::span<const RepairKind> repair_kinds() {
  return kKinds;
}

std::vector<Repair> repairs_of(std::string_view text, const std::vector<int>& seen,
                               std::string_view contract) {
  Source source(text);
  source.know_names_of(contract);
  const auto distances = distances_to(text, seen);
  const auto distance = [&](const Repair& repair) {
    return std::min(distances[static_cast<std::size_t>(repair.line)], kFar) +
           (is_in_host_loop(source, repair.edit) ? 1 : 0);
  };
  struct Turn {
    double at = 0;
    Repair repair;
  };
  std::vector<Turn> turns;
  std::set<std::string> made{std::string(text)};
  for (const RepairKind& kind : kKinds) {
    std::vector<Edit> edits;
    for (const Function& function : source.functions()) kind.apply(source, function, edits);
    std::vector<Repair> repairs;
    for (Edit& edit : edits) {
      if (!made.insert(changed_by(text, edit)).second) continue;
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(edit.begin), '\n');
      const bool steps = kind.apply == change_constants && is_in_step(source, edit);
      const RepairKind& named = steps ? kStep : kind;
      std::string what = described(named, text, edit);
      const bool tests_address =
          statement_around(text, edit.begin).find("uintptr_t") != std::string_view::npos;
      repairs.push_back(
          {std::move(edit), static_cast<int>(line), named.mistake, std::move(what), tests_address});
    }
    std::ranges::stable_sort(repairs, {}, distance);
    double count = 0;
    for (Repair& repair : repairs) {
      const double at = count++ / kind.share + kWait * distance(repair);
      turns.push_back({at, std::move(repair)});
    }
  }
  std::ranges::stable_sort(turns, {}, &Turn::at);
  std::vector<Repair> repairs;
  for (Turn& turn : turns) repairs.push_back(std::move(turn.repair));
  return repairs;
}

}  // namespace warpmark::source_edits

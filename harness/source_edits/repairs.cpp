#include "harness/source_edits/repairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "harness/source_edits/dependences.h"
#include "harness/source_edits/edits.h"

namespace warpmark::source_edits {
namespace {

// Most code that a message shows on each side of a change, and of a changed line in all.
constexpr std::size_t kMostShownAround = 48;
constexpr std::size_t kLongestShown = 120;
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
    RepairKind{"wrong_operator", "another operator", change_arithmetic, 8},
    RepairKind{"wrong_operator", "another operator", undo_arithmetic, 6},
    RepairKind{"wrong_stride", "another step of the loop", undo_strides, 3},
    RepairKind{"wrong_stride", "another step of the loop", change_strides, 2},
    RepairKind{"wrong_constant", "another number", change_constants, 10},
    RepairKind{"wrong_index", "another index", change_indices, 6},
    RepairKind{"wrong_axis", "the other of x and y", mutate<kAxis>, 4},
    RepairKind{"early_exit", "without the `{}`", drop_jumps, 8},
    RepairKind{"wrong_condition", "another condition", mutate<kLogic>, 4},
    RepairKind{"wrong_condition", "the opposite condition", negate_tests, 2},
    RepairKind{"wrong_condition", "a part of the condition left out", drop_conditions, 4},
    RepairKind{"missing_test", "one more condition", add_conditions, 1},
    RepairKind{"missing_test", "a return before the launch for 0 elements", guard_launches, 8},
    RepairKind{"missing_barrier", "a barrier in front of it", add_barriers, 3},
    RepairKind{"wrong_factor", "one factor more or less", change_operands, 2},
    RepairKind{"integer_width", "another type", widen_small_types, 8, true},
    RepairKind{"integer_width", "another type", widen_types, 1},
    RepairKind{"wrong_division", "the quotient rounded up", round_up, 1},
    RepairKind{"wrong_division", "the share rounded up, and a test for the last index in the loop over it,",
               round_shares_up, 2},
    RepairKind{"wrong_division", "the quotient rounded down", round_down, 1},
    RepairKind{"wrong_division", "the fraction of the quotient kept", keep_fractions, 1},
    RepairKind{"swapped_indices", "the two indices exchanged", exchange_subscripts, 2},
    RepairKind{"wrong_axis", "x and y of threads and blocks exchanged", exchange_axes, 3},
    RepairKind{"wrong_loop", "a loop", repeat_tests, 1},
    RepairKind{"wrong_loop", "a loop in which the block takes all elements", take_all, 1},
    RepairKind{"wrong_comparison", "the last, partial step included", loosen_bounds, 3},
    RepairKind{"wrong_axis", "all threads of the two-dimensional block numbered", number_threads, 1},
    RepairKind{"initial_value", "another value to begin with", begin_with_names, 2},
    RepairKind{"initial_value", "another value to begin with", begin_with_a_call, 2},
    RepairKind{"initial_value", "another value to begin with", change_beginnings, 1},
    RepairKind{"initial_value", "other bytes to begin with", fill_with_other_bytes, 2},
    RepairKind{"integer_width", "a number that keeps fractions", begin_with_a_fraction, 4},
    RepairKind{"byte_count", "a size in bytes", count_bytes, 3, true},
    RepairKind{"byte_count", "the size of what the pointer points to", size_of_target, 3, true},
    RepairKind{"wrong_buffer", "another buffer", mutate<kBuffer>, 2},
    RepairKind{"swapped_dimensions", "x and y exchanged", exchange_dimensions, 4},
    RepairKind{"swapped_dimensions", "blocks and threads exchanged", exchange_launch, 4},
    RepairKind{"too_many_blocks", "at most 65535 blocks in y", limit_blocks, 8},
    RepairKind{"wrong_axis", "one dimension in place of two", flatten_dimensions, 2},
    RepairKind{"wrong_comparison", "the last, partial step left out", tighten_bounds, 2},
    RepairKind{"row_length", "the pitch as the distance of rows", use_pitch, 8},
    RepairKind{"misaligned_rows", "a test of the pitch, too,", align_rows, 8},
    RepairKind{"unreached", "a loop in steps of all threads of the grid", loop_over_rest, 6},
    RepairKind{"shuffle_past_end", "0 for lanes that have no partner in the warp (they get their own value)",
               limit_shuffles, 6},
    RepairKind{"wrong_name", "another name", match_members, 3, true},
    RepairKind{"wrong_name", "another name", exchange_like_names, 4},
    RepairKind{"wrong_name", "another constant", exchange_constants, 2},
    RepairKind{"wrong_name", "another component", exchange_components, 8, true},
    RepairKind{"not_reset", "a new beginning", begin_anew, 1},
    RepairKind{"missing_summand", "one summand more", add_summands, 1},
    RepairKind{"wrong_argument", "another argument", exchange_arguments, 3},
    RepairKind{"wrong_name", "another name", exchange_names, 1},
    RepairKind{"swapped_names", "two names exchanged", swap_names, 1},
    RepairKind{"wrong_name", "another name", exchange_in_statement, 1},
    RepairKind{"wrong_shift", "a shift to the other side", mutate<kShift>, 2},
    RepairKind{"wrong_function", "the opposite function", swap_on_device, 2},
    RepairKind{"wrong_function", "another function", change_functions, 2},
    RepairKind{"wrong_stride", "another step of the loop", change_growth, 2},
    RepairKind{"wrong_comparison", "the last rounds of the loop", go_to_the_end, 2},
    RepairKind{"wrong_constant", "another power of two", scale_constants, 1},
    RepairKind{"missing_test", "one thread of the block instead of all", let_one_thread, 1},
    RepairKind{"wrong_axis", "x and y of the blocks exchanged", exchange_block_axes, 1},
    RepairKind{"wrong_order", "the two statements in the other order", swap_statements, 1},
    RepairKind{"wrong_condition", "the same value in both cases", take_one_branch, 1},
};

// What a change of a number in a subscript is called, and of one in a loop's step.
constexpr RepairKind kIndex{"wrong_index", "another index", change_indices};
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

// Returns true if the edit changes a part of a subscript, a[i + 1].
bool is_in_subscript(const Source& source, const Edit& edit) {
  for (std::size_t k = 1; k < source.count() && source.token(k).begin < edit.begin; ++k) {
    const bool opens = source.at(k) == "[" && (source.is_name(k - 1) || source.at(k - 1) == "]");
    if (opens && source.partner(k) != Source::kNone && edit.begin < source.token(source.partner(k)).begin)
      return true;
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

// Returns true if a name stands on both sides of an operator in the changed source, `i < i`, `n - n`: that
// always has the same value, and only switches something off.
bool compares_with_itself(const Source& source, const Edit& edit) {
  if (edit.by == "/" || edit.by == "-" || edit.by == "%") {  // x / x
    for (std::size_t k = 1; k + 1 < source.count(); ++k) {
      if (source.token(k).begin == edit.begin)
        return source.is_name(k - 1) && source.at(k - 1) == source.at(k + 1);
    }
  }
  if (!std::ranges::all_of(edit.by, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; }))
    return false;
  static constexpr std::array<std::string_view, 9> kOperators{
      "<", "<=", ">", ">=", "==", "!=", "-", "/", "%"};
  const auto splits = [&](std::size_t token) {
    return std::ranges::find(kOperators, source.at(token)) != kOperators.end() && source.is_binary(token);
  };
  // Return true if the operand goes on in front of or behind a token.
  const auto is_more = [&](std::size_t token) {
    const std::string_view what = source.at(token);
    return what == "." || what == "->" || what == "*" || what == "/" || what == "%";
  };
  const auto is_more_behind = [&](std::size_t token) {
    return is_more(token) || source.at(token) == "[" || source.at(token) == "(";
  };
  for (std::size_t k = 3; k + 1 < source.count(); ++k) {
    if (source.token(k).begin != edit.begin) continue;
    return (splits(k + 1) && source.at(k + 2) == edit.by && !is_more_behind(k + 3) && !is_more(k - 1)) ||
           (splits(k - 1) && source.at(k - 2) == edit.by && !is_more(k - 3) && !is_more_behind(k + 1));
  }
  return false;
}

// Returns true if the edit lets a loop step away from its bound, `k < n; k -= 2`: where numbers have no sign
// it then makes one round, and may be right by chance.
bool steps_away(const Source& source, const Edit& edit) {
  static constexpr std::array<std::string_view, 4> kUp{"+=", "*=", "<<=", "++"};
  static constexpr std::array<std::string_view, 4> kDown{"-=", "/=", ">>=", "--"};
  const auto is_one_of = [&](const auto& all) { return std::ranges::find(all, edit.by) != all.end(); };
  const bool up = is_one_of(kUp);
  if (!up && !is_one_of(kDown)) return false;
  std::size_t k = 0;
  while (k < source.count() && source.token(k).begin < edit.begin) ++k;
  while (k > 0 && source.at(k) != ";" && source.at(k) != "{") --k;  // the end of the loop's condition
  for (std::size_t test = k; test-- > 0 && source.at(test) != ";";) {
    const std::string_view what = source.at(test);
    if ((what == "<" || what == "<=") && source.is_binary(test)) return !up;
    if ((what == ">" || what == ">=") && source.is_binary(test)) return up;
  }
  return false;
}

// Returns true if the edit makes a power of two that divides or multiplies, `i % 16`, a number which is none:
// whatever that cures by chance, no teacher would say so.
bool spoils_power_of_two(const Source& source, const Edit& edit) {
  constexpr unsigned kLeast = 4;
  const auto value = [](std::string_view text) {
    unsigned number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  };
  if (value(edit.by) < kLeast || std::has_single_bit(value(edit.by))) return false;
  for (std::size_t k = 1; k + 1 < source.count(); ++k) {
    if (source.token(k).begin != edit.begin) continue;
    const auto scales = [&](std::size_t token) {
      const std::string_view what = source.at(token);
      return (what == "%" || what == "/" || what == "*") && source.is_binary(token);
    };
    const unsigned was = value(source.at(k));
    return was >= kLeast && std::has_single_bit(was) && (scales(k - 1) || scales(k + 1));
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

// Returns a piece of code in one line, without comments at the ends of lines and repeated blanks.
std::string in_one_line(std::string_view code) {
  std::string line;
  bool comment = false;
  for (std::size_t k = 0; k < code.size(); ++k) {
    comment = code[k] != '\n' && (comment || code.substr(k).starts_with("//"));
    const bool blank = comment || std::isspace(static_cast<unsigned char>(code[k])) != 0;
    if (!blank) line += code[k];
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

// Returns the place at which the code shown in front of an edit begins: with the line, or else a word.
std::size_t begin_of_shown(std::string_view text, std::size_t begin) {
  const std::size_t line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
  if (begin - line <= kMostShownAround) return line;
  const std::size_t blank = text.find(' ', begin - kMostShownAround);
  return blank < begin ? blank : begin;
}

// Returns the place at which the code shown behind an edit ends.
std::size_t end_of_shown(std::string_view text, std::size_t end) {
  const std::size_t line = std::min(text.find('\n', end), text.size());
  if (line - end <= kMostShownAround) return line;
  const std::size_t blank = text.rfind(' ', end + kMostShownAround);
  return blank != std::string_view::npos && blank > end ? blank : end;
}

// Returns the changed line, or the part of a long one around the edit, before and after it. Empty if that is
// too long for a message, too.
std::string shown(std::string_view text, const Edit& edit) {
  const std::size_t line = edit.begin == 0 ? 0 : text.rfind('\n', edit.begin - 1) + 1;
  const std::size_t line_end = std::min(text.find('\n', edit.end), text.size());
  const bool is_short = line_end - line <= kLongestShown;
  const std::size_t begin = is_short ? line : begin_of_shown(text, edit.begin);
  const std::size_t end = is_short ? line_end : end_of_shown(text, edit.end);
  const std::string before = in_one_line(text.substr(begin, end - begin));
  const std::string after = in_one_line(fmt::format("{}{}{}", text.substr(begin, edit.begin - begin), edit.by,
                                                    text.substr(edit.end, end - edit.end)));
  if (before.size() > kLongestShown || after.size() > kLongestShown) return {};
  return fmt::format("`{}` -> `{}`", before, after);
}

// Describes an edit for a message: Repair::what and Repair::shown.
void describe(const RepairKind& kind, std::string_view text, Repair& repair) {
  const std::string was = in_one_line(text.substr(repair.edit.begin, repair.edit.end - repair.edit.begin));
  const bool drops = kind.with.find("{}") != std::string_view::npos;
  repair.what = fmt::format(fmt::runtime(kind.with), was);
  if (!drops) repair.shown = shown(text, repair.edit);
}

}  // namespace

std::span<const RepairKind> repair_kinds() {
  return kKinds;
}

std::vector<Repair> repairs_of(std::string_view text, const std::vector<int>& seen, std::string_view contract,
                               const std::function<bool(int line)>& stays) {
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
      const auto line = 1 + static_cast<int>(std::count(
                                text.begin(), text.begin() + static_cast<std::ptrdiff_t>(edit.begin), '\n'));
      if (compares_with_itself(source, edit) || (is_in_step(source, edit) && steps_away(source, edit)))
        continue;
      if (kind.apply == change_constants && spoils_power_of_two(source, edit)) continue;
      if ((stays && stays(line)) || !made.insert(changed_by(text, edit)).second) continue;
      const bool steps = kind.apply == change_constants && is_in_step(source, edit);
      const bool indexes = kind.apply == change_constants && is_in_subscript(source, edit);
      const RepairKind& named = steps ? kStep : (indexes ? kIndex : kind);
      Repair repair{std::move(edit), line, named.mistake, {}};
      repair.tests_address =
          kind.apply != align_rows &&
          statement_around(text, repair.edit.begin).find("uintptr_t") != std::string_view::npos;
      describe(named, text, repair);
      repairs.push_back(std::move(repair));
    }
    std::ranges::stable_sort(repairs, {}, distance);
    double count = 0;
    for (Repair& repair : repairs) {
      const double at = count++ / kind.share + (kind.is_odd ? 0 : kWait * distance(repair));
      turns.push_back({at, std::move(repair)});
    }
  }
  std::ranges::stable_sort(turns, {}, &Turn::at);
  std::vector<Repair> repairs;
  for (Turn& turn : turns) repairs.push_back(std::move(turn.repair));
  return repairs;
}

}  // namespace warpmark::source_edits

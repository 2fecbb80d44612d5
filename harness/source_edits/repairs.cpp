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
// Distances of lines above this are not told apart, and pairs of distances below it are not either.
constexpr int kFar = 4;

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
    RepairKind{"wrong_comparison", "another comparison", mutate<kComparison>},
    RepairKind{"wrong_operator", "another arithmetic operator", change_arithmetic},
    RepairKind{"wrong_operator", "another arithmetic operator", undo_arithmetic},
    RepairKind{"wrong_constant", "a constant one larger or smaller", change_constants},
    RepairKind{"wrong_index", "an index one larger or smaller", change_indices},
    RepairKind{"wrong_axis", "another of x and y", mutate<kAxis>},
    RepairKind{"wrong_stride", "another step of the loop", undo_strides},
    RepairKind{"early_exit", "no jump", drop_jumps},
    RepairKind{"wrong_condition", "&& and || exchanged, or without !", mutate<kLogic>},
    RepairKind{"wrong_condition", "the condition reversed", negate_tests},
    RepairKind{"wrong_condition", "one part of the condition alone", drop_conditions},
    RepairKind{"wrong_stride", "another step of the loop", change_strides},
    RepairKind{"wrong_factor", "a factor more or less", change_operands},
    RepairKind{"integer_width", "another type", widen_types},
    RepairKind{"wrong_buffer", "another buffer", mutate<kBuffer>},
    RepairKind{"wrong_shift", "a shift to the other side", mutate<kShift>},
    RepairKind{"wrong_function", "the opposite function", swap_on_device},
};

// Returns true if a line holds the head of a loop.
bool is_loop(std::string_view text, int line) {
  for (int number = 1; number < line; ++number)
    text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  const std::string_view here = text.substr(0, text.find('\n'));
  return here.find("for (") != std::string_view::npos || here.find("while (") != std::string_view::npos;
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

std::vector<Repair> repairs_of(std::string_view text, const std::vector<int>& seen) {
  const Source source(text);
  std::vector<Repair> repairs;
  std::set<std::string> made{std::string(text)};
  for (const RepairKind& kind : kKinds) {
    std::vector<Edit> edits;
    for (const Function& function : source.functions()) kind.apply(source, function, edits);
    for (Edit& edit : edits) {
      if (!made.insert(changed_by(text, edit)).second) continue;
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(edit.begin), '\n');
      std::string what = described(kind, text, edit);
      repairs.push_back({std::move(edit), static_cast<int>(line), kind.mistake, std::move(what)});
    }
  }
  const auto distances = distances_to(text, seen);
  // A changed loop may never end, which takes long to find out.
  std::ranges::stable_sort(repairs, {}, [&](const Repair& repair) {
    const int away = std::min(distances[static_cast<std::size_t>(repair.line)], kFar);
    return away / 2 + (is_loop(text, repair.line) ? 1 : 0);
  });
  return repairs;
}

}  // namespace warpmark::source_edits

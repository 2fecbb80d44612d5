// Recognisers that compare the outputs of two calls with the same inputs, after other memory contents.
#include <algorithm>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"

namespace warpmark::plain::look {

std::optional<Recognised> by_chance(Laboratory& laboratory) {
  const Trial& trial = laboratory.trials().front();
  const auto again = laboratory.call(trial, trial.specimen->inputs(), Laboratory::kBefore);
  if (!again) return std::nullopt;
  for (const Cell& cell : trial.specimen->outputs()) {
    const long double one = trial.specimen->value(trial.actual, cell);
    const long double other = trial.specimen->value(*again, cell);
    if (same_value(one, other)) continue;
    return Recognised{
        .trial = &trial,
        .wrong = trial.wrong.front(),
        .what = fmt::format("two calls with the same inputs gave two values of {}, {} and {}",
                            trial.specimen->name(cell), trial.specimen->text(trial.actual, cell),
                            trial.specimen->text(*again, cell)),
        .written = cell};
  }
  return std::nullopt;
}

namespace {

bool is_filled(const Specimen& specimen, const Contents& contents, const Cell& cell, std::byte with) {
  const auto [offset, bytes] = specimen.place(cell);
  const auto& there = contents[cell.buffer];
  return std::all_of(there.begin() + static_cast<std::ptrdiff_t>(offset),
                     there.begin() + static_cast<std::ptrdiff_t>(offset + bytes),
                     [&](std::byte byte) { return byte == with; });
}

// Returns true if a wrong number is what it was before the call.
bool is_unwritten(const Trial& trial, const Contents& other, const Cell& cell) {
  const Specimen& specimen = *trial.specimen;
  if (specimen.is_input(cell.buffer))
    return same_value(specimen.value(trial.actual, cell), specimen.value(specimen.inputs(), cell));
  return is_filled(specimen, trial.actual, cell, Laboratory::kBefore) &&
         is_filled(specimen, other, cell, Laboratory::kOtherBefore);
}

}  // namespace

std::optional<Recognised> unwritten(Laboratory& laboratory) {
  const Trial& trial = laboratory.largest();
  const Specimen& specimen = *trial.specimen;
  const Contents* other = laboratory.with_other_memory(trial);
  if (other == nullptr) return std::nullopt;
  std::vector<Cell> kept;
  for (const Cell& cell : trial.wrong) {
    if ((kept.empty() || kept.front().buffer == cell.buffer) && is_unwritten(trial, *other, cell))
      kept.push_back(cell);
  }
  if (kept.empty()) return std::nullopt;
  const bool held = specimen.is_input(kept.front().buffer);
  const Placement placement = placement_of(specimen, kept);
  // Where a store of the same output may be seen: a number that is right.
  std::optional<Cell> stored;
  for (const Cell& cell : specimen.outputs()) {
    if (cell.buffer == kept.front().buffer && !std::ranges::binary_search(trial.wrong, cell)) stored = cell;
  }
  const bool one = kept.size() == 1;
  return Recognised{
      .trial = &trial,
      .wrong = kept.front(),
      .what = fmt::format("{}{} {} never written{}", names_of(specimen, kept), placement.text,
                          one ? "was" : "were",
                          held ? fmt::format(": {} still hold{} what {} held before the call",
                                             one ? "it" : "they", one ? "s" : "", one ? "it" : "they")
                               : ""),
      .read = std::nullopt,
      .written = stored,
      .store_at_fault = true,
      .what_if_stored =
          held ? fmt::format(
                     "{}{} {} as {} before the call, although stored to: the values that are added or stored "
                     "change nothing; look at the type of each variable on the way, and at its value",
                     names_of(specimen, kept), placement.text, one ? "is" : "are",
                     one ? "it was" : "they were")
               : "",
      .mistake = placement.mistake};
}

std::optional<Recognised> initial_value(Laboratory& laboratory) {
  const Trial& trial = laboratory.largest();
  const Specimen& specimen = *trial.specimen;
  const Contents* other = laboratory.with_other_memory(trial);
  if (other == nullptr) return std::nullopt;
  for (const Cell& cell : trial.wrong) {
    if (same_value(specimen.value(trial.actual, cell), specimen.value(*other, cell)) ||
        is_unwritten(trial, *other, cell))
      continue;
    return Recognised{
        .trial = &trial,
        .wrong = cell,
        .what =
            fmt::format("{} depends on what memory held before the call: it is {} where that "
                        "was filled with 0x11, and {} with 0x22",
                        specimen.name(cell), specimen.text(trial.actual, cell), specimen.text(*other, cell)),
        .written = cell,
        .store_at_fault = true};
  }
  return std::nullopt;
}

}  // namespace warpmark::plain::look

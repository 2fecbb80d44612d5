#include "harness/assignments/plain/explain.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/plain/laboratory.h"
#include "harness/assignments/plain/recognisers.h"

namespace warpmark::plain {
namespace {

Explanation::Bytes bytes_of(const Specimen& specimen, const Cell& cell) {
  const auto [offset, bytes] = specimen.place(cell);
  return {cell.buffer, offset, bytes};
}

// Returns the byte that the difference from the expected value consists of, as a mistaken cudaMemset leaves
// it.
std::optional<std::uint8_t> filled_with(const Recognised& found) {
  const Specimen& specimen = *found.trial->specimen;
  const Number number = specimen.type(found.wrong);
  if (number != Number::i32 && number != Number::u32) return std::nullopt;
  const auto by = static_cast<std::uint32_t>(
      static_cast<std::int64_t>(specimen.change(found.wrong, specimen.expected(), found.trial->actual)));
  const std::uint32_t byte = by & 0xffU;
  return by == byte * 0x01010101U ? std::optional(static_cast<std::uint8_t>(byte)) : std::nullopt;
}

// Returns a number of an input that the wrong one probably depends on: the first of dependences.
std::optional<Cell> some_input(const Specimen& specimen, const Cell& output) {
  for (const std::size_t buffer : specimen.changeable())
    return Cell{buffer, std::min(output.number, specimen.numbers(buffer) - 1)};
  return std::nullopt;
}

// Notes what the wrong numbers depend on, and should depend on, if that was tried one input at a time.
void note_uses(Laboratory& laboratory, Explanation& explained) {
  const Dependences* found = laboratory.known_dependences();
  if (found == nullptr || !found->each_alone || !found->complete) return;
  const Specimen& specimen = *found->trial->specimen;
  std::vector<Cell> inputs;
  for (const std::size_t buffer : specimen.changeable()) {
    for (std::uint64_t k = 0; k < specimen.numbers(buffer); ++k) inputs.push_back({buffer, k});
  }
  for (const Cell& input : inputs) explained.inputs.push_back(specimen.name(input));
  for (const Dependence& dependence : found->of_wrong) {
    std::string uses(inputs.size(), '.');
    const auto note = [&](const Effect& effect, char letter) {
      const auto at = std::ranges::find(inputs, effect.input);
      if (at != inputs.end()) uses[static_cast<std::size_t>(at - inputs.begin())] = letter;
    };
    for (const Effect& effect : dependence.as_expected) note(effect, '=');
    for (const Effect& effect : dependence.differing)
      note(effect, effect.missing() ? '-' : effect.extra() ? '+' : '~');
    explained.uses.push_back({specimen.name(dependence.output), std::move(uses)});
  }
}

Explanation explanation_of(const Recogniser& row, const Recognised& found) {
  const Specimen& specimen = *found.trial->specimen;
  Explanation explained;
  explained.what = found.what;
  explained.remedy = row.remedy;
  explained.types = found.types;
  explained.what_if_stored = found.what_if_stored;
  if (!found.what_if_stored.empty()) explained.left = bytes_of(specimen, found.wrong);
  explained.mistake = found.mistake.empty() ? row.mistake : found.mistake;
  explained.which = specimen.which();
  explained.expected = specimen.text(specimen.expected(), found.wrong);
  explained.actual = specimen.text(found.trial->actual, found.wrong);
  std::string sizes;
  const auto& parts = explained.which.sizes().parts;
  for (std::size_t i = 0; i < parts.size(); ++i)
    sizes += fmt::format("{}{} = {}", i == 0 ? "" : ", ", specimen.spec().sizes[i], parts[i]);
  explained.headline = fmt::format("{} is wrong ({})", specimen.name(found.wrong), sizes);
  if (const auto read = found.read ? found.read : some_input(specimen, found.wrong))
    explained.read = bytes_of(specimen, *read);
  if (found.written) explained.written = bytes_of(specimen, *found.written);
  if (found.rightly_read) explained.rightly_read = bytes_of(specimen, *found.rightly_read);
  for (const Run& run : found.counted)
    explained.counts.push_back({run.first.number, run.last, static_cast<double>(run.times)});
  explained.store_at_fault = found.store_at_fault;
  explained.written_as = found.written_as;
  if (explained.mistake == "initial_value" || explained.mistake == "constant") {
    explained.filled_with = filled_with(found);
    if (explained.filled_with) {
      explained.what += fmt::format(
          ". The difference is {:#04x} in every byte: cudaMemset writes its value "
          "into every byte, and sets a number to 0 or, with 0xff, to -1",
          *explained.filled_with);
    }
  }
  return explained;
}

}  // namespace

std::optional<Explanation> explain_outputs(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle,
                                           const Assignment& assignment, const Case& which,
                                           Experiment& experiment) {
  Laboratory laboratory(std::move(spec), std::move(oracle), assignment, which, experiment);
  if (laboratory.trials().empty()) return std::nullopt;
  for (const Recogniser& row : recognisers()) {
    const auto found = row.look(laboratory);
    if (!found) continue;
    Explanation explained = explanation_of(row, *found);
    note_uses(laboratory, explained);
    return explained;
  }
  return std::nullopt;
}

}  // namespace warpmark::plain

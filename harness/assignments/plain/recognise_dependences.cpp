// Recognisers that compare the inputs on which wrong numbers depend with those on which they should.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"

namespace warpmark::plain::look {
namespace {

bool only_exchanges(const Dependence& dependence) {
  return std::ranges::all_of(dependence.differing,
                             [](const Effect& effect) { return effect.missing() || effect.extra(); });
}

// Describes a number that uses other inputs than it should. `how` follows; it may be empty.
Recognised exchanged(Laboratory& laboratory, const Dependence& dependence, std::string_view how) {
  const Trial& trial = *laboratory.dependences().trial;
  const Specimen& specimen = *trial.specimen;
  const auto used = dependence.extras();
  const auto wanted = dependence.missing();
  return {
      .trial = &trial,
      .wrong = dependence.output,
      .what = fmt::format("{} uses {} and should use {}{}{}", specimen.name(dependence.output),
                          names_of(specimen, used), names_of(specimen, wanted), how.empty() ? "" : ": ", how),
      .read = used.front(),
      .written = dependence.output};
}

// Returns the first wrong number if each has both extra and missing inputs, and nothing else, that pass the
// test together.
std::optional<Recognised> if_all(
    Laboratory& laboratory,
    const std::function<bool(const std::vector<Cell>& used, const std::vector<Cell>& wanted)>& test,
    const std::function<std::string(const std::vector<Cell>& used, const std::vector<Cell>& wanted)>& how) {
  const auto all = laboratory.dependences().telling();
  if (all.empty()) return std::nullopt;
  for (const Dependence* each : all) {
    const auto used = each->extras();
    const auto wanted = each->missing();
    if (used.empty() || wanted.empty() || !only_exchanges(*each) || !test(used, wanted)) return std::nullopt;
  }
  return exchanged(laboratory, *all.front(), how(all.front()->extras(), all.front()->missing()));
}

}  // namespace

std::optional<Recognised> ignores_inputs(Laboratory& laboratory) {
  const Dependences& all = laboratory.dependences();
  if (!all.each_alone || !all.complete) return std::nullopt;
  const auto ignores = [](const Dependence& dependence) {
    return dependence.as_expected.empty() && !dependence.differing.empty() &&
           std::ranges::all_of(dependence.differing, &Effect::missing);
  };
  if (!std::ranges::all_of(all.of_wrong, ignores)) return std::nullopt;
  const Specimen& specimen = *all.trial->specimen;
  const Dependence& first = all.of_wrong.front();
  // Other signs of all inputs may change it, although no single input does.
  const auto others = laboratory.call(*all.trial, with_other_signs(specimen), Laboratory::kBefore);
  if (!others ||
      !same_value(specimen.value(*others, first.output), specimen.value(all.trial->actual, first.output)))
    return std::nullopt;
  return Recognised{.trial = all.trial,
                    .wrong = first.output,
                    .what = fmt::format(
                        "{} is {} whatever the inputs are; it does not use {}", specimen.name(first.output),
                        specimen.text(all.trial->actual, first.output), names_of(specimen, first.missing())),
                    .written = first.output,
                    .store_at_fault = true};
}

std::optional<Recognised> swapped_inputs(Laboratory& laboratory) {
  if (laboratory.dependences().of_wrong.empty()) return std::nullopt;
  const Specimen& specimen = *laboratory.dependences().trial->specimen;
  return if_all(
      laboratory,
      [&](const std::vector<Cell>& used, const std::vector<Cell>& wanted) {
        return std::ranges::any_of(wanted, [&](const Cell& cell) {
          const std::uint64_t row = specimen.row(cell.buffer);
          if (row == 0 || cell.number / row == cell.number % row) return false;
          const Cell turned{cell.buffer, cell.number % row * row + cell.number / row};
          return std::ranges::find(used, turned) != used.end();
        });
      },
      [](const auto&, const auto&) { return "row and column are swapped"; });
}

std::optional<Recognised> shifted_inputs(Laboratory& laboratory) {
  std::optional<std::int64_t> by;
  std::size_t buffer = 0;
  return if_all(
      laboratory,
      [&](const std::vector<Cell>& used, const std::vector<Cell>& wanted) {
        if (used.size() != 1 || wanted.size() != 1 || used[0].buffer != wanted[0].buffer) return false;
        const auto distance =
            static_cast<std::int64_t>(used[0].number) - static_cast<std::int64_t>(wanted[0].number);
        if (!by) by = distance;
        buffer = used[0].buffer;
        return distance == *by;
      },
      [&](const auto&, const auto&) {
        const auto row = static_cast<std::int64_t>(laboratory.dependences().trial->specimen->row(buffer));
        if (row > 1 && *by % row == 0)
          return fmt::format("the index is shifted by {} row{}", std::abs(*by / row),
                             std::abs(*by / row) == 1 ? "" : "s");
        return std::abs(*by) == 1 ? std::string("the index is shifted by one")
                                  : fmt::format("the index is shifted by {}", std::abs(*by));
      });
}

std::optional<Recognised> one_input_for_all(Laboratory& laboratory) {
  std::optional<Cell> only;
  std::size_t outputs = 0;
  auto found = if_all(
      laboratory,
      [&](const std::vector<Cell>& used, const std::vector<Cell>& wanted) {
        if (used.size() != 1 || wanted.size() != 1) return false;
        if (!only) only = used[0];
        ++outputs;
        return used[0] == *only;
      },
      [&](const auto&, const auto&) { return "further numbers use that one, too"; });
  return outputs > 1 ? found : std::nullopt;
}

std::optional<Recognised> other_inputs(Laboratory& laboratory) {
  for (const Dependence* each : laboratory.dependences().telling()) {
    const auto used = each->extras();
    const auto wanted = each->missing();
    if (used.empty() || wanted.empty()) continue;
    const bool other_buffer = used[0].buffer != wanted[0].buffer;
    auto found = exchanged(laboratory, *each, other_buffer ? "that is another buffer" : "");
    found.mistake = other_buffer ? "wrong_buffer" : "";
    return found;
  }
  return std::nullopt;
}

std::optional<Recognised> extra(Laboratory& laboratory) {
  for (const Dependence* each : laboratory.dependences().telling()) {
    const auto used = each->extras();
    if (used.empty()) continue;
    const Trial& trial = *laboratory.dependences().trial;
    return Recognised{.trial = &trial,
                      .wrong = each->output,
                      .what = fmt::format("{} uses {}, and should not", trial.specimen->name(each->output),
                                          names_of(*trial.specimen, used)),
                      .read = used.front(),
                      .written = each->output};
  }
  return std::nullopt;
}

std::optional<Recognised> other_operation(Laboratory& laboratory) {
  for (const Dependence* each : laboratory.dependences().telling()) {
    const Effect& effect = each->differing.front();
    if (effect.missing() || effect.extra()) continue;
    const Trial& trial = *laboratory.dependences().trial;
    const Specimen& specimen = *trial.specimen;
    Contents others(specimen.inputs().size());
    others[effect.input.buffer] = specimen.others(effect.input.buffer);
    return Recognised{.trial = &trial,
                      .wrong = each->output,
                      .what = fmt::format(
                          "{} uses the right inputs, but computes something else with them: if {} were {} "
                          "in place of {}, it would change by {:.6g}, and should by {:.6g}",
                          specimen.name(each->output), specimen.name(effect.input),
                          specimen.text(others, effect.input), specimen.text(specimen.inputs(), effect.input),
                          static_cast<double>(effect.actual), static_cast<double>(effect.expected)),
                      .read = effect.input,
                      .written = each->output};
  }
  return std::nullopt;
}

// Every change of an input has the expected effect, so that what is wrong comes from elsewhere.
std::optional<Recognised> something_added(Laboratory& laboratory) {
  const Dependences& all = laboratory.dependences();
  if (!all.complete) return std::nullopt;
  for (const Dependence& dependence : all.of_wrong) {
    if (!dependence.differing.empty() || (all.each_alone && dependence.as_expected.empty())) continue;
    const Specimen& specimen = *all.trial->specimen;
    const long double by = specimen.change(dependence.output, specimen.expected(), all.trial->actual);
    if (by == 0 || std::isnan(by)) continue;
    return Recognised{
        .trial = all.trial,
        .wrong = dependence.output,
        .what = fmt::format("{} uses all inputs as it should, but is too {} by {:.10g}: something besides "
                            "them is added, or it starts from another value",
                            specimen.name(dependence.output), by > 0 ? "large" : "small",
                            static_cast<double>(std::abs(by))),
        .written = dependence.output,
        .store_at_fault = true};
  }
  return std::nullopt;
}

}  // namespace warpmark::plain::look

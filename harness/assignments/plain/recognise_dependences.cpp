// Recognisers that compare the inputs on which wrong numbers depend with those on which they should.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"

namespace warpmark::plain::look {
namespace {

std::vector<Cell> inputs_of(const std::vector<Effect>& effects, bool (Effect::*chosen)() const) {
  std::vector<Cell> cells;
  for (const Effect& effect : effects) {
    if ((effect.*chosen)()) cells.push_back(effect.input);
  }
  return cells;
}
std::vector<Cell> missing(const Dependence& dependence) {
  return inputs_of(dependence.differing, &Effect::missing);
}
std::vector<Cell> extras(const Dependence& dependence) {
  return inputs_of(dependence.differing, &Effect::extra);
}

// The wrong numbers with inputs whose effect is not the expected one.
std::vector<const Dependence*> telling(Laboratory& laboratory) {
  std::vector<const Dependence*> all;
  for (const Dependence& dependence : laboratory.dependences().of_wrong) {
    if (!dependence.differing.empty()) all.push_back(&dependence);
  }
  return all;
}

bool only_exchanges(const Dependence& dependence) {
  return std::ranges::all_of(dependence.differing,
                             [](const Effect& effect) { return effect.missing() || effect.extra(); });
}

// Describes a number that uses other inputs than it should. `how` follows; it may be empty.
Recognised exchanged(Laboratory& laboratory, const Dependence& dependence, std::string_view how) {
  const Trial& trial = *laboratory.dependences().trial;
  const Specimen& specimen = *trial.specimen;
  const auto used = extras(dependence);
  const auto wanted = missing(dependence);
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
  const auto all = telling(laboratory);
  if (all.empty()) return std::nullopt;
  for (const Dependence* each : all) {
    const auto used = extras(*each);
    const auto wanted = missing(*each);
    if (used.empty() || wanted.empty() || !only_exchanges(*each) || !test(used, wanted)) return std::nullopt;
  }
  return exchanged(laboratory, *all.front(), how(extras(*all.front()), missing(*all.front())));
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
  return Recognised{
      .trial = all.trial,
      .wrong = first.output,
      .what = fmt::format("{} is {} whatever the inputs are; it does not use {}", specimen.name(first.output),
                          specimen.text(all.trial->actual, first.output), names_of(specimen, missing(first))),
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
  for (const Dependence* each : telling(laboratory)) {
    const auto used = extras(*each);
    const auto wanted = missing(*each);
    if (used.empty() || wanted.empty()) continue;
    const bool other_buffer = used[0].buffer != wanted[0].buffer;
    auto found = exchanged(laboratory, *each, other_buffer ? "that is another buffer" : "");
    found.mistake = other_buffer ? "wrong_buffer" : "";
    return found;
  }
  return std::nullopt;
}

std::optional<Recognised> lost(Laboratory& laboratory) {
  for (const Dependence* each : telling(laboratory)) {
    const auto wanted = missing(*each);
    if (wanted.empty() || !extras(*each).empty()) continue;
    const Trial& trial = *laboratory.dependences().trial;
    const Specimen& specimen = *trial.specimen;
    std::vector<Cell> of_one;  // of one buffer
    std::ranges::copy_if(wanted, std::back_inserter(of_one),
                         [&](const Cell& cell) { return cell.buffer == wanted.front().buffer; });
    const Placement placement = placement_of(specimen, of_one);
    return Recognised{
        .trial = &trial,
        .wrong = each->output,
        .what = fmt::format("{} lacks {}{}: changing {} changes nothing", specimen.name(each->output),
                            names_of(specimen, wanted), of_one.size() == wanted.size() ? placement.text : "",
                            wanted.size() == 1 ? "it" : "them"),
        .read = wanted.front(),
        .written = each->output};
  }
  return std::nullopt;
}

std::optional<Recognised> extra(Laboratory& laboratory) {
  for (const Dependence* each : telling(laboratory)) {
    const auto used = extras(*each);
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

namespace {

constexpr long double kMostOften = 8;  // counts that are looked for where products may have wrapped around

// Returns true if an input has `often` times its expected effect.
bool is_times(const Trial& trial, const Dependence& dependence, const Effect& effect, long double often) {
  const long double product = trial.specimen->wrapped(dependence.output, often * effect.expected);
  return Laboratory::same_change(*trial.specimen, dependence.output, product, effect.actual,
                                 std::abs(product));
}

}  // namespace

std::optional<Recognised> counted_often(Laboratory& laboratory) {
  for (const Dependence* each : telling(laboratory)) {
    std::vector<Cell> cells;
    long double times = 0;
    for (const Effect& effect : each->differing) {
      if (effect.expected == 0) continue;
      long double often = std::round(effect.actual / effect.expected);
      // Products of whole numbers may have wrapped around.
      for (long double k = 2;
           k <= kMostOften && !is_times(*laboratory.dependences().trial, *each, effect, often); ++k)
        often = k;
      if (often < 2 || !is_times(*laboratory.dependences().trial, *each, effect, often) ||
          (times != 0 && often != times))
        continue;
      times = often;
      cells.push_back(effect.input);
    }
    if (cells.size() != each->differing.size()) continue;
    const Trial& trial = *laboratory.dependences().trial;
    const Specimen& specimen = *trial.specimen;
    return Recognised{.trial = &trial,
                      .wrong = each->output,
                      .what = fmt::format(
                          "{} counts {}{} {}", specimen.name(each->output), names_of(specimen, cells),
                          placement_of(specimen, cells).text,
                          times == 2 ? "twice" : fmt::format("{} times", static_cast<std::uint64_t>(times))),
                      .read = cells.front(),
                      .written = each->output};
  }
  return std::nullopt;
}

std::optional<Recognised> other_operation(Laboratory& laboratory) {
  for (const Dependence* each : telling(laboratory)) {
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

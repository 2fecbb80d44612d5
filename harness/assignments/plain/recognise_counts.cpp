// Recognisers that count how often a wrong number takes each input.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "harness/assignments/plain/recognisers.h"

namespace warpmark::plain::look {
namespace {

std::string times_text(long double times) {
  return times == 2 ? "twice" : fmt::format("{} times", static_cast<std::uint64_t>(times));
}

// Inputs that a number takes equally often, more than once.
struct Counted {
  long double times = 0;
  std::vector<Cell> cells;
};

// Returns the inputs that have the count of the first such input.
Counted counted_often_by(const Specimen& specimen, const Dependence& dependence) {
  Counted found;
  for (const Effect& effect : dependence.differing) {
    const auto often = times_of(specimen, dependence.output, effect);
    if (!often || *often == 0 || (found.times != 0 && *often != found.times)) continue;
    found.times = *often;
    found.cells.push_back(effect.input);
  }
  return found;
}

// What is said of inputs that count `times` times, and the runs that they form; no runs: of several buffers.
struct Told {
  std::string text;  // "values[3] to values[9], the last 7 of 10 numbers of values,"
  std::vector<Run> runs;
  bool is_one = false;  // a single input
};

Told told(Laboratory& laboratory, const Cell& output, const Counted& counted) {
  const Specimen& specimen = *laboratory.dependences().trial->specimen;
  const std::size_t buffer = counted.cells.front().buffer;
  if (std::ranges::any_of(counted.cells, [&](const Cell& cell) { return cell.buffer != buffer; }))
    return {names_of(specimen, counted.cells), {}, false};
  Told found{{}, laboratory.runs(output, counted.cells, counted.times), false};
  std::vector<Cell> all;
  for (const Run& run : found.runs) {
    for (std::uint64_t k = run.first.number; k <= run.last; ++k) all.push_back({buffer, k});
  }
  found.is_one = all.size() == 1;
  found.text = names_of(specimen, found.runs) + placement_of(specimen, all).text;
  return found;
}

Recognised recognised(Laboratory& laboratory, const Dependence& dependence, std::string what,
                      const Cell& read) {
  Recognised found{.trial = laboratory.dependences().trial,
                   .wrong = dependence.output,
                   .what = std::move(what),
                   .read = read,
                   .written = dependence.output};
  if (!dependence.as_expected.empty()) found.rightly_read = dependence.as_expected.front().input;
  return found;
}

}  // namespace

std::optional<Recognised> lost(Laboratory& laboratory) {
  for (const Dependence* each : laboratory.dependences().telling()) {
    const auto wanted = each->missing();
    if (wanted.empty() || !each->extras().empty()) continue;
    const Specimen& specimen = *laboratory.dependences().trial->specimen;
    Told lost = told(laboratory, each->output, {0, wanted});
    std::string what = fmt::format("{} lacks {}", specimen.name(each->output), lost.text);
    if (what.ends_with(',')) what.pop_back();
    Cell read = wanted.front();
    // What is taken in their place.
    if (const Counted often = counted_often_by(specimen, *each); often.times != 0) {
      Told instead = told(laboratory, each->output, often);
      what += fmt::format(", and counts {} {}", instead.text, times_text(often.times));
      read = often.cells.front();
      std::ranges::move(instead.runs, std::back_inserter(lost.runs));
    } else {
      what += fmt::format(" (changing {} changes nothing)", lost.is_one ? "it" : "them");
    }
    Recognised found = recognised(laboratory, *each, std::move(what), read);
    if (specimen.outputs().size() == 1) found.counted = std::move(lost.runs);
    return found;
  }
  return std::nullopt;
}

std::optional<Recognised> counted_often(Laboratory& laboratory) {
  for (const Dependence* each : laboratory.dependences().telling()) {
    const Specimen& specimen = *laboratory.dependences().trial->specimen;
    const Counted often = counted_often_by(specimen, *each);
    if (often.times == 0 || often.cells.size() != each->differing.size()) continue;
    Told those = told(laboratory, each->output, often);
    Recognised found = recognised(
        laboratory, *each,
        fmt::format("{} counts {} {}", specimen.name(each->output), those.text, times_text(often.times)),
        often.cells.front());
    if (specimen.outputs().size() == 1) found.counted = std::move(those.runs);
    return found;
  }
  return std::nullopt;
}

}  // namespace warpmark::plain::look

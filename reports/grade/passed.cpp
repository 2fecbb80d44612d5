#include "reports/grade/passed.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "harness/base/counters.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

constexpr double kLargestShown = 1e15;
constexpr std::size_t kLongestSentence = 300;  // of untrusted text, in columns
constexpr std::string_view kLanesTitle = "active lanes";
// A figure stands out if it is at least this multiple of the other one. Right solutions differ by less in the
// size of their grids and blocks.
constexpr double kStandsOut = 1.25;
// A figure stands out if what is above the other one costs at least this share of the call's instructions.
constexpr double kMatters = 0.02;

// A figure of a version that is above that of another one.
struct Excess {
  const WorkFigure* figure = nullptr;
  double own = 0;
  double other = 0;
  double cost = 0;
};

bool is_lanes(const WorkFigure& figure) {
  return figure.title == kLanesTitle;
}

// Returns what a version's figure costs above that of another one, in issue slots of the GPU.
Excess excess_of(const WorkFigure& figure, const WorkFigures& own, const WorkFigures& other) {
  Excess excess{&figure, figure.value(own), figure.value(other), 0};
  if (is_lanes(figure)) {
    if (excess.own > 0 && excess.other >= kStandsOut * excess.own)
      excess.cost = own.instructions * (1 - excess.own / excess.other);
  } else if (excess.own > 0 && excess.own >= kStandsOut * excess.other) {
    excess.cost = figure.cost * (excess.own - excess.other);
  }
  return excess;
}

Excess greatest_excess(const WorkFigures& own, const WorkFigures& other) {
  Excess greatest;
  for (const WorkFigure& figure : work_figures()) {
    const Excess each = excess_of(figure, own, other);
    if (each.cost > greatest.cost && each.cost >= kMatters * own.instructions) greatest = each;
  }
  return greatest;
}

// Returns "Half", "38 %", "All": the share of a figure that another version does without.
std::string share_text(const Excess& excess) {
  const double share = 1 - excess.other / excess.own;
  constexpr double kNear = 0.02;
  if (excess.other == 0) return "All";
  if (std::abs(share - 0.5) < kNear) return "Half";
  return share > 0.99 ? "Over 99 %" : fmt::format("{:.0f} %", 100 * share);
}

std::string sentence_on(const Excess& excess, std::string_view whose) {
  if (is_lanes(*excess.figure))
    return fmt::format("{} of 32 lanes are active on average, {} in {}: {}.", figure_text(excess.own),
                       figure_text(excess.other), whose, excess.figure->remedy);
  return fmt::format("{} of the {} are not needed ({} here, {} in {}): {}.", share_text(excess),
                     excess.figure->title, figure_text(excess.own), figure_text(excess.other), whose,
                     excess.figure->remedy);
}

}  // namespace

const std::vector<WorkFigure>& work_figures() {
  using W = WorkFigures;
  // Costs in issue slots of an H200 (132 multiprocessors x 4 per clock at 1.98 GHz), for ranking alone: a
  // launch takes 2.5 us of all of them, divided by 64, as inputs in use are larger than the counted one; a
  // sector its share of 4.8 TB/s (data sheet), an atomic what v01 of `reduction` took (2^26 in 1.6 ms), a
  // barrier some 30 clocks of a block, a conflict and a request one clock of a multiprocessor.
  static const std::vector<WorkFigure> kFigures{
      {"kernel launches", "each takes some microseconds before its first thread runs",
       "do more in one kernel", 4e4, std::mem_fn(&W::launches)},
      {"warp instructions", "one instruction for the 32 lanes of a warp",
       "let each thread do more per loop step, and take what does not change out of loops", 1,
       std::mem_fn(&W::instructions)},
      {kLanesTitle, "how many of a warp's 32 lanes take part in an instruction, on average",
       "let whole warps take the same branch", 0, std::mem_fn(&W::active_lanes)},
      {"memory requests", "a load or store of global memory by a warp",
       "load each value once, keep it in a register or in shared memory, or load more bytes at a time", 4,
       std::mem_fn(&W::requests)},
      {"sectors", "32 bytes of global memory that a request touches",
       "let neighbouring lanes access neighbouring values, so that every byte of a sector is used", 7,
       std::mem_fn(&W::sectors)},
      {"sectors per request",
       "4 where 32 lanes access neighbouring values of 4 bytes, 32 where each lies apart", "", 0,
       [](const W& work) { return ratio(work.sectors, work.requests); }},
      {"shared memory requests", "a load or store of shared memory by a warp",
       "keep sums in registers, and let warps without work skip the step", 4,
       std::mem_fn(&W::shared_requests)},
      {"bank conflicts", "an extra pass through shared memory, because lanes use different words of one bank",
       "let the lanes of a warp use 32 different banks: neighbouring words, or padded rows", 4,
       std::mem_fn(&W::bank_conflicts)},
      {"barriers", "all warps of a block wait for the slowest",
       "wait only where other warps' values are read", 30, std::mem_fn(&W::barriers)},
      {"global atomics", "an update that others of the same address wait for, per thread",
       "first combine values in registers or shared memory, then update once for all of them", 25,
       std::mem_fn(&W::global_atomics)},
      {"shared memory atomics", "the same within a block, per thread", "first combine values in registers", 4,
       std::mem_fn(&W::shared_atomics)}};
  return kFigures;
}

std::string figure_text(double value) {
  if (!std::isfinite(value)) return "?";
  if (value < 100 && value != std::trunc(value)) return fmt::format("{:.3g}", value);
  return grouped(static_cast<unsigned long long>(std::clamp(std::round(value), 0.0, kLargestShown)));
}

std::string still_to_gain(const PassedVersion& version) {
  if (!version.work) return {};
  if (version.reference) {
    if (const Excess excess = greatest_excess(*version.work, *version.reference); excess.figure != nullptr)
      return sentence_on(excess, "the reference");
  }
  if (version.reference_of_next) {
    if (const Excess excess = greatest_excess(*version.work, *version.reference_of_next);
        excess.figure != nullptr)
      return sentence_on(excess, cut_to(visible_line(version.next), kLongestSentence));
  }
  if (!version.reference) return {};
  return fmt::format("Nothing: no figure stands out beside the reference{}.",
                     version.reference_of_next ? ", or the next version" : "");
}

std::string next_step(const PassedVersion& version) {
  if (version.next.empty()) return {};
  const std::string name = cut_to(visible_line(version.next), kLongestSentence);
  if (version.teaches.empty()) return name;
  return fmt::format("{}: {}", name, cut_to(visible_line(version.teaches), kLongestSentence));
}

const PassedVersion* furthest(const Grade& grade) {
  for (auto each = grade.passed.rbegin(); each != grade.passed.rend(); ++each) {
    if (!each->next.empty() &&
        std::ranges::find(grade.passed, each->next, &PassedVersion::version) == grade.passed.end())
      return &*each;
  }
  return nullptr;
}

}  // namespace warpmark

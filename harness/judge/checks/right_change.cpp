#include "harness/judge/checks/right_change.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "harness/judge/checks/prober.h"

namespace warpmark::judge {
namespace {

using source_edits::Repair;

constexpr std::byte kOutputsBefore{0x11};
// Time limits of one call, and of all. Most cases that a change is held against, and their largest size in
// values.
constexpr std::chrono::milliseconds kOneCall{200};
constexpr std::chrono::milliseconds kFirstCall{1000};
constexpr std::chrono::milliseconds kAllCalls{3000};
// After a change that helps, the next part is tried only with this much time left: another place may be as
// likely.
constexpr std::chrono::milliseconds kFurtherParts{2000};
constexpr std::chrono::milliseconds kNoTime{0};
constexpr std::chrono::milliseconds kOnePart{1500};  // time that the calls of a part that was built have
constexpr std::size_t kMostCalls = 1000;
constexpr std::size_t kMostCases = 9;
constexpr std::size_t kMostWrong = 4;  // cases in which the version is wrong, and may have to be started anew
constexpr std::uint64_t kLargestHeld = 5000;
// Lines this far from each other count as one place.
constexpr int kNearLines = 2;

// A case with its inputs.
struct Prepared {
  Case which;
  std::unique_ptr<Problem> problem;
  Experiment::Contents inputs;
};

Prepared prepared(const Assignment& assignment, const Case& which) {
  Prepared made{which, assignment.make(which), {}};
  const auto specs = made.problem->buffers();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const bool input = specs[i].role == Role::input || specs[i].role == Role::in_out;
    made.inputs.emplace_back(input ? specs[i].bytes : 0);
    if (input) made.problem->fill(i, made.inputs.back());
  }
  return made;
}

bool is_right(Prober& prober, const Prepared& one) {
  const auto outputs = prober.call(one.which, *one.problem, one.inputs, kOutputsBefore);
  if (!outputs) return false;
  const auto specs = one.problem->buffers();
  return std::ranges::all_of(answer_buffers(specs), [&](std::size_t answer) {
    return !one.problem->check(answer, (*outputs)[answer]).has_value();
  });
}

// Returns cases of the same data whose sizes are evenly spread, and the given one if it is small or no other
// fails, those in which the version is wrong first; empty if there are none of these.
std::vector<Prepared> cases_to_hold(TriedVersion& version, const Assignment& assignment, const Case& which,
                                    const ExperimentLimits& limits) {
  std::vector<Case> chosen;
  for (const Size& size : limits.sizes) {
    Case other = assignment.case_of(which.type, which.data, size, which.seed);
    other.shift = which.shift;
    if (other.n <= kLargestHeld && other.sizes() != which.sizes()) chosen.push_back(std::move(other));
  }
  const std::size_t count = std::min(kMostCases - 1, chosen.size());
  std::vector<Prepared> wrong;
  std::vector<Prepared> right;
  Prober prober(version, assignment, limits);
  const auto add = [&](const Case& one) {
    Prepared made = prepared(assignment, one);
    (is_right(prober, made) ? right : wrong).push_back(std::move(made));
  };
  for (std::size_t k = 0; k < count && wrong.size() < kMostWrong; ++k)
    add(chosen[(chosen.size() - 1) * k / std::max<std::size_t>(count - 1, 1)]);
  if (which.n <= kLargestHeld || wrong.empty()) add(which);
  if (wrong.empty()) return {};
  std::ranges::move(right, std::back_inserter(wrong));
  return wrong;
}

// Appends the changes of one part of the variants after which all cases are right.
void add_right_ones(TriedVariants& variants, const Assignment& assignment, const std::vector<Prepared>& cases,
                    const ExperimentLimits& limits, std::vector<source_edits::Repair>& right) {
  Prober prober(variants, assignment, limits);
  for (std::size_t k = 0; k < variants.repairs().size(); ++k) {
    variants.choose(k);
    if (std::ranges::all_of(cases, [&](const Prepared& one) { return is_right(prober, one); }))
      right.push_back(variants.repairs()[k]);
  }
}

}  // namespace

std::optional<RightChange> find_right_change(TriedVersion& version, const Assignment& assignment,
                                             const Case& which, const std::string& file, int near,
                                             const ExperimentLimits& limits) {
  if (!version.can_be_changed()) return std::nullopt;
  ExperimentLimits of_calls{.call = std::min(limits.call, kOneCall),
                            .first_call = kFirstCall,
                            .all = kAllCalls,
                            .most_calls = kMostCalls,
                            .sizes = limits.sizes};
  const auto start = std::chrono::steady_clock::now();
  const auto left = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(start + kAllCalls -
                                                                 std::chrono::steady_clock::now());
  };
  const auto cases = cases_to_hold(version, assignment, which, of_calls);
  if (cases.empty()) return std::nullopt;
  std::vector<Repair> right;
  for (std::size_t part = 0; left() > (right.empty() ? kNoTime : kFurtherParts); ++part) {
    const auto variants = version.variants(part);
    if (variants == nullptr) break;
    of_calls.all = std::max(left(), kOnePart);
    add_right_ones(*variants, assignment, cases, of_calls, right);
  }
  if (right.empty()) return std::nullopt;
  if (near != 0) {
    std::ranges::stable_partition(
        right, [&](const Repair& repair) { return std::abs(repair.line - near) <= kNearLines; });
  }
  RightChange found{{right.front().line}, right.front().mistake, {}};
  const auto other = std::ranges::find_if(
      right, [&](const Repair& repair) { return std::abs(repair.line - found.lines.front()) > kNearLines; });
  found.text = fmt::format("with {} at {}:{}", right.front().what, file, right.front().line);
  if (other != right.end()) {
    found.lines.push_back(other->line);
    found.text += fmt::format(", or {} at {}:{}", other->what, file, other->line);
  }
  found.text += cases.size() == 1
                    ? ", the outputs of this input would be right"
                    : fmt::format(", the outputs of all {} inputs tried are right", cases.size());
  return found;
}

}  // namespace warpmark::judge

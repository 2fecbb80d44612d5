#include "harness/judge/checks/other_orders.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/checks/blamed_lines.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/source_edits/signs.h"

namespace warpmark::judge {
namespace {

// Number of races whose calls are repeated, and of orders in which each is: of two blocks every second order
// is that of their numbers.
constexpr std::size_t kMostRaces = 3;
constexpr std::uint64_t kOrders = 8;

bool is_race(const Cause& remark) {
  return remark.kind == CauseKind::race || remark.kind == CauseKind::warp_synchronous;
}

// Returns true if the remark was made in a call with this test input.
bool is_of(const Cause& remark, const Case& which) {
  Cause named;
  name_input(named, which);
  return remark.n == named.n && remark.type == named.type && remark.seed == named.seed &&
         remark.sizes == named.sizes;
}

// Returns the test inputs of the calls in which races were seen first, the smallest first.
std::vector<Case> calls_with_races(const std::vector<Cause>& remarks, const std::vector<Case>& cases) {
  std::vector<Case> racing;
  for (const Case& which : cases) {
    const bool races = std::ranges::any_of(
        remarks, [&](const Cause& remark) { return is_race(remark) && is_of(remark, which); });
    if (races && racing.size() < kMostRaces) racing.push_back(which);
  }
  return racing;
}

}  // namespace

std::uint64_t other_order(const Case& which, std::uint64_t number) {
  return random_bits(which.seed, number);
}

wire::RunMode mode_of_second_call(const Case& which, Engine engine) {
  if (engine != Engine::simulator) return {};
  return {.schedule = other_order(which, 1), .one_at_a_time = true};
}

bool is_about_the_answer(const GradingContext& bench, const Cause& cause) {
  return is_wrong_answer(bench, cause) || cause.kind == CauseKind::not_written;
}

std::vector<Cause> wrong_in_other_orders(const GradingContext& bench, VersionWorker& worker,
                                         const std::vector<Case>& cases) {
  const std::vector<Case> racing = calls_with_races(worker.remarks(), cases);
  if (racing.empty()) return {};
  worker.replace();  // what earlier calls left behind shall not decide
  std::vector<Cause> wrong;
  for (const Case& which : racing) {
    for (std::uint64_t number = 1; number <= kOrders && wrong.empty() && worker.can_go_on(); ++number) {
      // Some races show when one block ends before another begins, and some when blocks take the short turns
      // that they take where work is counted.
      const bool short_turns = number % 2 == 0;
      auto result = worker.run(
          which, {.schedule = other_order(which, number), .one_at_a_time = true, .count_work = short_turns});
      for (Cause& cause : result.causes) {
        if (is_about_the_answer(bench, cause))
          wrong.push_back(because_of_order(std::move(cause), result.remarks, worker.blame()));
      }
    }
  }
  worker.replace();
  return wrong;
}

Cause because_of_order(Cause wrong, const std::vector<Cause>& remarks, const Blame& blame) {
  wrong.mistake = kInAnotherOrder;
  wrong.message +=
      "; it is right as long as blocks and warps run in the order of their numbers, and wrong in another "
      "order, which a GPU may choose";
  const auto sign = blame.file == nullptr ? std::nullopt : source_edits::place_by_atomic(blame.file->text);
  if (sign) {
    wrong.message += fmt::format(": {}", sign->what);
    point_to(wrong, {blame.file->name, sign->line, {}}, blame);
    return wrong;
  }
  if (const auto root = root_among(remarks)) return follows_from(*root, std::move(wrong));
  wrong.message += ". Look for threads that read what other threads write without a barrier in between";
  return wrong;
}

bool show_in_another_order_alone(const std::vector<Cause>& failures) {
  return std::ranges::all_of(failures, [](const Cause& cause) { return cause.mistake == kInAnotherOrder; });
}

}  // namespace warpmark::judge

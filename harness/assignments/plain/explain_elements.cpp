#include "harness/assignments/plain/explain_elements.h"

#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace warpmark::plain {
namespace {

constexpr std::array<std::uint64_t, 10> kSizesOfElements{1, 2, 32, 33, 255, 256, 257, 1023, 1025, 4097};

// Searches for the smallest input size at which the student's kernel gives a wrong answer; returns the test
// case and the answer.
std::optional<std::pair<Case, Experiment::Regular>> smallest_wrong(const Case& which,
                                                                   Experiment& experiment) {
  const auto wrong_at = [&](std::uint64_t n) -> std::optional<std::pair<Case, Experiment::Regular>> {
    Case smaller = which;
    smaller.n = n;
    auto tried = experiment.regular(smaller);
    if (!tried || tried->answer.size() != tried->input.size() || !tried->problem->check(0, tried->answer))
      return std::nullopt;
    return std::pair(smaller, std::move(*tried));
  };
  for (const std::uint64_t n : kSizesOfElements) {
    if (n >= which.n) break;
    if (auto found = wrong_at(n)) return found;
  }
  return wrong_at(which.n);
}

// Parses the index from a message: 17 from "values[17] is wrong".
std::optional<std::uint64_t> index_in(const std::string& text) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos) return std::nullopt;
  std::uint64_t index = 0;
  const auto [end, error] = std::from_chars(text.data() + open + 1, text.data() + text.size(), index);
  return error == std::errc() ? std::optional(index) : std::nullopt;
}

}  // namespace

std::optional<Explanation> explain_elements(const Case& which, std::size_t value_bytes,
                                            Experiment& experiment) {
  const auto smallest = smallest_wrong(which, experiment);
  if (!smallest) return std::nullopt;
  const auto& [found, tried] = *smallest;
  const auto same = [&](std::uint64_t i) {
    return std::memcmp(tried.answer.data() + i * value_bytes, tried.input.data() + i * value_bytes,
                       value_bytes) == 0;
  };
  const auto mismatch = tried.problem->check(0, tried.answer);
  const auto first = index_in(mismatch->what);
  if (!first) return std::nullopt;
  const bool lost = same(*first);
  const std::string name = tried.problem->buffers().front().name;
  if (!lost) {
    return Explanation{fmt::format("of {} {}, {}[{}] is the first wrong one", found.n, name, name, *first),
                       found, mismatch->expected, mismatch->actual,
                       Explanation::Elements{*first, *first, false}};
  }
  std::uint64_t last = *first;
  while (last + 1 < found.n && same(last + 1)) ++last;
  const bool one = last == *first;
  const std::string elements =
      one ? fmt::format("{}[{}]", name, *first) : fmt::format("{0}[{1}] to {0}[{2}]", name, *first, last);
  std::string end;
  if (last + 1 == found.n && *first > 0)
    end = fmt::format(", the last {}of {} {},", one ? "" : fmt::format("{} ", last - *first + 1), found.n,
                      name);
  return Explanation{fmt::format("{}{} still hold{} what {} held before the call", elements, end,
                                 one ? "s" : "", one ? "it" : "they"),
                     found, mismatch->expected, mismatch->actual, Explanation::Elements{*first, last, true}};
}

}  // namespace warpmark::plain

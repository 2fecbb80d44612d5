#include "harness/judge/rules/plan.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <sys/random.h>

#include "harness/assignments/random.h"

namespace warpmark::judge {
namespace {

struct CaseShape {
  std::uint64_t n;
  std::uint64_t shift;
};

// Sorts by size ascending, so that the first failure is the easiest to debug.
void sort_by_size(std::vector<CaseShape>& places) {
  std::stable_sort(places.begin(), places.end(),
                   [](const CaseShape& a, const CaseShape& b) { return a.n < b.n; });
}

std::vector<std::string> types_of(const Rubric& rubric, const Focus& focus) {
  return focus.type.empty() ? rubric.types : std::vector<std::string>{focus.type};
}

// Pointer to the member function of Assignment that returns the data classes to run for an element type.
using Classes = std::vector<std::string> (Assignment::*)(std::string_view) const;

std::vector<Case> cases_at(const std::vector<CaseShape>& places, const Rubric& rubric,
                           const Assignment& assignment, const Focus& focus, std::uint64_t seed,
                           Classes classes) {
  std::vector<Case> cases;
  for (const CaseShape& place : places) {
    for (const std::string& type : types_of(rubric, focus)) {
      for (const std::string& data : (assignment.*classes)(type)) {
        cases.push_back(
            {type, data, place.n, place.shift, focus.seed.value_or(random_bits(seed, cases.size()))});
      }
    }
  }
  return cases;
}

}  // namespace

std::uint64_t seed_from_the_system() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  return seed;
}

std::vector<Case> correct_cases(const Rubric& rubric, const Assignment& assignment, Engine engine,
                                const Focus& focus, std::uint64_t seed) {
  std::vector<CaseShape> places;
  if (focus.size) {
    places = {{*focus.size, 0}, {*focus.size, 1}};
  } else {
    for (const std::uint64_t n : rubric.correct.sizes) places.push_back({n, 0});
    if (engine == Engine::gpu) {
      for (const std::uint64_t n : rubric.correct.gpu_sizes) places.push_back({n, 0});
    }
    if (engine == Engine::host) {
      for (const std::uint64_t n : rubric.correct.host_sizes) places.push_back({n, 0});
    }
    const std::uint64_t largest = rubric.correct.sizes.empty() ? 0 : std::ranges::max(rubric.correct.sizes);
    for (std::uint64_t k = 0; k < rubric.correct.secret_sizes; ++k) {
      // The last secret size lies between secret_max and the largest fixed size, so that no range of sizes is
      // safe to special-case.
      const bool far = k + 1 == rubric.correct.secret_sizes && k > 0 && largest > rubric.correct.secret_max;
      const std::uint64_t from = far ? rubric.correct.secret_max : 0;
      const std::uint64_t to = far ? largest : rubric.correct.secret_max;
      places.push_back({from + 1 + random_below(mix(seed), k, to - from), 0});
    }
    if (rubric.correct.shifted_size != 0) places.push_back({rubric.correct.shifted_size, 1});
    sort_by_size(places);
  }
  return cases_at(places, rubric, assignment, focus, seed, &Assignment::data_classes);
}

std::vector<Case> clean_cases(const Rubric& rubric, const Assignment& assignment, const Focus& focus,
                              std::uint64_t seed) {
  std::vector<CaseShape> places;
  if (focus.size) {
    places = {{*focus.size, 0}, {*focus.size, 1}};
  } else {
    for (const std::uint64_t n : rubric.clean.sizes) places.push_back({n, 0});
    if (rubric.correct.shifted_size != 0) places.push_back({rubric.correct.shifted_size, 1});
    sort_by_size(places);
  }
  auto cases = cases_at(places, rubric, assignment, focus, seed, &Assignment::clean_classes);
  if (rubric.clean.large_size != 0 && !focus.size) {
    auto large = cases_at({{rubric.clean.large_size, 0}}, rubric, assignment, focus, mix(seed),
                          &Assignment::clean_classes);
    cases.push_back(std::move(large.front()));
  }
  return cases;
}

Case work_case(const Rubric& rubric, const Assignment& assignment, const Focus& focus, std::uint64_t seed) {
  return {rubric.work.type, assignment.data_classes(rubric.work.type).front(), rubric.work.size, 0,
          focus.seed.value_or(random_bits(seed, rubric.work.size))};
}

}  // namespace warpmark::judge

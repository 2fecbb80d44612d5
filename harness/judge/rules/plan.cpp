#include "harness/judge/rules/plan.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <sys/random.h>

#include "harness/assignments/random.h"

namespace warpmark::judge {
namespace {

struct CaseShape {
  Size size;
  std::uint64_t shift;
};

// Sorts the test inputs by size, smallest first, so that the first failure is the easiest to debug.
void sort_by_size(std::vector<CaseShape>& places, const Assignment& assignment) {
  std::stable_sort(places.begin(), places.end(), [&](const CaseShape& a, const CaseShape& b) {
    return assignment.values_at(a.size) < assignment.values_at(b.size);
  });
}

// Returns the test inputs of one size: with aligned buffers, and with each misalignment that the assignment
// defines.
std::vector<CaseShape> with_shifts(const Size& size, const Assignment& assignment) {
  std::vector<CaseShape> places{{size, 0}};
  for (const std::uint64_t shift : assignment.shifts()) places.push_back({size, shift});
  return places;
}

std::vector<std::string> types_of(const Rubric& rubric, const Focus& focus) {
  return focus.type.empty() ? rubric.types : std::vector<std::string>{focus.type};
}

// Pointer to the member function of Assignment that returns the data classes to run for an element type.
using Classes = std::vector<std::string> (Assignment::*)(std::string_view) const;

// Largest size, in elements, that is tested with every class of data. Larger ones are tested with one class
// per element type, drawn by the seed: what is wrong at such sizes alone, such as a grid's limit or an
// integer's overflow, does not depend on the values, and large inputs take seconds to make.
constexpr std::uint64_t kMostOfAllClasses = std::uint64_t{1} << 20;

std::vector<Case> cases_at(const std::vector<CaseShape>& places, const Rubric& rubric,
                           const Assignment& assignment, const Focus& focus, std::uint64_t seed,
                           Classes classes) {
  std::vector<Case> cases;
  std::uint64_t drawn = 0;
  for (const CaseShape& place : places) {
    for (const std::string& type : types_of(rubric, focus)) {
      auto names = (assignment.*classes)(type);
      // A seed that repeats a failure may come from any class.
      if (!focus.seed && names.size() > 1 && assignment.values_at(place.size) > kMostOfAllClasses)
        names = {names[random_below(mix(seed), ++drawn, names.size())]};
      for (const std::string& data : names) {
        cases.push_back(
            assignment.case_of(type, data, place.size, focus.seed.value_or(random_bits(seed, cases.size()))));
        cases.back().shift = place.shift;
      }
    }
  }
  return cases;
}

// Returns the input size that is tested with misaligned buffers: the rubric's, else the largest of its fixed
// sizes that is quickly simulated.
std::optional<Size> shifted_size(const Rubric& rubric, const Assignment& assignment) {
  constexpr std::uint64_t kLargest = 5000;  // values
  if (rubric.correct.shifted_size || !rubric.plain) return rubric.correct.shifted_size;
  std::optional<Size> best;
  std::uint64_t most = 0;
  for (const Size& size : rubric.correct.sizes) {
    const std::uint64_t values = assignment.values_at(size);
    if (values > kLargest || values <= most) continue;
    most = values;
    best = size;
  }
  return best;
}

}  // namespace

std::uint64_t seed_from_the_system() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  return seed;
}

namespace {

// Draws one secret input size. far_to: if not 0, the size lies above the rubric's range, up to far_to (the
// largest fixed size).
Size draw_secret(const Rubric& rubric, std::uint64_t seed, std::uint64_t number, std::uint64_t far_to) {
  constexpr int kTries = 1000;
  const SecretSizes& secret = rubric.correct.secret;
  const std::vector<std::string> names = rubric.plain ? rubric.plain->sizes : std::vector<std::string>{"n"};
  const auto fault = [&](const std::string& why) {
    return AssignmentFault(fmt::format("{}: correct.secret: {}", rubric.home.rules().string(), why));
  };
  for (int attempt = 0; attempt < kTries; ++attempt) {
    plain::Values values;
    std::vector<std::uint64_t> parts;
    for (std::size_t i = 0; i < secret.ranges.size(); ++i) {
      auto low = secret.ranges[i].first.value(values);
      auto high = secret.ranges[i].second.value(values);
      if (!low || !high) throw fault((!low ? low : high).error().message);
      if (far_to != 0) {
        low = *high + 1;
        high = static_cast<std::int64_t>(far_to);
      }
      if (*low < 0 || *high < *low)
        throw fault(fmt::format("{} would lie between {} and {}", names[i], *low, *high));
      const std::uint64_t counter = number + (i << 32) + (static_cast<std::uint64_t>(attempt) << 48);
      parts.push_back(static_cast<std::uint64_t>(*low) +
                      random_below(mix(seed), counter, static_cast<std::uint64_t>(*high - *low) + 1));
      values[names[i]] = static_cast<std::int64_t>(parts.back());
    }
    if (!secret.where) return Size(std::move(parts));
    const auto holds = secret.where->value(values);
    if (!holds) throw fault(holds.error().message);
    if (*holds != 0) return Size(std::move(parts));
  }
  throw fault(
      fmt::format("no size with {} was found in {} tries; widen the ranges", secret.where->text(), kTries));
}

}  // namespace

std::vector<Size> secret_corners(const Rubric& rubric) {
  constexpr std::size_t kMostParts = 6;  // of which both bounds are tried: 64 sizes
  const SecretSizes& secret = rubric.correct.secret;
  const std::vector<std::string> names = rubric.plain ? rubric.plain->sizes : std::vector<std::string>{"n"};
  std::vector<Size> corners;
  const std::size_t parts = std::min(secret.ranges.size(), kMostParts);
  for (std::size_t k = 0; secret.count > 0 && k < std::size_t{1} << parts; ++k) {
    plain::Values values;
    Size corner(std::vector<std::uint64_t>{});
    for (std::size_t i = 0; i < secret.ranges.size(); ++i) {
      const auto& [low, high] = secret.ranges[i];
      const auto value = ((k >> i) & 1U) != 0 ? high.value(values) : low.value(values);
      if (!value || *value < 0) break;  // drawing this size is a fault of its own
      values[names[i]] = *value;
      corner.parts.push_back(static_cast<std::uint64_t>(*value));
    }
    if (corner.parts.size() != secret.ranges.size()) continue;
    if (secret.where && secret.where->value(values).value_or(0) == 0) continue;
    if (std::ranges::find(corners, corner) == corners.end()) corners.push_back(std::move(corner));
  }
  return corners;
}

namespace {

// Returns small sizes within the ranges of the secret sizes: around warps and blocks if a size has one part,
// else equal and unequal parts.
std::vector<Size> small_sizes(const Rubric& rubric) {
  static constexpr std::array<std::uint64_t, 21> kAlone{
      1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 511, 512, 513, 777, 1023, 1025, 2049};
  static constexpr std::array<std::uint64_t, 6> kParts{1, 2, 3, 5, 17, 33};
  const SecretSizes& secret = rubric.correct.secret;
  if (secret.count == 0) return {};
  const std::vector<std::string> names = rubric.plain ? rubric.plain->sizes : std::vector<std::string>{"n"};
  const bool alone = secret.ranges.size() == 1;
  const std::size_t steps = alone ? 1 : 3;  // by which the parts of a size differ in kParts
  std::vector<Size> sizes;
  for (std::size_t k = 0; k < (alone ? kAlone.size() : kParts.size() * steps); ++k) {
    plain::Values values;
    std::vector<std::uint64_t> parts;
    for (const auto& [least, most] : secret.ranges) {
      const auto low = least.value(values);
      const auto high = most.value(values);
      if (!low || !high || *low < 0 || *high < *low) break;
      const std::uint64_t wanted =
          alone ? kAlone[k] : kParts[(k / steps + k % steps * parts.size()) % kParts.size()];
      const std::int64_t part = std::clamp(static_cast<std::int64_t>(wanted), *low, *high);
      values[names[parts.size()]] = part;
      parts.push_back(static_cast<std::uint64_t>(part));
    }
    const bool holds = !secret.where || secret.where->value(values).value_or(0) != 0;
    if (parts.size() == secret.ranges.size() && holds) sizes.emplace_back(std::move(parts));
  }
  return sizes;
}

}  // namespace

std::optional<Size> full_tiles_of(const Rubric& rubric, const Assignment& assignment) {
  constexpr std::uint64_t kMost = 20000;  // values
  const auto values = [&](const Size& size) { return assignment.values_at(size); };
  std::vector<Size> sizes = rubric.correct.sizes;
  sizes.insert(sizes.end(), rubric.clean.sizes.begin(), rubric.clean.sizes.end());
  std::ranges::stable_sort(sizes, {}, values);
  for (const std::uint64_t side : {64U, 32U, 16U}) {
    for (const Size& size : sizes) {
      const bool full =
          std::ranges::all_of(size.parts, [&](std::uint64_t part) { return part > 0 && part % side == 0; });
      if (full && size.parts.size() > 1 && values(size) <= kMost) return size;
    }
  }
  return std::nullopt;
}

std::vector<Size> sizes_to_try(const Rubric& rubric, const Assignment& assignment, const Case& which) {
  constexpr std::uint64_t kSmall = 2100;  // values
  std::vector<std::pair<std::uint64_t, Size>> sizes;
  const auto take = [&](const std::vector<Size>& some) {
    for (const Size& size : some) {
      const std::uint64_t values = assignment.values_at(size);
      if (values <= std::max(which.n, kSmall)) sizes.emplace_back(values, size);
    }
  };
  take(small_sizes(rubric));
  take(rubric.clean.sizes);
  take(rubric.correct.sizes);
  std::ranges::sort(sizes);
  const auto again = std::ranges::unique(sizes);
  sizes.erase(again.begin(), again.end());
  std::vector<Size> ascending;
  for (auto& [values, size] : sizes) ascending.push_back(std::move(size));
  return ascending;
}

std::vector<Size> secret_sizes(const Rubric& rubric, std::uint64_t seed) {
  const SecretSizes& secret = rubric.correct.secret;
  std::vector<Size> sizes;
  std::uint64_t largest = 0;
  for (const Size& size : rubric.correct.sizes) largest = std::max(largest, size.parts.front());
  for (std::uint64_t k = 0; k < secret.count; ++k) {
    // The last secret size lies between the range's end and the largest fixed size, so that no range of sizes
    // is safe to special-case.
    std::uint64_t far_to = 0;
    if (secret.ranges.size() == 1 && k + 1 == secret.count && k > 0) {
      const auto high = secret.ranges.front().second.value({});
      if (high && *high >= 0 && largest > static_cast<std::uint64_t>(*high)) far_to = largest;
    }
    sizes.push_back(draw_secret(rubric, seed, k, far_to));
  }
  return sizes;
}

std::optional<Size> small_secret_size(const Rubric& rubric, const Assignment& assignment,
                                      std::uint64_t seed) {
  constexpr std::uint64_t kDraws = 64;
  std::uint64_t most = 0;
  for (const Size& size : rubric.clean.sizes) most = std::max(most, assignment.values_at(size));
  std::optional<Size> smallest;
  for (std::uint64_t k = 0; rubric.correct.secret.count > 0 && k < kDraws; ++k) {
    Size size = draw_secret(rubric, seed, rubric.correct.secret.count + k, 0);
    const std::uint64_t values = assignment.values_at(size);
    if (values > most) continue;
    most = values;
    smallest = std::move(size);
  }
  return smallest;
}

// Returns the fixed size with the fewest values, but not none.
std::optional<Size> least_size(const Rubric& rubric, const Assignment& assignment) {
  std::optional<Size> least;
  for (const Size& size : rubric.correct.sizes) {
    if (assignment.values_at(size) == 0) continue;
    if (!least || assignment.values_at(size) < assignment.values_at(*least)) least = size;
  }
  return least;
}

std::vector<Case> correct_cases(const Rubric& rubric, const Assignment& assignment, Engine engine,
                                const Focus& focus, std::uint64_t seed) {
  std::vector<CaseShape> places;
  if (focus.size) {
    places = with_shifts(*focus.size, assignment);
  } else {
    std::vector<Size> sizes = rubric.correct.sizes;
    const auto append = [&](const std::vector<Size>& more) {
      sizes.insert(sizes.end(), more.begin(), more.end());
    };
    if (engine == Engine::gpu) append(rubric.correct.gpu_sizes);
    if (engine == Engine::host) append(rubric.correct.host_sizes);
    append(secret_sizes(rubric, seed));
    if (const auto small = small_secret_size(rubric, assignment, seed)) append({*small});
    for (const Size& size : sizes) places.push_back({size, 0});
    if (const auto shifted = shifted_size(rubric, assignment)) {
      for (const std::uint64_t shift : assignment.shifts()) places.push_back({*shifted, shift});
    }
    // A few misaligned values may end before the boundary that a version reads up to.
    if (const auto least = least_size(rubric, assignment); least && !assignment.shifts().empty())
      places.push_back({*least, assignment.shifts().back()});
    sort_by_size(places, assignment);
  }
  return cases_at(places, rubric, assignment, focus, seed, &Assignment::data_classes);
}

std::vector<Case> clean_cases(const Rubric& rubric, const Assignment& assignment, const Focus& focus,
                              std::uint64_t seed) {
  std::vector<CaseShape> places;
  if (focus.size) {
    places = with_shifts(*focus.size, assignment);
  } else {
    for (const Size& size : rubric.clean.sizes) places.push_back({size, 0});
    if (const auto small = small_secret_size(rubric, assignment, seed)) places.push_back({*small, 0});
    // Misaligns all buffers in one test input: whether code passes the check `clean` depends on each buffer's
    // alignment alone.
    if (const auto shifted = shifted_size(rubric, assignment); shifted && !assignment.shifts().empty())
      places.push_back({*shifted, assignment.shifts().back()});
    sort_by_size(places, assignment);
  }
  auto cases = cases_at(places, rubric, assignment, focus, seed, &Assignment::clean_classes);
  if (rubric.clean.large_size && !focus.size) {
    auto large = cases_at({{*rubric.clean.large_size, 0}}, rubric, assignment, focus, mix(seed),
                          &Assignment::clean_classes);
    cases.push_back(std::move(large.front()));
  }
  return cases;
}

bool is_work_size(const Rubric& rubric, const Size& size) {
  const Size& stated = rubric.work.size;
  if (size == stated) return true;
  if (size.parts.size() != stated.parts.size() || size.parts.front() > stated.parts.front()) return false;
  Size aligned = size;
  aligned.parts.front() = stated.parts.front();
  if (aligned != stated || !rubric.plain || rubric.correct.secret.count == 0 ||
      stated.parts.front() - size.parts.front() > stated.parts.front() / 16)
    return false;
  const auto& where = rubric.correct.secret.where;
  if (!where) return true;
  plain::Values values;
  for (std::size_t i = 0; i < size.parts.size(); ++i)
    values[rubric.plain->sizes[i]] = static_cast<std::int64_t>(size.parts[i]);
  return where->value(values).value_or(0) != 0;
}

Case work_case(const Rubric& rubric, const Assignment& assignment, const VersionRule& version,
               const Focus& focus, std::uint64_t seed) {
  const std::string& type = rubric.work.type;
  const std::uint64_t counter = assignment.values_at(rubric.work.size);
  Size size = rubric.work.size;
  size.parts.front() -= random_below(mix(mix(seed)), counter, size.parts.front() / 16 + 1);
  if (focus.size) size = *focus.size;
  if (!is_work_size(rubric, size)) size = rubric.work.size;
  const std::string data =
      version.work_data.empty() ? assignment.data_classes(type).front() : version.work_data;
  return assignment.case_of(type, data, size, focus.seed.value_or(random_bits(seed, counter)));
}

}  // namespace warpmark::judge

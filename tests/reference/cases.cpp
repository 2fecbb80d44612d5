#include "tests/reference/cases.h"

#include <algorithm>

#include "harness/assignments/random.h"
#include "tests/reference/bench.h"

namespace warpmark {
namespace {

constexpr std::uint64_t kAlignments = 8;  // an input begins 0 to 7 values past a 256-byte boundary

class Cases {
 public:
  Cases(const Assignment& assignment, std::uint64_t seed) : assignment_(assignment), seed_(seed) {}

  void add(std::uint64_t n, const std::string& type, const std::string& data) {
    const std::uint64_t index = cases_.size();
    const std::uint64_t elements = random_below(seed_, 2 * index, kAlignments);
    cases_.push_back(
        {type, data, n, judge::shift_of_all(assignment_, elements), random_bits(seed_, 2 * index + 1)});
  }
  // With one class of data, now this, now that.
  void add(std::uint64_t n, const std::string& type) {
    const auto classes = assignment_.data_classes(type);
    add(n, type, classes[(n / judge::kTypes.size()) % classes.size()]);
  }
  void add_with_one_type(std::uint64_t n) { add(n, judge::kTypes[n % judge::kTypes.size()]); }
  void add_with_all_types(std::uint64_t n) {
    for (const char* type : judge::kTypes) add(n, type);
  }
  void add_with_everything(std::uint64_t n) {
    for (const char* type : judge::kTypes) {
      for (const std::string& data : assignment_.data_classes(type)) add(n, type, data);
    }
  }
  std::vector<Case> take() { return std::move(cases_); }

 private:
  const Assignment& assignment_;
  std::uint64_t seed_;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> cases_at_edges(const Assignment& assignment, std::uint64_t seed) {
  Cases cases(assignment, seed);
  for (std::uint64_t n = 0; n <= 66; ++n) cases.add_with_all_types(n);
  for (std::uint64_t edge = 128; edge <= 4096; edge *= 2) {
    for (const std::uint64_t n : {edge - 1, edge, edge + 1}) cases.add_with_all_types(n);
  }
  return cases.take();
}

std::vector<Case> cases_of_every_size(const Assignment& assignment, std::uint64_t seed) {
  Cases cases(assignment, seed);
  for (std::uint64_t n = 0; n <= kSmallest; ++n) cases.add_with_one_type(n);
  return cases.take();
}

std::vector<Case> cases_of_some_sizes(const Assignment& assignment, std::uint64_t seed, std::uint64_t count) {
  Cases cases(assignment, seed);
  for (std::uint64_t k = 0; k < count; ++k)
    cases.add_with_one_type(random_below(mix(seed), k, kSmallest + 1));
  return cases.take();
}

std::vector<Case> all_small_cases(const Assignment& assignment, std::uint64_t seed) {
  Cases cases(assignment, seed);
  for (std::uint64_t n = 0; n <= kSmallest; ++n) cases.add_with_everything(n);
  return cases.take();
}

std::vector<Case> growing_cases(const Assignment& assignment, std::uint64_t seed, unsigned log2_most) {
  Cases cases(assignment, seed);
  const std::uint64_t most = std::uint64_t{1} << log2_most;
  for (std::uint64_t n = kSmallest; n < most; n = n * 17 / 10 + random_below(seed, n, 32)) {
    cases.add_with_one_type(n);
  }
  cases.add_with_one_type(most);
  return cases.take();
}

}  // namespace warpmark

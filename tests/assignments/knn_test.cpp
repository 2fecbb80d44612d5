// What the judge asks of nearest neighbours: shapes, which labels are right, what is refused and why.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/knn/nearest.h"
#include "tests/assignments/filled.h"

namespace warpmark::knn_tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::size_t kRows = 0;
constexpr std::size_t kLabels = 1;
constexpr std::size_t kQueries = 2;
constexpr std::size_t kAnswers = 3;

struct Shape {
  std::uint64_t rows, dims, queries, k, labels, more_bytes;
};

FilledCase knn_case(const std::string& data, std::uint64_t n, std::uint64_t seed = 0x5eed) {
  return {"knn", {"float", data, n, 0, seed}};
}

Shape shape_of(const FilledCase& filled) {
  const auto scalars = filled.problem->scalars();
  return {scalars.at(0), scalars.at(1), scalars.at(2), scalars.at(3), scalars.at(4), scalars.at(5)};
}

struct Rules {
  bool backwards = false;  // sums from the last dimension to the first
  bool root = false;       // of the sum of squares
};

// The answers of an ordinary version, in single precision.
std::vector<int> answers_of(const FilledCase& filled, const Rules& rules = {}) {
  const auto rows = filled.values<float>(kRows);
  const auto labels = filled.values<int>(kLabels);
  const auto queries = filled.values<float>(kQueries);
  const Shape shape = shape_of(filled);
  std::vector<int> answers;
  for (std::uint64_t q = 0; q < shape.queries; ++q) {
    std::vector<std::pair<float, std::int64_t>> all;
    for (std::uint64_t row = 0; row < shape.rows; ++row) {
      float sum = 0;
      for (std::uint64_t step = 0; step < shape.dims; ++step) {
        const std::uint64_t d = rules.backwards ? shape.dims - 1 - step : step;
        const float difference = rows[row * shape.dims + d] - queries[q * shape.dims + d];
        sum += difference * difference;
      }
      const auto number = static_cast<std::int64_t>(row);
      all.emplace_back(rules.root ? std::sqrt(sum) : sum, number);
    }
    std::sort(all.begin(), all.end());
    std::vector<int> votes(shape.labels);
    const auto k = static_cast<std::int64_t>(shape.k);
    for (std::int64_t i = 0; i < k; ++i)
      ++votes[static_cast<std::size_t>(
          labels[static_cast<std::size_t>(std::abs(all[static_cast<std::size_t>(i)].second))])];
    int best = 0;
    for (int label = 1; label < static_cast<int>(shape.labels); ++label) {
      const int more = votes[static_cast<std::size_t>(label)] - votes[static_cast<std::size_t>(best)];
      if (more > 0) best = label;
    }
    answers.push_back(best);
  }
  return answers;
}

std::string reason(const FilledCase& filled, const std::vector<int>& answers) {
  const auto mismatch = filled.check(kAnswers, answers);
  return mismatch ? mismatch->what : "none";
}

TEST(Knn, knows_its_type_and_classes_of_data) {
  const auto assignment = assignment_called("knn");
  EXPECT_THAT(assignment->data_classes("float"), ElementsAre("exact", "ties", "random"));
  EXPECT_THAT(assignment->data_classes("int"), IsEmpty());
  EXPECT_EQ(assignment->value_bytes("float"), 4U);
  EXPECT_EQ(assignment->wrong_answer(), "wrong_output");
}

TEST(Knn, asks_for_the_buffers_that_its_contract_promises) {
  for (const std::uint64_t n : {0, 1, 63, 300, 4099}) {
    const FilledCase filled("knn", {"float", "exact", n, 3, 1});
    const Shape shape = shape_of(filled);
    ASSERT_THAT(filled.specs, SizeIs(11));
    EXPECT_EQ(filled.specs[kRows].bytes, 4 * shape.rows * shape.dims);
    EXPECT_EQ(filled.specs[kLabels].bytes, 4 * shape.rows);
    EXPECT_EQ(filled.specs[kQueries].bytes, 4 * shape.queries * shape.dims);
    EXPECT_EQ(filled.specs[kAnswers].bytes, 4 * shape.queries);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(filled.specs[i].offset, 12U);
    EXPECT_GE(filled.specs[10].bytes, 4096 * shape.queries + 65536);
    EXPECT_EQ(filled.specs[10].bytes, shape.more_bytes);
  }
}

TEST(Knn, has_every_kind_of_shape_among_the_sizes_of_its_rubric) {
  std::set<std::uint64_t> dims;
  std::set<std::uint64_t> ks;
  std::set<std::uint64_t> labels;
  bool all_rows = false;
  bool no_query = false;
  bool several_blocks = false;
  for (const std::uint64_t n :
       {0, 1, 2, 8, 29, 31, 33, 63, 65, 100, 128, 129, 255, 257, 300, 513, 784, 1025, 2051}) {
    const Shape shape = shape_of(knn_case("exact", n));
    EXPECT_LE(shape.k, shape.rows);
    EXPECT_GE(shape.k, 1U);
    EXPECT_TRUE(n == 0 || shape.rows == n);
    dims.insert(shape.dims);
    ks.insert(shape.k);
    labels.insert(shape.labels);
    all_rows |= shape.k == shape.rows && shape.rows > 64;
    no_query |= shape.queries == 0;
    several_blocks |= shape.queries > 128;
  }
  EXPECT_TRUE(all_rows && no_query && several_blocks);
  for (const std::uint64_t each : {1, 16, 33}) EXPECT_TRUE(dims.contains(each)) << each;
  for (const std::uint64_t each : {1, 2, 8}) EXPECT_TRUE(ks.contains(each)) << each;
  for (const std::uint64_t each : {1, 2, 100}) EXPECT_TRUE(labels.contains(each)) << each;
}

TEST(Knn, has_the_size_that_is_timed_at_powers_of_two) {
  const auto scalars = assignment_called("knn")->make({"float", "exact", 1 << 20, 0, 1})->scalars();
  EXPECT_THAT(scalars, ElementsAre(1 << 20, 16, 4096, 8, 10, 4096 * 4096 + 65536));
  const auto small = assignment_called("knn")->make({"float", "exact", 1 << 13, 0, 1})->scalars();
  EXPECT_THAT(small, ElementsAre(1 << 13, 16, 512, 8, 10, 512 * 4096 + 65536));
}

TEST(Knn, accepts_the_answers_of_single_precision_in_any_order_with_or_without_the_root) {
  for (const char* data : {"exact", "ties", "random"}) {
    for (const std::uint64_t n : {1, 5, 63, 65, 300, 513, 1025}) {
      const FilledCase filled = knn_case(data, n);
      EXPECT_EQ(reason(filled, answers_of(filled)), "none") << data << n;
      EXPECT_EQ(reason(filled, answers_of(filled, {.backwards = true})), "none") << data << n;
      EXPECT_EQ(reason(filled, answers_of(filled, {.root = true})), "none") << data << n;
    }
  }
}

TEST(Knn, refuses_another_label_for_every_query) {
  for (const char* data : {"exact", "random"}) {
    const FilledCase filled = knn_case(data, 63);
    const auto right = answers_of(filled);
    for (std::size_t q = 0; q < right.size(); ++q) {
      auto wrong = right;
      wrong[q] = (wrong[q] + 1) % static_cast<int>(shape_of(filled).labels);
      EXPECT_THAT(reason(filled, wrong), HasSubstr("query " + std::to_string(q) + " ")) << data;
    }
  }
}

TEST(Knn, names_query_labels_neighbours_and_votes) {
  const FilledCase filled = knn_case("exact", 63);
  auto wrong = answers_of(filled);
  const int right = wrong[7];
  wrong[7] = (right + 1) % 3;
  const auto mismatch = filled.check(kAnswers, wrong);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->expected, "label " + std::to_string(right));
  EXPECT_EQ(mismatch->actual, "label " + std::to_string(wrong[7]));
  EXPECT_THAT(mismatch->what,
              AllOf(HasSubstr("query 7"), HasSubstr("k = 5; 63 rows of 16 values"),
                    HasSubstr("the nearest are row "), HasSubstr("distance "), HasSubstr("votes: ")));
}

TEST(Knn, says_what_is_no_label) {
  const FilledCase filled = knn_case("exact", 63);
  auto wrong = answers_of(filled);
  wrong[0] = 3;
  EXPECT_THAT(reason(filled, wrong), HasSubstr("3 is no label, those are from 0 to 2"));
  wrong[0] = -1;
  EXPECT_THAT(reason(filled, wrong), HasSubstr("-1 is no label"));
}

TEST(Knn, keeps_the_right_labels_while_queries_change) {
  for (const char* data : {"exact", "ties", "random"}) {
    FilledCase filled = knn_case(data, 513);
    const auto before = answers_of(filled);
    ASSERT_TRUE(filled.patch(7, 40));
    const auto after = answers_of(filled);
    EXPECT_NE(before, after) << data;
    EXPECT_EQ(reason(filled, after), "none") << data;
    EXPECT_NE(reason(filled, before), "none") << data;
  }
}

TEST(Knn, has_nothing_to_answer_without_a_query) {
  FilledCase filled = knn_case("exact", 0);
  EXPECT_EQ(reason(filled, {}), "none");
  EXPECT_TRUE(filled.patch(1, 16));
}

// One dimension; the query is 0.
knn::DataSet line_of(std::vector<float> values, std::vector<std::int32_t> labels, std::int32_t label_count) {
  return {std::move(values), std::move(labels), 1, label_count};
}
std::vector<std::int32_t> labels_of(const knn::DataSet& data, std::size_t k, double rounding) {
  const std::vector<float> query{0};
  return knn::possible_labels(data, knn::nearest(data, query, k, rounding).front(), k, rounding);
}

TEST(KnnLabels, take_the_lower_row_and_the_lower_label_where_nothing_is_rounded) {
  EXPECT_THAT(labels_of(line_of({2, 1, -1}, {0, 2, 1}, 3), 1, 0), ElementsAre(2));
  EXPECT_THAT(labels_of(line_of({2, 1, -1}, {0, 2, 1}, 3), 2, 0), ElementsAre(1));
  EXPECT_THAT(labels_of(line_of({2, 1, -1}, {0, 2, 1}, 3), 3, 0), ElementsAre(0));
}

TEST(KnnLabels, are_all_that_a_rounding_can_give) {
  // The second and the third are as near as rounding can tell; the fourth is not.
  const auto data = line_of({1, 1.0000001F, 1.0000002F, 1.5F}, {0, 1, 2, 1}, 3);
  EXPECT_THAT(labels_of(data, 1, 1e-6), ElementsAre(0, 1, 2));
  EXPECT_THAT(labels_of(data, 1, 1e-9), ElementsAre(0));
  EXPECT_THAT(labels_of(data, 3, 1e-6), ElementsAre(0));     // all three, whatever their order
  EXPECT_THAT(labels_of(data, 4, 1e-6), ElementsAre(1));     // two votes
  EXPECT_THAT(labels_of(data, 2, 1e-6), ElementsAre(0, 1));  // 0 and 1, 0 and 2, or 1 and 2: never 2
}

TEST(KnnLabels, need_what_is_certain_besides) {
  // Certain: two votes for 0. One of the last two joins them: 1 cannot have more.
  const auto data = line_of({1, 1.1F, 2, 2.0000002F}, {0, 0, 1, 1}, 2);
  EXPECT_THAT(labels_of(data, 3, 1e-6), ElementsAre(0));
  // Certain: one for 1. Of the uncertain ones either two of 0, or one of 0 and one of 2, join it.
  const auto other = line_of({1, 2, 2.0000002F, 2.0000002F}, {1, 0, 0, 2}, 3);
  EXPECT_THAT(labels_of(other, 3, 1e-6), ElementsAre(0));
  EXPECT_THAT(labels_of(other, 2, 1e-6), ElementsAre(0, 1));
}

TEST(KnnLabels, leave_out_a_farther_row_unless_the_nearer_one_is_in) {
  // Steps of 0.8 of the bound: each may change places with the next one, the first never with the third.
  const auto data = line_of({100, 100.004F, 100.008F}, {0, 1, 2}, 3);
  const double rounding = 5e-5;
  EXPECT_THAT(labels_of(data, 1, rounding), ElementsAre(0, 1));
  EXPECT_THAT(labels_of(data, 2, rounding), ElementsAre(0));
}

// Every assignment of rounded distances from a grid, against the rule.
TEST(KnnLabels, agree_with_all_roundings_tried_one_by_one) {
  const double rounding = 1e-3;
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::vector<float> values;
    std::vector<std::int32_t> labels;
    for (unsigned i = 0; i < 5; ++i) {
      values.push_back(1 + static_cast<float>((seed * 7 + i * i * 13 + i * seed) % 17) * 2e-4F);
      labels.push_back(static_cast<std::int32_t>((seed / 3 + i * (seed % 4)) % 3));
    }
    const auto data = line_of(values, labels, 3);
    for (std::size_t k = 1; k <= 5; ++k) {
      std::set<std::int32_t> tried;
      for (unsigned code = 0; code < 3125; ++code) {  // five places for each of five rows
        std::vector<knn::Neighbour> rounded;
        for (unsigned i = 0, rest = code; i < 5; ++i, rest /= 5) {
          const double exact = static_cast<double>(values[i]) * static_cast<double>(values[i]);
          rounded.push_back({exact * (1 + rounding * (static_cast<double>(rest % 5) / 2 - 1)), i});
        }
        std::sort(rounded.begin(), rounded.end(), knn::is_nearer);
        std::vector<std::uint32_t> votes(3);
        for (std::size_t i = 0; i < k; ++i) ++votes[static_cast<std::size_t>(labels[rounded[i].row])];
        tried.insert(knn::winner(votes));
      }
      const auto possible = labels_of(data, k, rounding);
      for (const std::int32_t label : tried)
        EXPECT_THAT(possible, testing::Contains(label)) << seed << ' ' << k;
      EXPECT_LE(possible.size(), tried.size() + 1)
          << seed << ' ' << k;  // the grid misses what is just possible
    }
  }
}

TEST(KnnNearest, gives_the_same_as_sorting_all_rows) {
  const FilledCase filled = knn_case("ties", 1025);
  const Shape shape = shape_of(filled);
  const knn::DataSet data{filled.values<float>(kRows), filled.values<int>(kLabels), shape.dims,
                          static_cast<std::int32_t>(shape.labels)};
  const auto queries = filled.values<float>(kQueries);
  const auto found = knn::nearest(data, queries, shape.k, 0);
  ASSERT_EQ(found.size(), shape.queries);
  for (std::size_t q = 0; q < found.size(); ++q) {
    std::vector<knn::Neighbour> all;
    for (std::uint32_t row = 0; row < shape.rows; ++row) {
      double sum = 0;
      for (std::size_t d = 0; d < shape.dims; ++d)
        sum +=
            std::pow(static_cast<double>(data.values[row * shape.dims + d] - queries[q * shape.dims + d]), 2);
      all.push_back({sum, row});
    }
    std::sort(all.begin(), all.end(), knn::is_nearer);
    ASSERT_EQ(found[q].size(), shape.k) << "what is as far away as the last of them has a higher row";
    EXPECT_TRUE(std::equal(found[q].begin(), found[q].end(), all.begin())) << q;
  }
}

}  // namespace
}  // namespace warpmark::knn_tests

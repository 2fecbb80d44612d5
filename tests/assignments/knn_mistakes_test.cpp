// Wrong labels as a mistake makes them, and what is said of them.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/knn/mistakes.h"

namespace warpmark::knn {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kRows = 200;
constexpr std::size_t kDims = 7;
constexpr std::size_t kQueries = 60;
constexpr std::size_t kNearest = 5;

class KnnMistakes : public testing::Test {
 protected:
  KnnMistakes() {
    std::uint32_t state = 1;
    const auto draw = [&](std::uint32_t below) {
      state = state * 1664525 + 1013904223;
      return (state >> 8) % below;
    };
    data.dims = kDims;
    data.label_count = 40;
    for (std::size_t i = 0; i < kRows * kDims; ++i) data.values.push_back(static_cast<float>(draw(255)));
    for (std::size_t i = 0; i < kRows; ++i) data.labels.push_back(static_cast<std::int32_t>(draw(40)));
    for (std::size_t i = 0; i < kQueries * kDims; ++i) queries.push_back(static_cast<float>(draw(255)));
  }

  // The k nearest rows to the query that begins at a value of `queries`.
  [[nodiscard]] std::vector<std::uint32_t> rows_at(std::size_t value, std::size_t k = kNearest) const {
    const auto found = nearest(data, std::span(queries).subspan(value, kDims), k, 0).front();
    std::vector<std::uint32_t> rows;
    for (const Neighbour& each : found) rows.push_back(each.row);
    return rows;
  }
  [[nodiscard]] std::int32_t label_of(const std::vector<std::uint32_t>& rows) const {
    std::vector<std::uint32_t> votes(40);
    for (const std::uint32_t row : rows) ++votes[static_cast<std::size_t>(data.labels[row])];
    return winner(votes);
  }
  // What is recognised of these labels, one per query.
  [[nodiscard]] Recognised found(const std::function<std::int32_t(std::size_t query)>& label) const {
    std::vector<std::int32_t> labels;
    for (std::size_t query = 0; query < kQueries; ++query) labels.push_back(label(query));
    return recognise({data, queries, kNearest, 0, labels});
  }

  DataSet data;
  std::vector<float> queries;
};

TEST_F(KnnMistakes, are_recognised_by_the_labels_that_they_give) {
  struct Row {
    std::string what;
    std::function<std::int32_t(std::size_t query)> label;
  };
  for (const Row& row : std::vector<Row>{
           {"only the nearest row votes", [&](std::size_t q) { return label_of(rows_at(q * kDims, 1)); }},
           {"k - 1 in place of k", [&](std::size_t q) { return label_of(rows_at(q * kDims, kNearest - 1)); }},
           {"k + 1 in place of k", [&](std::size_t q) { return label_of(rows_at(q * kDims, kNearest + 1)); }},
           {"the farthest rows vote",
            [&](std::size_t q) {
              const auto all = rows_at(q * kDims, kRows);
              return label_of({all.end() - kNearest, all.end()});
            }},
           {"the first k rows vote",
            [&](std::size_t) {
              return label_of({0, 1, 2, 3, 4});
            }},
           {"the number of the nearest row",
            [&](std::size_t q) { return static_cast<std::int32_t>(rows_at(q * kDims, 1).front()); }},
           {"numbered from 0 in each tile of 64",
            [&](std::size_t q) {
              auto rows = rows_at(q * kDims);
              for (std::uint32_t& each : rows) each %= 64;
              return label_of(rows);
            }},
           {"the last, partial share of the rows is left out",
            [&](std::size_t q) {
              auto rows = rows_at(q * kDims, kRows);
              std::erase_if(rows, [](std::uint32_t each) { return each >= 128; });
              rows.resize(kNearest);
              return label_of(rows);
            }},
           {"query q gets the label of query q + 1",
            [&](std::size_t q) { return q + 1 < kQueries ? label_of(rows_at((q + 1) * kDims)) : 0; }},
           {"those from query 30 on were computed from values 30, 31",
            [&](std::size_t q) { return label_of(rows_at(q < 30 ? q * kDims : 30 + (q - 30) * kDims)); }}}) {
    EXPECT_THAT(found(row.label).what, HasSubstr(row.what));
  }
}

TEST_F(KnnMistakes, are_none_in_right_labels_and_unknown_in_others) {
  EXPECT_THAT(found([&](std::size_t q) { return label_of(rows_at(q * kDims)); }).what, IsEmpty());
  EXPECT_THAT(found([&](std::size_t q) { return static_cast<std::int32_t>((q * 7919) % 40); }).what,
              IsEmpty());
}

TEST(KnnPlaces, of_wrong_labels_are_named_where_they_lie_together_at_one_end) {
  const std::vector<std::size_t> last{60, 61, 62, 64, 65};
  EXPECT_THAT(place_of(last, 66), HasSubstr("only queries 60 to 65 of 66 have wrong labels"));
  EXPECT_THAT(place_of(last, 1000), IsEmpty()) << "somewhere in the middle";
  EXPECT_THAT(place_of(std::vector<std::size_t>{1, 20, 65}, 66), IsEmpty());
}

}  // namespace
}  // namespace warpmark::knn

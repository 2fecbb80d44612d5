// knn: data sets, queries, and the labels that are right for them.
//
// The size of a case is the number of rows. Powers of two from 2^14 on are the ones that are timed: 16
// dimensions, 4096 queries, k = 8, 10 labels. For any other number dimensions, queries, k and labels follow
// from it, so that a rubric's sizes always cover the same ones: one dimension and many, k = 1 and k = rows,
// one label and many. 0 makes a small data set and no query.
//
// "exact": integers from -127 to 127. With up to 33 dimensions every squared distance, |x|^2 and x y is below
// 2^24, and no two of them have the same square root in single precision: nothing is rounded, and there is
// one right label. "ties": integers from 0 to 2, where most distances are equal to others.
//
// "random": uniform in [-1, 1]. Two rows whose distances are closer than single precision can tell may change
// places: a label is right if a rounding of the distances within the error bound gives it (see nearest.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/knn/nearest.h"
#include "harness/assignments/knn/usual_mistakes.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

namespace warpmark {
namespace {

using namespace knn;

constexpr std::size_t kRows = 0;  // buffers, in the order of the adapter
constexpr std::size_t kLabels = 1;
constexpr std::size_t kQueries = 2;
constexpr std::uint64_t kTimed = 1 << 14;  // rows; powers of two from here on
constexpr std::uint64_t kMany = 8192;      // rows, for which a shape is not too small to be of interest
constexpr std::uint64_t kWork = 1 << 18;   // queries x rows x (dims + k), about, but for timed cases
constexpr std::uint64_t kFewQueries = 4;   // that any case has
constexpr std::size_t kQueriesAtATime = 8;
constexpr std::size_t kNamed = 6;  // neighbours that a message names

struct Shape {
  std::uint64_t rows = 1;
  std::uint64_t dims = 1;
  std::uint64_t queries = 0;
  std::uint64_t k = 1;
  std::uint64_t labels = 1;
};

Shape shape_of(std::uint64_t n) {
  constexpr std::array<std::uint64_t, 11> kDims{16, 3, 1, 5, 4, 2, 33, 7, 8, 17, 13};
  constexpr std::array<std::uint64_t, 8> kNeighbours{1, 5, 8, 2, 3, 9, 17, ~std::uint64_t{0}};
  constexpr std::array<std::uint64_t, 5> kLabelCounts{3, 2, 10, 1, 100};
  constexpr std::array<std::uint64_t, 4> kQueryCounts{300, 33, 129, 7};
  if (n == 0) return {.rows = 5, .dims = 3, .queries = 0, .k = 2, .labels = 3};
  if (n >= kTimed && (n & (n - 1)) == 0)
    return {.rows = n, .dims = 16, .queries = 4096, .k = 8, .labels = 10};
  const auto draw = [&](std::uint64_t what, const auto& from) {
    return from[random_below(n, what, from.size())];
  };
  Shape shape{.rows = n,
              .dims = draw(0, kDims),
              .queries = draw(1, kQueryCounts),
              .k = std::min(draw(2, kNeighbours), n),
              .labels = draw(3, kLabelCounts)};
  if (n >= kMany) {
    shape.dims = std::max<std::uint64_t>(shape.dims, 4);
    shape.k = std::min<std::uint64_t>(shape.k, 17);
  }
  // Every neighbour has to be kept in order, so that many of them are work, too.
  const std::uint64_t work = shape.rows * (shape.dims + shape.k);
  shape.queries =
      std::clamp<std::uint64_t>(kWork / work, std::min(kFewQueries, shape.queries), shape.queries);
  return shape;
}

float value_of(const Case& which, std::uint64_t seed, std::uint64_t i) {
  const std::uint64_t bits = random_bits(seed, i);
  if (which.data == "random") return static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-31F;
  if (which.data == "ties") return static_cast<float>(bits % 3);
  return static_cast<float>(static_cast<int>(bits % 255) - 127);
}

std::shared_ptr<const DataSet> data_of(const Case& which, const Shape& shape) {
  auto data = std::make_shared<DataSet>();
  data->dims = shape.dims;
  data->label_count = static_cast<std::int32_t>(shape.labels);
  data->values.resize(shape.rows * shape.dims);
  data->labels.resize(shape.rows);
  for (std::uint64_t i = 0; i < data->values.size(); ++i)
    data->values[i] = value_of(which, which.seed ^ kRows, i);
  for (std::uint64_t i = 0; i < data->labels.size(); ++i)
    data->labels[i] = static_cast<std::int32_t>(random_below(which.seed ^ kLabels, i, shape.labels));
  return data;
}

class KnnProblem final : public Problem {
 public:
  // queries: of the data set's dimension; rounding: of squared distances, relative; 0: nothing is rounded.
  KnnProblem(const Case& which, std::shared_ptr<const DataSet> data, std::vector<float> queries,
             std::size_t k, double rounding)
      : case_(which),
        data_(std::move(data)),
        queries_(std::move(queries)),
        k_(k),
        rounding_(rounding),
        right_(queries_.size() / data_->dims) {}

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    const std::size_t offset = case_.shift * sizeof(float);
    const std::size_t queries = right_.size();
    const auto scratch = [](const char* name, std::size_t values) {
      return BufferSpec{.name = name, .role = Role::scratch, .bytes = values * sizeof(float)};
    };
    return {
        {.name = "rows",
         .role = Role::input,
         .bytes = data_->values.size() * sizeof(float),
         .offset = offset,
         .uploaded = true},
        {.name = "labels",
         .role = Role::input,
         .bytes = data_->rows() * sizeof(std::int32_t),
         .offset = offset},
        {.name = "queries",
         .role = Role::input,
         .bytes = queries_.size() * sizeof(float),
         .offset = offset,
         .patched = true},
        {.name = "answers", .role = Role::output, .bytes = queries * sizeof(std::int32_t), .offset = offset},
        scratch("work.distances", queries * k_),
        scratch("work.nearest", queries * k_),
        scratch("work.votes", queries * static_cast<std::size_t>(data_->label_count)),
        scratch("work.turned", data_->values.size()),
        scratch("work.row_distances", data_->rows()),
        scratch("work.row_numbers", data_->rows()),
        {.name = "work.more", .role = Role::scratch, .bytes = more_bytes()}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override {
    return {data_->rows(), data_->dims, right_.size(), k_, static_cast<std::uint64_t>(data_->label_count),
            more_bytes()};
  }

  void fill(std::size_t buffer, std::span<std::byte> target) override {
    if (target.empty()) return;
    if (buffer == kRows) std::memcpy(target.data(), data_->values.data(), target.size());
    if (buffer == kLabels) std::memcpy(target.data(), data_->labels.data(), target.size());
    if (buffer != kQueries) return;
    std::memcpy(target.data(), queries_.data(), target.size());
    in_parallel((right_.size() + kQueriesAtATime - 1) / kQueriesAtATime, std::thread::hardware_concurrency(),
                [&](std::size_t piece) {
                  const std::size_t first = piece * kQueriesAtATime;
                  answer(first, std::min(kQueriesAtATime, right_.size() - first));
                });
  }

  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    for (std::size_t q = 0; q < right_.size(); ++q) {
      const auto got = load_value<std::int32_t>(actual, q);
      if (std::ranges::find(right_[q], got) == right_[q].end()) return mismatch(q, got, actual);
    }
    return std::nullopt;
  }

  // Values of queries are drawn anew: each changes what is nearest to one query.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    std::vector<Patch> patches;
    if (queries_.empty()) return patches;
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t place = random_below(seed, i, queries_.size());
      queries_[place] = other_value(mix(seed), place);
      patches.push_back(patch_value(contents, place, queries_[place]));
      changed.push_back(place / data_->dims);
    }
    std::ranges::sort(changed);
    const auto same = std::ranges::unique(changed);
    changed.erase(same.begin(), same.end());
    in_parallel(changed.size(), std::thread::hardware_concurrency(),
                [&](std::size_t i) { answer(changed[i], 1); });
    return patches;
  }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<KnnProblem>(*this);
  }

 private:
  [[nodiscard]] std::size_t more_bytes() const { return 4096 * right_.size() + 65536; }
  [[nodiscard]] float other_value(std::uint64_t seed, std::uint64_t i) const {
    return value_of(case_, seed, i);
  }

  [[nodiscard]] std::span<const float> queries(std::size_t first, std::size_t count) const {
    return std::span(queries_).subspan(first * data_->dims, count * data_->dims);
  }
  void answer(std::size_t first, std::size_t count) {
    const auto found = nearest(*data_, queries(first, count), k_, rounding_);
    for (std::size_t i = 0; i < count; ++i)
      right_[first + i] = possible_labels(*data_, found[i], k_, rounding_);
  }

  [[nodiscard]] Mismatch mismatch(std::size_t query, std::int32_t got,
                                  std::span<const std::byte> actual) const {
    const auto found = nearest(*data_, queries(query, 1), k_, rounding_).front();
    std::string what = fmt::format("the label of query {} is wrong (k = {}; {} rows of {}, {}): ", query, k_,
                                   data_->rows(), count_of(data_->dims, "value"),
                                   count_of(static_cast<std::size_t>(data_->label_count), "label"));
    what += neighbours(found);
    if (got < 0 || got >= data_->label_count) {
      what += fmt::format("; {} is no label, those are from 0 to {}", got, data_->label_count - 1);
    } else if (const auto reason = usual_mistake(*data_, queries_, k_, answers(actual))) {
      what += "; " + *reason;
    }
    return {what, fmt::format("label {}", fmt::join(right_[query], " or ")), fmt::format("label {}", got)};
  }

  // "the nearest are row 4 (distance 1, label 2), ...; votes: 2 for label 2, 1 for label 0".
  [[nodiscard]] std::string neighbours(const std::vector<Neighbour>& found) const {
    std::string text = found.size() == 1 ? "the nearest is " : "the nearest are ";
    for (std::size_t i = 0; i < std::min(found.size(), kNamed); ++i) {
      text += fmt::format("{}row {} (distance {:.6g}, label {})", i == 0 ? "" : ", ", found[i].row,
                          std::sqrt(found[i].squared), data_->labels[found[i].row]);
    }
    if (found.size() > kNamed) text += fmt::format(" and {} more", found.size() - kNamed);
    if (found.size() > k_) {
      return text + fmt::format("; single precision cannot tell which {} of these {} are the nearest", k_,
                                found.size());
    }
    std::map<std::int32_t, std::size_t> votes;
    for (const Neighbour& each : found) ++votes[data_->labels[each.row]];
    std::vector<std::pair<std::size_t, std::int32_t>> most;
    for (const auto& [label, count] : votes) most.emplace_back(count, label);
    std::ranges::stable_sort(most, [](const auto& a, const auto& b) { return a.first > b.first; });
    if (most.size() > kNamed) most.resize(kNamed);
    text += "; votes:";
    for (std::size_t i = 0; i < most.size(); ++i)
      text += fmt::format("{} {} for label {}", i == 0 ? "" : ",", most[i].first, most[i].second);
    return text;
  }
  static std::string count_of(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
  }
  [[nodiscard]] std::vector<std::int32_t> answers(std::span<const std::byte> actual) const {
    std::vector<std::int32_t> all(right_.size());
    std::memcpy(all.data(), actual.data(), all.size() * sizeof all[0]);
    return all;
  }

  Case case_;
  std::shared_ptr<const DataSet> data_;
  std::vector<float> queries_;
  std::size_t k_;
  double rounding_;
  std::vector<std::vector<std::int32_t>> right_;  // labels of each query, ascending
};

class KnnAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    if (type == "float") return {"exact", "ties", "random"};
    return {};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    const Shape shape = shape_of(which.n);
    std::vector<float> queries(shape.queries * shape.dims);
    for (std::uint64_t i = 0; i < queries.size(); ++i) queries[i] = value_of(which, which.seed ^ kQueries, i);
    return std::make_unique<KnnProblem>(which, data_of(which, shape), std::move(queries), shape.k,
                                        which.data == "random" ? rounding_of(shape.dims) : 0);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "float" ? sizeof(float) : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_output"; }
};

}  // namespace

std::unique_ptr<Assignment> make_knn_assignment();
std::unique_ptr<Assignment> make_knn_assignment() {
  return std::make_unique<KnnAssignment>();
}

}  // namespace warpmark

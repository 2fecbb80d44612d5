// knn: data sets, queries, and their correct labels.
// | A case's size is the number of rows. Powers of two from 2^12 on are for timing: 16 dimensions, one query
// per 16 rows (at most 4096), k = 8, 10 labels. For any other number, dimensions, queries, k and labels are
// derived from it, so that a rubric's sizes always cover the same shapes: one dimension and many, k = 1 and k
// = rows, one label and many. Size 0 makes a small data set without queries.
// | "exact": integers from -127 to 127. With up to 65 dimensions every squared distance, |x|^2 and x y is
// below 2^22, and no two of them have the same square root in single precision: nothing is rounded, and
// exactly one label is right. "ties": integers from 0 to 2, so that most distances occur several times.
// | "random": uniform in [-1, 1]. Two rows whose distances differ by less than single precision can resolve
// may change places: a label is right if some rounding of the distances within the error bound gives it (see
// nearest.h).
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "explain.h"
#include "files.h"
#include "nearest.h"
#include "problem.h"
#include "warpmark/assignment.h"

namespace warpmark::knn {
namespace {

// Random streams of a test: seed ^ kLabels for labels, seed ^ kQueries for queries.
constexpr std::uint64_t kLabels = 1;
constexpr std::uint64_t kQueries = 2;
constexpr std::uint64_t kTimed = 1 << 12;  // row count; test cases with a power of two from here on are timed
constexpr std::uint64_t kRowsPerQuery = 16;
constexpr std::uint64_t kMostQueries = 4096;
// Number of rows from which on a test's shape has at least 4 dimensions and k at most 17.
constexpr std::uint64_t kMany = 2048;
// Approximate limit on queries x rows x (dims + k) of an untimed test case, so that tests stay fast.
constexpr std::uint64_t kWork = 1 << 17;
constexpr std::uint64_t kFewQueries = 4;  // least number of queries that a large test case is reduced to
// Upper limit on k in tests: keeping longer lists of neighbours sorted would dominate the time.
constexpr std::uint64_t kLongList = 300;

struct Shape {
  std::uint64_t rows = 1;
  std::uint64_t dims = 1;
  std::uint64_t queries = 0;
  std::uint64_t k = 1;
  std::uint64_t labels = 1;
};

Shape shape_of(std::uint64_t n) {
  constexpr std::array<std::uint64_t, 11> kDims{16, 3, 1, 5, 4, 2, 33, 7, 8, 65, 13};
  constexpr std::array<std::uint64_t, 8> kNeighbours{1, 5, 8, 2, 3, 9, 17, ~std::uint64_t{0}};
  constexpr std::array<std::uint64_t, 5> kLabelCounts{3, 2, 10, 1, 100};
  constexpr std::array<std::uint64_t, 4> kQueryCounts{130, 9, 129, 3};
  if (n == 0) return {.rows = 5, .dims = 3, .queries = 0, .k = 2, .labels = 3};
  if (n >= kTimed && (n & (n - 1)) == 0)
    return {
        .rows = n, .dims = 16, .queries = std::min(n / kRowsPerQuery, kMostQueries), .k = 8, .labels = 10};
  const auto draw = [&](std::uint64_t what, const auto& from) {
    return from[random_below(n, what, from.size())];
  };
  Shape shape{.rows = n,
              .dims = draw(0, kDims),
              .queries = draw(1, kQueryCounts),
              .k = std::min({draw(2, kNeighbours), n, kLongList}),
              .labels = draw(3, kLabelCounts)};
  if (n >= kMany) {
    shape.dims = std::max<std::uint64_t>(shape.dims, 4);
    shape.k = std::min<std::uint64_t>(shape.k, 17);
  }
  // The estimated work of a knn test counts k beside the dimensions, because keeping the k nearest sorted
  // costs time.
  const std::uint64_t work = shape.rows * (shape.dims + shape.k);
  // One query, so that a rank, a GPU or a thread has none.
  if (n == 1) shape.queries = 1;
  shape.queries =
      std::clamp<std::uint64_t>(kWork / work, std::min(kFewQueries, shape.queries), shape.queries);
  return shape;
}

float value_of(const std::string& data, std::uint64_t seed, std::uint64_t i) {
  const std::uint64_t bits = random_bits(seed, i);
  if (data == "random") return static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-31F;
  if (data == "ties") return static_cast<float>(bits % 3);
  return static_cast<float>(static_cast<int>(bits % 255) - 127);
}

std::shared_ptr<const DataSet> data_of(const Case& which, const Shape& shape) {
  auto data = std::make_shared<DataSet>();
  data->dims = shape.dims;
  data->label_count = static_cast<std::int32_t>(shape.labels);
  data->values.resize(shape.rows * shape.dims);
  data->labels.resize(shape.rows);
  for (std::uint64_t i = 0; i < data->values.size(); ++i)
    data->values[i] = value_of(which.data, which.seed, i);
  for (std::uint64_t i = 0; i < data->labels.size(); ++i)
    data->labels[i] = static_cast<std::int32_t>(random_below(which.seed ^ kLabels, i, shape.labels));
  return data;
}

class KnnAssignment : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    if (type == "float") return {"exact", "ties", "random"};
    return {};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    return make_problem(which.shift, task_for(which));
  }
  // Looks at the wrong answer itself first; other sizes may tell more.
  [[nodiscard]] std::optional<Explanation> explain(const Case& which, Experiment& experiment) const override {
    const auto explained = [&](const Case& other) {
      return explain_labels(task_for(other), other, experiment);
    };
    auto here = explained(which);
    if (here && !here->mistake.empty()) return here;
    for (const Size& size : experiment.sizes()) {
      auto found = explained(case_of(which.type, which.data, size, which.seed));
      if (found && !found->mistake.empty()) return found;
    }
    return here;
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "float" ? sizeof(float) : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_output"; }
  [[nodiscard]] Result<OwnData> with_files(const DataFiles& files) const override;
  [[nodiscard]] Result<std::vector<std::filesystem::path>> write_files(
      const DataShape& shape, const std::filesystem::path& folder) const override {
    return write_data(shape, folder);
  }

 protected:
  [[nodiscard]] virtual Task task_for(const Case& which) const {
    const Shape shape = shape_of(which.n);
    std::vector<float> queries(shape.queries * shape.dims);
    for (std::uint64_t i = 0; i < queries.size(); ++i)
      queries[i] = value_of(which.data, which.seed ^ kQueries, i);
    return {.data = data_of(which, shape),
            .queries = std::move(queries),
            .k = shape.k,
            .rounding = which.data == "random" ? rounding_of(shape.dims) : 0,
            .other_value = [data = which.data](std::uint64_t seed, std::uint64_t i) {
              return value_of(data, seed, i);
            }};
  }
};

// knn assignment on the user's data files: always returns the task read from the two files, whatever test
// case is requested.
class TaskOfFiles final : public KnnAssignment {
 public:
  explicit TaskOfFiles(Task task) : task_(std::move(task)) {}
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    if (type == "float") return {"files"};
    return {};
  }

 protected:
  [[nodiscard]] Task task_for(const Case& /*which*/) const override { return task_; }

 private:
  Task task_;
};

Result<OwnData> KnnAssignment::with_files(const DataFiles& files) const {
  auto task = task_of(files);
  if (!task) return tl::unexpected(task.error());
  const std::uint64_t rows = task->data->rows();
  return OwnData{std::make_unique<TaskOfFiles>(std::move(*task)), rows};
}

}  // namespace
}  // namespace warpmark::knn

WARPMARK_ASSIGNMENT(warpmark::knn::KnnAssignment)

#include "files.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/arff/arff.h"
#include "harness/assignments/random.h"

namespace warpmark::knn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUsualK = 5;
// Limit on |value|: the largest squared distance, 1024 dims x 4 x kLargest^2, must fit in a float.
constexpr float kLargest = 1e17F;
// integers up to 2^22 have distinct square roots in single precision
constexpr double kExactSquares = 0x1p22;
constexpr std::uint64_t kMostRows = (std::uint64_t{1} << 31) - 1;
constexpr std::size_t kBytesAtATime = 1 << 16;

Result<arff::Table> read(const fs::path& file) {
  std::ostringstream text;
  std::ifstream in(file, std::ios::binary);
  if (!(text << in.rdbuf()))
    return fail(fmt::format("{}: cannot be read; is it a file that is not empty, and may you read it?",
                            file.string()));
  auto table = arff::parse(text.str(), file.string());
  if (!table) return table;
  const auto large =
      std::ranges::find_if(table->values, [](float value) { return std::abs(value) > kLargest; });
  if (large != table->values.end())
    return fail(fmt::format(
        "{}: row {} holds {:g}; the squares of numbers above {:g} do not fit into a float: "
        "scale the attribute",
        file.string(), static_cast<std::size_t>(large - table->values.begin()) / table->columns + 1, *large,
        kLargest));
  return table;
}

// Returns true if all values in both data sets are integers so small that single precision computes every
// squared distance exactly.
bool is_exact(const arff::Table& train, const arff::Table& test) {
  float largest = 0;
  for (const auto* table : {&train, &test}) {
    for (const float value : table->values) {
      if (value != std::floor(value)) return false;
      largest = std::max(largest, std::abs(value));
    }
  }
  const double difference = 2 * static_cast<double>(largest);
  return static_cast<double>(train.columns) * difference * difference < kExactSquares;
}

// A value around `centre`, distributed as a sum of four uniforms, which approximates a normal distribution.
double cloud(std::uint64_t seed, std::uint64_t i, double centre) {
  double sum = 0;
  for (std::uint64_t term = 0; term < 4; ++term)
    sum += static_cast<double>(random_bits(seed, 4 * i + term) >> 11) * 0x1p-53 - 0.5;
  return centre + sum;
}

Result<void> write_table(const fs::path& file, const DataShape& shape, std::uint64_t rows,
                         std::uint64_t stream) {
  std::ofstream out(file, std::ios::binary);
  fmt::memory_buffer text;
  auto to = std::back_inserter(text);
  fmt::format_to(to, "% {} rows of {} numbers around {} centres, seed {}\n@relation knn\n", rows, shape.dims,
                 shape.labels, shape.seed);
  for (std::uint64_t d = 0; d < shape.dims; ++d) fmt::format_to(to, "@attribute x{} numeric\n", d);
  fmt::format_to(to, "@attribute class {{");
  for (std::uint64_t label = 0; label < shape.labels; ++label)
    fmt::format_to(to, "{}c{}", label == 0 ? "" : ",", label);
  fmt::format_to(to, "}}\n@data\n");
  const std::uint64_t centres = mix(shape.seed);
  const std::uint64_t values = mix(shape.seed + stream);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t label = random_below(~values, row, shape.labels);
    for (std::uint64_t d = 0; d < shape.dims; ++d) {
      const std::uint64_t centre = random_below(centres, label * shape.dims + d, 5);
      fmt::format_to(to, "{:.3f},", cloud(values, row * shape.dims + d, 0.5 * static_cast<double>(centre)));
    }
    fmt::format_to(to, "c{}\n", label);
    if (text.size() < kBytesAtATime) continue;
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  }
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    return fail(fmt::format("{}: cannot be written; is there room, and may you write there?", file.string()));
  return {};
}

}  // namespace

Result<Task> task_of(const DataFiles& files) {
  if (files.files.size() != 2)
    return fail(fmt::format("{} data files; knn takes two: --data TRAIN.arff TEST.arff", files.files.size()));
  const fs::path& train_file = files.files[0];
  const fs::path& test_file = files.files[1];
  auto train = read(train_file);
  if (!train) return tl::unexpected(train.error());
  auto test = read(test_file);
  if (!test) return tl::unexpected(test.error());
  if (const std::string difference = arff::difference(*train, *test); !difference.empty())
    return fail(
        fmt::format("{} and {} do not fit together: {}; both need the same attributes in the same order",
                    train_file.string(), test_file.string(), difference));
  const std::uint64_t rows = train->labels.size();
  const std::uint64_t k = files.k.value_or(std::min(kUsualK, rows));
  if (k == 0 || k > rows)
    return fail(fmt::format("--k {}: k is from 1 to the number of rows, and {} has {}", k,
                            train_file.string(), rows));
  auto data = std::make_shared<DataSet>();
  const double rounding = is_exact(*train, *test) ? 0 : rounding_of(train->columns);
  data->dims = train->columns;
  data->label_count = static_cast<std::int32_t>(train->label.values.size());
  data->values = std::move(train->values);
  data->labels = std::move(train->labels);
  // When a query's value is changed between timed calls, the new one comes from the same column of the data
  // set, so that queries stay realistic.
  const auto other_value = [data](std::uint64_t seed, std::uint64_t i) {
    return data->values[random_below(seed, i, data->rows()) * data->dims + i % data->dims];
  };
  return Task{.data = data,
              .queries = std::move(test->values),
              .k = k,
              .rounding = rounding,
              .other_value = other_value};
}

Result<std::vector<fs::path>> write_data(const DataShape& shape, const fs::path& folder) {
  for (const auto& [what, number] : {std::pair("rows", shape.rows), std::pair("queries", shape.queries)}) {
    if (number == 0 || number > kMostRows)
      return fail(fmt::format("{} {}; there are from 1 to {}", number, what, kMostRows));
  }
  if (shape.dims == 0 || shape.dims > arff::kMostColumns)
    return fail(fmt::format("{} dimensions; there are from 1 to {}", shape.dims, arff::kMostColumns));
  if (shape.labels == 0 || shape.labels > kMostRows)
    return fail(fmt::format("{} labels; there are from 1 to {}", shape.labels, kMostRows));
  const fs::path train = folder / "train.arff";
  const fs::path test = folder / "test.arff";
  if (auto written = write_table(train, shape, shape.rows, 1); !written)
    return tl::unexpected(written.error());
  if (auto written = write_table(test, shape, shape.queries, 2); !written)
    return tl::unexpected(written.error());
  return std::vector{train, test};
}

}  // namespace warpmark::knn

// The reference: nearest rows of a query in double precision, and the labels that a correct version may
// return.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpmark::knn {

// Data set of labelled rows, row-major: each row has `dims` values and one label.
struct DataSet {
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  std::size_t dims = 1;
  std::int32_t label_count = 1;
  [[nodiscard]] std::size_t rows() const { return labels.size(); }
};

struct Neighbour {
  double squared = 0;  // squared Euclidean distance from the row to the query
  std::uint32_t row = 0;
  bool operator==(const Neighbour&) const = default;
};
// Order of neighbours of a query: by distance; at equal distances, the row with the lower index is nearer.
bool is_nearer(const Neighbour& a, const Neighbour& b);

// Bound on the relative error of a squared distance in single precision: each difference is off by u, its
// square by 2 u + u, a sum of `dims` terms in any order by (dims - 1) u; and two square roots that round to
// the same number have squares that differ by up to 2 u. u = 2^-24.
double rounding_of(std::size_t dims);

// Returns, per query, the rows that can affect its label, from the nearest to the farthest: the k nearest,
// and every row that is among the k nearest after some rounding of the distances with a relative error of at
// most `rounding`. queries: dims values each. 1 <= k <= rows.
std::vector<std::vector<Neighbour>> nearest(const DataSet& data, std::span<const float> queries,
                                            std::size_t k, double rounding);

// Returns the labels, ascending, that the k nearest rows can give: one if rounding is 0, else one for each
// set of k rows that such a rounding of the distances can make the nearest. decisive: the result of nearest()
// for the query.
std::vector<std::int32_t> possible_labels(const DataSet& data, std::span<const Neighbour> decisive,
                                          std::size_t k, double rounding);

// Returns the label with the most votes; the lowest one on a tie.
std::int32_t winner(std::span<const std::uint32_t> votes);

}  // namespace warpmark::knn

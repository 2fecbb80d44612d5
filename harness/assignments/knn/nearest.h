// The nearest rows of a query, in double precision, and the labels that a right version may give for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpmark::knn {

// Rows of `dims` values and a label each.
struct DataSet {
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  std::size_t dims = 1;
  std::int32_t label_count = 1;
  [[nodiscard]] std::size_t rows() const { return labels.size(); }
};

struct Neighbour {
  double squared = 0;  // its distance
  std::uint32_t row = 0;
  bool operator==(const Neighbour&) const = default;
};
// The order of the contract.
bool is_nearer(const Neighbour& a, const Neighbour& b);

// How far a squared distance in single precision may be from the exact one, relative to that: each difference
// is off by u, its square by 2 u + u, a sum of `dims` terms in any order by (dims - 1) u; and two square
// roots that are rounded to the same number belong to squares that differ by 2 u. u = 2^-24.
double rounding_of(std::size_t dims);

// The neighbours that decide about each of `count` queries from `queries` on: the k nearest, and every row
// that belongs to the k nearest after some rounding of the distances by at most the relative error
// `rounding`. From the nearest to the farthest. 1 <= k <= rows.
std::vector<std::vector<Neighbour>> nearest(const DataSet& data, std::span<const float> queries,
                                            std::size_t k, double rounding);

// The labels that the k nearest give, ascending: one where nothing is rounded; with `rounding` all that
// belong to some k rows which such a rounding of the distances makes the nearest. `decisive` is what
// nearest() found.
std::vector<std::int32_t> possible_labels(const DataSet& data, std::span<const Neighbour> decisive,
                                          std::size_t k, double rounding);

// Of equal numbers of votes the lower label wins.
std::int32_t winner(std::span<const std::uint32_t> votes);

}  // namespace warpmark::knn

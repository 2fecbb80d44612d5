#include "nearest.h"

#include <algorithm>
#include <array>

namespace warpmark::knn {
namespace {

// Rows of the data set processed together, so that the compiler vectorises over them.
constexpr std::size_t kTile = 128;
constexpr std::size_t kTogether = 8;  // queries processed with one transposed tile of rows
constexpr double kUnit = 0x1p-24 * 1.001;

// Absolute error bound for flushed denormals: each of at most 1024 squared differences below 2^-126 may
// become 0.
constexpr double kUnderflow = 1024 * 0x1p-126;

double lower(double squared, double rounding) {
  return rounding == 0 ? squared : squared * (1 - rounding) - kUnderflow;
}
double upper(double squared, double rounding) {
  return rounding == 0 ? squared : squared * (1 + rounding) + kUnderflow;
}

// Neighbours of one query found so far.
class Found {
 public:
  Found(std::size_t k, double rounding) : k_(k), rounding_(rounding) {}

  void offer(const std::array<double, kTile>& squared, std::size_t count, std::size_t first_row) {
    for (std::size_t i = 0; i < count; ++i) {
      if (all_.size() >= k_ && lower(squared[i], rounding_) > bound_) continue;
      all_.push_back({squared[i], static_cast<std::uint32_t>(first_row + i)});
      if (all_.size() >= 4 * k_ + kTile || all_.size() == k_) forget_the_far_ones();
    }
  }
  std::vector<Neighbour> sorted() {
    forget_the_far_ones();
    std::sort(all_.begin(), all_.end(), is_nearer);
    // With exact distances k neighbours suffice: rows come in ascending order, so a later row at an equal
    // distance is not nearer.
    if (rounding_ == 0) all_.resize(k_);
    return std::move(all_);
  }

 private:
  void forget_the_far_ones() {
    if (all_.size() < k_) return;
    const auto last = all_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(all_.begin(), last, all_.end(), is_nearer);
    bound_ = upper(last->squared, rounding_);
    std::erase_if(all_, [&](const Neighbour& each) { return lower(each.squared, rounding_) > bound_; });
  }

  std::size_t k_;
  double rounding_;
  // Largest distance at which a row can still affect a query's label; valid once k neighbours are known.
  double bound_ = 0;
  std::vector<Neighbour> all_;
};

// A transposed tile of rows: the values of one dimension are contiguous.
class Tile {
 public:
  explicit Tile(std::size_t dims) : dims_(dims), values_(dims * kTile) {}

  void take(const DataSet& data, std::size_t first_row, std::size_t count) {
    for (std::size_t d = 0; d < dims_; ++d) {
      for (std::size_t i = 0; i < count; ++i)
        values_[d * kTile + i] = static_cast<double>(data.values[(first_row + i) * dims_ + d]);
    }
  }
  [[nodiscard]] std::array<double, kTile> squared_distances(const float* query) const {
    std::array<double, kTile> sums{};
    for (std::size_t d = 0; d < dims_; ++d) {
      const auto value = static_cast<double>(query[d]);
      const double* of_rows = values_.data() + d * kTile;
      for (std::size_t i = 0; i < kTile; ++i) sums[i] += (of_rows[i] - value) * (of_rows[i] - value);
    }
    return sums;
  }

 private:
  std::size_t dims_;
  std::vector<double> values_;
};

// Majority vote of k neighbours, `missing` of which rounding decides: returns true if `label` can win when
// these are chosen freely from the optional rows and vote beside the certain ones.
bool can_win(std::int32_t label, std::span<const std::uint32_t> certain,
             std::span<const std::uint32_t> optional, std::uint64_t missing) {
  const auto own = static_cast<std::size_t>(label);
  // Best case for a label in the vote: of the optional rows (neighbours only under some roundings), as many
  // as possible with this label are chosen.
  const std::uint64_t mine = std::min<std::uint64_t>(optional[own], missing);
  const std::uint64_t votes = certain[own] + mine;
  std::uint64_t room = 0;  // number of optional rows of other labels that may vote without defeating `label`
  for (std::size_t other = 0; other < certain.size(); ++other) {
    if (other == own) continue;
    const bool wins_a_draw = own < other;
    if (votes == 0 && !wins_a_draw) return false;
    const std::uint64_t most = wins_a_draw ? votes : votes - 1;
    if (certain[other] > most) return false;
    room += std::min<std::uint64_t>(optional[other], most - certain[other]);
  }
  return room >= missing - mine;
}

}  // namespace

bool is_nearer(const Neighbour& a, const Neighbour& b) {
  return a.squared < b.squared || (a.squared == b.squared && a.row < b.row);
}

double rounding_of(std::size_t dims) {
  return (static_cast<double>(dims) + 4) * kUnit;
}

std::vector<std::vector<Neighbour>> nearest(const DataSet& data, std::span<const float> queries,
                                            std::size_t k, double rounding) {
  const std::size_t count = queries.size() / data.dims;
  std::vector<std::vector<Neighbour>> all;
  all.reserve(count);
  Tile tile(data.dims);
  for (std::size_t first = 0; first < count; first += kTogether) {
    const std::size_t end = std::min(first + kTogether, count);
    std::vector<Found> found(end - first, Found(k, rounding));
    for (std::size_t row = 0; row < data.rows(); row += kTile) {
      const std::size_t rows = std::min(kTile, data.rows() - row);
      tile.take(data, row, rows);
      for (std::size_t q = first; q < end; ++q)
        found[q - first].offer(tile.squared_distances(queries.data() + q * data.dims), rows, row);
    }
    for (Found& each : found) all.push_back(each.sorted());
  }
  return all;
}

std::int32_t winner(std::span<const std::uint32_t> votes) {
  return static_cast<std::int32_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

// The k nearest rows under some rounding are those below a threshold. It suffices to try the lower ends of
// the rows' intervals as thresholds: rows whose interval ends below it are certain, rows whose interval
// begins below it are possible.
std::vector<std::int32_t> possible_labels(const DataSet& data, std::span<const Neighbour> decisive,
                                          std::size_t k, double rounding) {
  const auto labels = static_cast<std::size_t>(data.label_count);
  std::vector<std::uint32_t> certain(labels);
  const auto vote = [&](std::vector<std::uint32_t>& votes, std::size_t i, std::uint32_t by) {
    votes[static_cast<std::size_t>(data.labels[decisive[i].row])] += by;
  };
  if (rounding == 0 || decisive.size() == k) {
    for (std::size_t i = 0; i < k; ++i) vote(certain, i, 1);
    return {winner(certain)};
  }
  std::vector<std::uint32_t> optional(labels);
  std::vector<bool> possible(labels);
  std::size_t certain_count = 0;
  for (std::size_t last = 0; last < decisive.size(); ++last) {
    vote(optional, last, 1);
    const double threshold = lower(decisive[last].squared, rounding);
    while (certain_count < last && upper(decisive[certain_count].squared, rounding) < threshold) {
      vote(optional, certain_count, static_cast<std::uint32_t>(-1));
      vote(certain, certain_count++, 1);
    }
    if (last + 1 < k || certain_count > k) continue;
    for (std::size_t label = 0; label < labels; ++label) {
      if (!possible[label])
        possible[label] = can_win(static_cast<std::int32_t>(label), certain, optional, k - certain_count);
    }
  }
  std::vector<std::int32_t> found;
  for (std::size_t label = 0; label < labels; ++label) {
    if (possible[label]) found.push_back(static_cast<std::int32_t>(label));
  }
  return found;
}

}  // namespace warpmark::knn

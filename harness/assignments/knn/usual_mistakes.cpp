#include "usual_mistakes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

namespace warpmark::knn {
namespace {

// Limit on queries x rows x dims above which wrong knn answers are not explained, because trying the usual
// mistakes would take too long.
constexpr std::size_t kMostWork = std::size_t{1} << 24;

using Neighbours = std::vector<Neighbour>;
using Votes = std::vector<std::uint32_t>;

// A data set and its queries, searched with rules that differ from the assignment's (another k, another order
// of ties), to recognise usual mistakes.
class Search {
 public:
  Search(const DataSet& data, std::span<const float> queries, std::size_t k,
         std::span<const std::int32_t> answers)
      : data_(data), queries_(queries), k_(k), answers_(answers) {}

  [[nodiscard]] std::optional<std::string> reason() const {
    if (k_ > 1 && gives([&](std::size_t q) { return winner(votes(euclidean(q), k_ - 1)); }))
      return fmt::format("all answers are those of k - 1 = {} neighbours", k_ - 1);
    if (k_ < data_.rows() && gives([&](std::size_t q) { return winner(votes(euclidean(q), k_ + 1)); }))
      return fmt::format("all answers are those of k + 1 = {} neighbours", k_ + 1);
    if (gives([&](std::size_t q) { return last_winner(votes(euclidean(q), k_)); }))
      return "all answers are those of a vote in which the highest label wins a draw; the lowest has to";
    if (gives([&](std::size_t q) { return winner(votes(sorted(q, squares, higher_row_first), k_)); }))
      return "all answers are those of a search that prefers the higher row where distances are equal; the "
             "lower one is nearer";
    if (gives([&](std::size_t q) { return nearest_winner(euclidean(q)); }))
      return "all answers are those of a vote in which the label of the nearest row wins a draw; the lowest "
             "label has to";
    return others();
  }

 private:
  using Term = double (*)(double);
  using Order = bool (*)(const Neighbour&, const Neighbour&);
  static double squares(double difference) { return difference * difference; }
  static double sizes(double difference) { return std::abs(difference); }
  static bool higher_row_first(const Neighbour& a, const Neighbour& b) {
    return a.squared < b.squared || (a.squared == b.squared && a.row > b.row);
  }
  static bool farther(const Neighbour& a, const Neighbour& b) {
    return a.squared > b.squared || (a.squared == b.squared && a.row < b.row);
  }

  [[nodiscard]] std::optional<std::string> others() const {
    if (gives([&](std::size_t q) { return winner(votes(sorted(q, sizes, is_nearer), k_)); }))
      return "all answers are those of sums of |differences|; the Euclidean distance sums their squares";
    if (gives([&](std::size_t q) { return winner(votes(whole_distances(q), k_)); }))
      return "all answers are those of distances cut off to whole numbers; keep them in a float";
    if (data_.dims > 1 &&
        gives([&](std::size_t q) { return winner(votes(sorted(q, squares, is_nearer, 1), k_)); }))
      return fmt::format("all answers are those of rows without their last value, number {}", data_.dims - 1);
    if (data_.rows() > k_ && gives([&](std::size_t q) { return without_row(q, data_.rows() - 1); }))
      return fmt::format("all answers are those of a search that leaves out the last row, number {}",
                         data_.rows() - 1);
    if (data_.rows() > k_ && gives([&](std::size_t q) { return without_row(q, 0); }))
      return "all answers are those of a search that leaves out row 0";
    if (gives([&](std::size_t q) { return winner(votes(sorted(q, squares, farther), k_)); }))
      return "all answers are those of the farthest rows";
    if (Votes kept(labels()); gives([&](std::size_t q) { return winner(add_votes(kept, euclidean(q), k_)); }))
      return "all answers are those of votes that are not set to zero between the queries";
    if (answers_.size() > 1 && gives([&](std::size_t /*q*/) { return answers_[0]; }))
      return fmt::format("all answers are {}", answers_[0]);
    return std::nullopt;
  }

  [[nodiscard]] bool gives(const std::function<std::int32_t(std::size_t)>& label) const {
    for (std::size_t q = 0; q < answers_.size(); ++q) {
      if (label(q) != answers_[q]) return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t labels() const { return static_cast<std::size_t>(data_.label_count); }

  [[nodiscard]] Neighbours sorted(std::size_t query, Term term, Order order,
                                  std::size_t left_out_dims = 0) const {
    Neighbours all;
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      double sum = 0;
      for (std::size_t d = 0; d + left_out_dims < data_.dims; ++d)
        sum += term(static_cast<double>(data_.values[row * data_.dims + d]) -
                    static_cast<double>(queries_[query * data_.dims + d]));
      all.push_back({sum, static_cast<std::uint32_t>(row)});
    }
    std::sort(all.begin(), all.end(), order);
    return all;
  }
  [[nodiscard]] Neighbours euclidean(std::size_t query) const { return sorted(query, squares, is_nearer); }
  [[nodiscard]] Neighbours whole_distances(std::size_t query) const {
    Neighbours all = euclidean(query);
    for (Neighbour& each : all) each.squared = std::floor(std::sqrt(each.squared));
    std::sort(all.begin(), all.end(), is_nearer);
    return all;
  }

  Votes& add_votes(Votes& counts, const Neighbours& neighbours, std::size_t k) const {
    for (std::size_t i = 0; i < k; ++i) ++counts[static_cast<std::size_t>(label_of(neighbours[i]))];
    return counts;
  }
  [[nodiscard]] Votes votes(const Neighbours& neighbours, std::size_t k) const {
    Votes counts(labels());
    return add_votes(counts, neighbours, k);
  }
  [[nodiscard]] std::int32_t without_row(std::size_t query, std::size_t row) const {
    Neighbours all = euclidean(query);
    std::erase_if(all, [&](const Neighbour& each) { return each.row == row; });
    return winner(votes(all, k_));
  }
  [[nodiscard]] static std::int32_t last_winner(const Votes& counts) {
    return static_cast<std::int32_t>(counts.rend() - std::max_element(counts.rbegin(), counts.rend()) - 1);
  }
  [[nodiscard]] std::int32_t nearest_winner(const Neighbours& neighbours) const {
    const Votes counts = votes(neighbours, k_);
    const std::uint32_t most = *std::max_element(counts.begin(), counts.end());
    for (const Neighbour& each : neighbours) {
      if (counts[static_cast<std::size_t>(label_of(each))] == most) return label_of(each);
    }
    return 0;
  }
  [[nodiscard]] std::int32_t label_of(const Neighbour& neighbour) const {
    return data_.labels[neighbour.row];
  }

  const DataSet& data_;
  std::span<const float> queries_;
  std::size_t k_;
  std::span<const std::int32_t> answers_;
};

}  // namespace

std::optional<std::string> usual_mistake(const DataSet& data, std::span<const float> queries, std::size_t k,
                                         std::span<const std::int32_t> answers) {
  if (queries.size() * data.rows() > kMostWork) return std::nullopt;
  return Search(data, queries, k, answers).reason();
}

}  // namespace warpmark::knn

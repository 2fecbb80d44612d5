#include "mistakes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace warpmark::knn {
namespace {

// Most wrong and most right queries that a mistake is held against. Their labels have to tell that much, in
// bits, for a match to be no chance.
constexpr std::size_t kMostHeld = 20;
constexpr double kFewestBits = 10;
constexpr std::size_t kFewestWrong = 3;
constexpr std::size_t kMostSortedRows = 5000;  // all distances of larger data sets take too long
// Most numbers, such as the rows of a tile, that are tried for a mistake.
constexpr std::size_t kMostNumbers = 4096;

using Distance = double (*)(std::span<const float> row, std::span<const float> query);

double squared(std::span<const float> row, std::span<const float> query) {
  double sum = 0;
  for (std::size_t d = 0; d < query.size(); ++d) {
    const double difference = static_cast<double>(row[d]) - static_cast<double>(query[d]);
    sum += difference * difference;
  }
  return sum;
}
double absolute(std::span<const float> row, std::span<const float> query) {
  double sum = 0;
  for (std::size_t d = 0; d < query.size(); ++d)
    sum += std::abs(static_cast<double>(row[d]) - static_cast<double>(query[d]));
  return sum;
}
double without_last(std::span<const float> row, std::span<const float> query) {
  return squared(row.first(row.size() - 1), query.first(query.size() - 1));
}
double without_first(std::span<const float> row, std::span<const float> query) {
  return squared(row.subspan(1), query.subspan(1));
}
double of_differences(std::span<const float> row, std::span<const float> query) {
  double sum = 0;
  for (std::size_t d = 0; d < query.size(); ++d)
    sum += static_cast<double>(row[d]) - static_cast<double>(query[d]);
  return sum;
}

// The rows from the nearest to the farthest, for each query that is held against.
class Neighbourhood {
 public:
  explicit Neighbourhood(const Answers& answers) : answers_(answers) {}

  [[nodiscard]] std::span<const float> query_at(std::size_t value) const {
    const std::size_t dims = answers_.data.dims;
    return value + dims <= answers_.queries.size() ? answers_.queries.subspan(value, dims)
                                                   : std::span<const float>();
  }
  [[nodiscard]] std::vector<Neighbour> sorted(std::span<const float> query, Distance distance) const {
    const DataSet& data = answers_.data;
    std::vector<Neighbour> all;
    for (std::size_t row = 0; row < data.rows(); ++row)
      all.push_back({distance(std::span(data.values).subspan(row * data.dims, data.dims), query),
                     static_cast<std::uint32_t>(row)});
    std::ranges::sort(all, is_nearer);
    return all;
  }
  // Returns the rows of a query of the task, kept from call to call.
  const std::vector<Neighbour>& of(std::size_t query) {
    auto [place, is_new] = known_.try_emplace(query);
    if (is_new) place->second = sorted(query_at(query * answers_.data.dims), squared);
    return place->second;
  }

 private:
  const Answers& answers_;
  std::map<std::size_t, std::vector<Neighbour>> known_;
};

// Returns how many votes each label gets of the first `count` rows. `row_of`: which row votes in place of
// one.
std::vector<std::uint32_t> votes_of(const Answers& answers, const std::vector<Neighbour>& rows,
                                    std::size_t count,
                                    const std::function<std::size_t(std::size_t)>& row_of = {}) {
  std::vector<std::uint32_t> votes(static_cast<std::size_t>(answers.data.label_count));
  for (std::size_t i = 0; i < std::min(count, rows.size()); ++i) {
    const std::size_t row = row_of ? row_of(rows[i].row) : rows[i].row;
    ++votes[static_cast<std::size_t>(answers.data.labels[row])];
  }
  return votes;
}
std::int32_t elected(const Answers& answers, const std::vector<Neighbour>& rows, std::size_t count) {
  return winner(votes_of(answers, rows, count));
}

// Returns the list of k rows that one by one are put in front of those at the same distance, unless the list
// is full of nearer or equal ones.
std::vector<Neighbour> in_front_of_equals(std::vector<Neighbour> rows, std::size_t k) {
  std::ranges::sort(rows, {}, &Neighbour::row);
  std::vector<Neighbour> list;
  for (const Neighbour& each : rows) {
    if (list.size() == k && list.back().squared <= each.squared) continue;
    if (list.size() == k) list.pop_back();
    list.insert(std::ranges::lower_bound(list, each.squared, {}, &Neighbour::squared), each);
  }
  return list;
}

// The queries that mistakes are held against.
struct Held {
  std::vector<std::size_t> wrong;
  std::vector<std::size_t> all;  // those and some right ones
};

using Label = std::function<std::optional<std::int32_t>(std::size_t query)>;

// Returns true if a mistake gives the labels of all queries held against for which it says one.
bool gives_the_labels(const Answers& answers, const Held& held, const Label& label) {
  std::size_t said = 0;
  for (const std::size_t query : held.all) {
    const auto given = label(query);
    if (given && *given != answers.labels[query]) return false;
    said += given ? 1 : 0;
  }
  return 2 * said > held.all.size();
}

// A mistake without a number in it.
struct Mistake {
  std::string_view what;
  std::string_view name;
  std::optional<std::int32_t> (*label)(const Answers& answers, Neighbourhood& rows, std::size_t query);
  bool rows_at_fault = false;
};

std::optional<std::int32_t> by_distance(const Answers& answers, const Neighbourhood& rows, std::size_t query,
                                        Distance distance) {
  return elected(answers, rows.sorted(rows.query_at(query * answers.data.dims), distance), answers.k);
}

constexpr std::array kMistakes{
    Mistake{"only the nearest row votes", "wrong_operator",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return std::optional(elected(a, rows.of(q), 1));
            }},
    Mistake{"one row too few votes: k - 1 in place of k", "wrong_constant",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return a.k == 1 ? std::nullopt : std::optional(elected(a, rows.of(q), a.k - 1));
            }},
    Mistake{"one row too many votes: k + 1 in place of k", "wrong_constant",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return std::optional(elected(a, rows.of(q), a.k + 1));
            }},
    Mistake{
        "the farthest rows vote in place of the nearest: a comparison of distances is the wrong way round",
        "wrong_comparison",
        [](const Answers& a, Neighbourhood& rows, std::size_t q) {
          auto reversed = rows.of(q);
          std::ranges::reverse(reversed);
          return std::optional(elected(a, reversed, a.k));
        },
        true},
    Mistake{
        "the first k rows vote, whatever their distances are: sort all rows, or compare each with the list",
        "wrong_index",
        [](const Answers& a, Neighbourhood& /*rows*/, std::size_t /*q*/) {
          std::vector<Neighbour> first;
          for (std::size_t row = 0; row < a.k; ++row) first.push_back({0, static_cast<std::uint32_t>(row)});
          return std::optional(elected(a, first, a.k));
        },
        true},
    Mistake{"of labels with equally many votes the highest wins: the lowest should", "ties",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              const auto votes = votes_of(a, rows.of(q), a.k);
              const auto last = std::max_element(votes.rbegin(), votes.rend());
              return std::optional(static_cast<std::int32_t>(votes.rend() - last - 1));
            }},
    Mistake{"of labels with equally many votes that of the nearest row wins: the lowest label should", "ties",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              const auto votes = votes_of(a, rows.of(q), a.k);
              const std::uint32_t most = std::ranges::max(votes);
              for (const Neighbour& each : rows.of(q)) {
                const std::int32_t label = a.data.labels[each.row];
                if (votes[static_cast<std::size_t>(label)] == most) return std::optional(label);
              }
              return std::optional<std::int32_t>();
            }},
    Mistake{"of rows at equal distances the later one counts as nearer: the earlier one should", "ties",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              auto later_first = rows.of(q);
              std::ranges::sort(later_first, [](const Neighbour& one, const Neighbour& other) {
                return one.squared < other.squared || (one.squared == other.squared && one.row > other.row);
              });
              return std::optional(elected(a, later_first, a.k));
            },
            true},
    Mistake{"a row at the same distance as earlier ones is put in front of them: it should come behind them",
            "ties",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return std::optional(elected(a, in_front_of_equals(rows.of(q), a.k), a.k));
            },
            true},
    Mistake{"the answer is the number of the nearest row: it should be a label, labels[row]", "wrong_buffer",
            [](const Answers& /*a*/, Neighbourhood& rows, std::size_t q) {
              return std::optional(static_cast<std::int32_t>(rows.of(q).front().row));
            }},
    Mistake{"the answer is how many votes the label got, not the label", "wrong_buffer",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return std::optional(static_cast<std::int32_t>(std::ranges::max(votes_of(a, rows.of(q), a.k))));
            }},
    Mistake{"the distances are sums of the differences without their squares: positive and negative ones "
            "cancel out",
            "wrong_operator",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return by_distance(a, rows, q, of_differences);
            },
            true},
    Mistake{"the distances are sums of absolute differences, not of their squares", "wrong_operator",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return by_distance(a, rows, q, absolute);
            },
            true},
    Mistake{"the last value of each row is left out of the distance", "lost",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return by_distance(a, rows, q, without_last);
            },
            true},
    Mistake{"the first value of each row is left out of the distance", "lost",
            [](const Answers& a, Neighbourhood& rows, std::size_t q) {
              return by_distance(a, rows, q, without_first);
            },
            true},
};

// A mistake with a number in it, `from` to `to` of which are tried.
struct Numbered {
  std::size_t from = 0;
  std::size_t to = 0;
  std::function<std::optional<std::int32_t>(std::size_t number, std::size_t query)> label;
  std::function<std::string(std::size_t number)> what;
  std::string_view name;
  bool rows_at_fault = false;
};

// Returns the votes of the nearest rows among those that `keeps` accepts.
template <class Keeps>
std::optional<std::int32_t> elected_among(const Answers& answers, const std::vector<Neighbour>& rows,
                                          Keeps keeps) {
  std::vector<Neighbour> kept;
  for (const Neighbour& each : rows) {
    if (kept.size() == answers.k) break;
    if (keeps(each.row)) kept.push_back(each);
  }
  return elected(answers, kept, answers.k);
}

std::vector<Numbered> numbered_mistakes(const Answers& answers, Neighbourhood& rows, const Held& held) {
  const std::size_t row_count = answers.data.rows();
  const std::size_t dims = answers.data.dims;
  const std::size_t queries = answers.labels.size();
  const std::size_t first_wrong = held.wrong.front();
  const auto at_value = [&answers, &rows](std::size_t value) -> std::optional<std::int32_t> {
    const auto query = rows.query_at(value);
    if (query.empty()) return std::nullopt;
    return elected(answers, rows.sorted(query, squared), answers.k);
  };
  return {
      {2, std::min(row_count - 1, kMostNumbers),
       [&answers, &rows](std::size_t tile, std::size_t q) {
         const auto votes =
             votes_of(answers, rows.of(q), answers.k, [&](std::size_t row) { return row % tile; });
         return std::optional(winner(votes));
       },
       [](std::size_t tile) {
         return fmt::format(
             "the rows are numbered from 0 in each tile of {0}: row {0} counts as row 0. Add the "
             "number of the tile's first row to that within the tile",
             tile);
       },
       "wrong_index", true},
      {1, std::min(row_count - 1, kMostNumbers),
       [&answers, &rows](std::size_t count, std::size_t q) {
         return elected_among(answers, rows.of(q), [&](std::uint32_t row) { return row < count; });
       },
       [row_count](std::size_t count) {
         return fmt::format(
             "no row from about row {} of {} on becomes a neighbour: the last, partial share of "
             "the rows is left out",
             count, row_count);
       },
       "tail", true},
      {1, std::min(row_count - 1, kMostNumbers),
       [&answers, &rows](std::size_t count, std::size_t q) {
         return elected_among(answers, rows.of(q), [&](std::uint32_t row) { return row >= count; });
       },
       [](std::size_t count) {
         return count == 1 ? std::string("row 0 never becomes a neighbour")
                           : fmt::format(
                                 "no row before about row {} becomes a neighbour: the first ones are "
                                 "left out, or dropped by a later share of the rows",
                                 count);
       },
       "head", true},
      {1, queries - 1, [at_value, dims](std::size_t by, std::size_t q) { return at_value((q + by) * dims); },
       [](std::size_t by) { return fmt::format("query q gets the label of query q + {}", by); }, "shifted"},
      {1, queries - 1,
       [at_value, dims](std::size_t by, std::size_t q) {
         return q < by ? std::nullopt : at_value((q - by) * dims);
       },
       [](std::size_t by) { return fmt::format("query q gets the label of query q - {}", by); }, "shifted"},
      // The first wrong one may be right by chance.
      {first_wrong < 4 ? 1 : first_wrong - 3, first_wrong,
       [at_value, dims](std::size_t share, std::size_t q) {
         return q < share ? at_value(q * dims) : at_value(share + (q - share) * dims);
       },
       [dims](std::size_t share) {
         return fmt::format(
             "those from query {0} on were computed from values {0}, {1}, ... of `queries`, in "
             "place of {0} * {2}: query {0} begins there. Where a share of the queries is copied "
             "or sent, as by `MPI_Scatterv`, its displacement and its size count values, queries * dims",
             share, share + 1, dims);
       },
       "wrong_factor"},
  };
}

Held held_against(const Answers& answers, const std::vector<std::size_t>& wrong) {
  Held held;
  // The first and the last ones, and those between, evenly.
  const auto some_of = [](const std::vector<std::size_t>& from, std::vector<std::size_t>& to) {
    const std::size_t count = std::min(from.size(), kMostHeld);
    for (std::size_t i = 0; i < count; ++i)
      to.push_back(from[i * (from.size() - 1) / std::max<std::size_t>(count - 1, 1)]);
  };
  some_of(wrong, held.wrong);
  std::vector<std::size_t> right;
  for (std::size_t query = 0; query < answers.labels.size(); ++query) {
    if (!std::ranges::binary_search(wrong, query)) right.push_back(query);
  }
  held.all = held.wrong;
  if (!right.empty()) some_of(right, held.all);
  return held;
}

}  // namespace

std::vector<std::size_t> wrong_queries(const Answers& answers) {
  const auto found = nearest(answers.data, answers.queries, answers.k, answers.rounding);
  std::vector<std::size_t> wrong;
  for (std::size_t query = 0; query < found.size(); ++query) {
    const auto right = possible_labels(answers.data, found[query], answers.k, answers.rounding);
    if (std::ranges::find(right, answers.labels[query]) == right.end()) wrong.push_back(query);
  }
  return wrong;
}

Recognised recognise(const Answers& answers) {
  if (answers.data.rows() < 2 || answers.data.rows() > kMostSortedRows) return {};
  const auto wrong = wrong_queries(answers);
  if (wrong.size() < kFewestWrong) return {};
  const Held held = held_against(answers, wrong);
  const double bits = static_cast<double>(held.all.size()) * std::log2(answers.data.label_count);
  if (bits < kFewestBits) return {};
  Neighbourhood rows(answers);
  for (const Mistake& mistake : kMistakes) {
    const Label label = [&](std::size_t query) { return mistake.label(answers, rows, query); };
    if (gives_the_labels(answers, held, label))
      return {std::string(mistake.what), mistake.name, mistake.rows_at_fault};
  }
  for (const Numbered& mistake : numbered_mistakes(answers, rows, held)) {
    for (std::size_t number = mistake.from; number <= mistake.to; ++number) {
      const Label label = [&](std::size_t query) { return mistake.label(number, query); };
      if (gives_the_labels(answers, held, label))
        return {mistake.what(number), mistake.name, mistake.rows_at_fault};
    }
  }
  return {};
}

std::string place_of(std::span<const std::size_t> wrong, std::size_t queries) {
  if (wrong.size() < kFewestWrong) return {};
  const std::size_t first = wrong.front();
  const std::size_t last = wrong.back();
  const bool dense = 2 * wrong.size() > last - first + 1;
  const bool at_an_edge = first == 0 || last + 1 == queries;
  if (!dense || !at_an_edge || 4 * (last - first + 1) > 3 * queries) return {};
  return fmt::format(
      "only queries {} to {} of {} have wrong labels: look at the block, the thread or the rank "
      "that begins or ends there",
      first, last, queries);
}

}  // namespace warpmark::knn

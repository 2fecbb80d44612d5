#include "problem.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/bytes.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

namespace warpmark::knn {
namespace {

constexpr std::size_t kQueriesAtATime = 8;
constexpr std::size_t kNamed = 6;  // maximum number of neighbours that a message about a wrong label lists

class KnnProblem final : public Problem {
 public:
  KnnProblem(std::uint64_t shift, Task task)
      : shift_(shift),
        data_(std::move(task.data)),
        queries_(std::move(task.queries)),
        k_(task.k),
        rounding_(task.rounding),
        other_value_(std::move(task.other_value)),
        right_(queries_.size() / data_->dims) {}

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    const std::size_t offset = shift_ * sizeof(float);
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
    if (buffer == kRowsBuffer) std::memcpy(target.data(), data_->values.data(), target.size());
    if (buffer == kLabelsBuffer) std::memcpy(target.data(), data_->labels.data(), target.size());
    if (buffer != kQueriesBuffer) return;
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
      if (std::ranges::find(right_[q], got) == right_[q].end()) return mismatch(q, got);
    }
    return std::nullopt;
  }

  // Replaces single values of queries between timed calls; each change affects the neighbours and label of
  // one query only.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    std::vector<Patch> patches;
    if (queries_.empty()) return patches;
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t place = random_below(seed, i, queries_.size());
      queries_[place] = other_value_(mix(seed), place);
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

  [[nodiscard]] std::span<const float> queries(std::size_t first, std::size_t count) const {
    return std::span(queries_).subspan(first * data_->dims, count * data_->dims);
  }
  void answer(std::size_t first, std::size_t count) {
    const auto found = nearest(*data_, queries(first, count), k_, rounding_);
    for (std::size_t i = 0; i < count; ++i)
      right_[first + i] = possible_labels(*data_, found[i], k_, rounding_);
  }

  [[nodiscard]] Mismatch mismatch(std::size_t query, std::int32_t got) const {
    const auto found = nearest(*data_, queries(query, 1), k_, rounding_).front();
    std::string what = fmt::format("the label of query {} is wrong (k = {}; {} rows of {}, {}): ", query, k_,
                                   data_->rows(), count_of(data_->dims, "value"),
                                   count_of(static_cast<std::size_t>(data_->label_count), "label"));
    what += neighbours(found);
    if (got < 0 || got >= data_->label_count) {
      what += fmt::format("; {} is no label, those are from 0 to {}", got, data_->label_count - 1);
    }
    return {what, fmt::format("label {}", fmt::join(right_[query], " or ")), fmt::format("label {}", got),
            Mismatch::Place{query * sizeof got, sizeof got, fmt::format("the label of query {}", query)}};
  }

  // Describes a query's neighbours for a message: "the nearest are row 4 (distance 1, label 2), ...; votes: 2
  // for label 2, 1 for label 0".
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
    text += "; votes:";
    for (std::size_t i = 0; i < std::min(most.size(), kNamed); ++i)
      text += fmt::format("{} {} for label {}", i == 0 ? "" : ",", most[i].first, most[i].second);
    return most.size() > kNamed ? text + ", ..." : text;
  }
  static std::string count_of(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
  }

  std::uint64_t shift_;
  std::shared_ptr<const DataSet> data_;
  std::vector<float> queries_;
  std::size_t k_;
  double rounding_;
  std::function<float(std::uint64_t, std::uint64_t)> other_value_;
  std::vector<std::vector<std::int32_t>> right_;  // per query, the labels that count as correct, ascending
};

}  // namespace

std::unique_ptr<Problem> make_problem(std::uint64_t shift, Task task) {
  return std::make_unique<KnnProblem>(shift, std::move(task));
}

}  // namespace warpmark::knn

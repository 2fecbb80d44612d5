#include "explain.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "mistakes.h"

namespace warpmark::knn {

std::optional<Explanation> explain_labels(const Task& task, const Case& which, Experiment& experiment) {
  constexpr std::byte kBefore{0x11};
  const auto problem = make_problem(which.shift, task);
  const auto specs = problem->buffers();
  Experiment::Contents inputs(specs.size());
  for (const std::size_t buffer : {kRowsBuffer, kLabelsBuffer, kQueriesBuffer}) {
    inputs[buffer].resize(specs[buffer].bytes);
    problem->fill(buffer, inputs[buffer]);
  }
  const auto outputs = experiment.call(which, *problem, inputs, kBefore);
  if (!outputs) return std::nullopt;
  const auto& answers = (*outputs)[kAnswersBuffer];
  const auto mismatch = problem->check(kAnswersBuffer, answers);
  if (!mismatch) return std::nullopt;
  std::vector<std::int32_t> labels(answers.size() / sizeof(std::int32_t));
  std::memcpy(labels.data(), answers.data(), answers.size());
  // One that was not written shows no mistake in what is computed.
  const auto* first = answers.data() + mismatch->place->offset;
  if (std::all_of(first, first + mismatch->place->bytes, [](std::byte byte) { return byte == kBefore; }))
    return std::nullopt;
  const Answers given{*task.data, task.queries, task.k, task.rounding, labels};
  const Recognised found = recognise(given);

  Explanation explained;
  explained.which = which;
  explained.expected = mismatch->expected;
  explained.actual = mismatch->actual;
  explained.mistake = found.mistake;
  const std::size_t nearest = mismatch->what.find(": the nearest");
  explained.headline = mismatch->what.substr(0, nearest);
  explained.what = found.what;
  if (found.what.empty() && nearest != std::string::npos) explained.what = mismatch->what.substr(nearest + 2);
  explained.remedy = place_of(wrong_queries(given), labels.size());
  explained.written = found.rows_at_fault ? Explanation::Bytes{kNearestBuffer, 0, specs[kNearestBuffer].bytes}
                                          : Explanation::Bytes{kAnswersBuffer, mismatch->place->offset,
                                                               mismatch->place->bytes};
  explained.store_at_fault = true;
  return explained;
}

}  // namespace warpmark::knn

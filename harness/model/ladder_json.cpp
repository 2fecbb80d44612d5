// Writes and reads JSON files of the schemas "warpmark.ladder/1" and "warpmark.comparison/1".
#include <algorithm>

#include "harness/model/json.h"
#include "harness/model/ladder.h"

namespace warpmark {

using model::OrderedJson;

void describe(auto& archive, Of<BenchSetting> auto& value) {
  WARPMARK_MEMBERS(date, gpu, driver, compiler);
  WARPMARK_ROUNDED(peak_gb_per_s);
  WARPMARK_MEMBERS(l2_bytes, cpu, cpu_threads, tool_version);
  WARPMARK_ROUNDED(seconds);
  if (archive.has("peak_gflops", value.peak_gflops > 0)) WARPMARK_ROUNDED(peak_gflops);
}

WARPMARK_DESCRIBE(LadderWork, n, bytes, operations)

WARPMARK_DESCRIBE(LadderMissing, way, why)

void describe(auto& archive, Of<LadderTime> auto& value) {
  WARPMARK_MEMBERS(n);
  if (archive.has("samples", value.samples != 0)) {
    WARPMARK_MEMBERS(samples);
    WARPMARK_ROUNDED(median_ms, low_ms, high_ms, gb_per_s);
    if (archive.has("gflops", value.gflops > 0)) WARPMARK_ROUNDED(gflops);
    WARPMARK_ROUNDED(percent_of_peak);
  }
  WARPMARK_OPTIONAL(note);
}

void describe(auto& archive, Of<LadderSeries> auto& value) {
  WARPMARK_MEMBERS(name, cpu);
  WARPMARK_OPTIONAL(way, ranks);
  WARPMARK_MEMBERS(times);
}

void describe(auto&& archive, Of<Ladder> auto& value) {
  archive.schema("warpmark.ladder/1");
  WARPMARK_MEMBERS(assignment, submission, type, value_bytes, confidence, setting);
  WARPMARK_OPTIONAL(precision, work, missing);
  WARPMARK_MEMBERS(series);
}

void describe(auto& archive, Of<ComparedSize> auto& value) {
  WARPMARK_MEMBERS(type, n, aligned);
  if (archive.has("rounds", value.rounds != 0)) {
    WARPMARK_MEMBERS(rounds);
    WARPMARK_ROUNDED(first_ms, second_ms, ratio, low, high, gb_per_s);
  }
  WARPMARK_OPTIONAL(note);
}

void describe(auto&& archive, Of<Comparison> auto& value) {
  archive.schema("warpmark.comparison/1");
  WARPMARK_MEMBERS(assignment, first, second, confidence, setting, sizes);
}

namespace {

// Returns JSON text with nested values indented; a list or object without nested ones is on one line.
std::string lines_of(const OrderedJson& value, std::size_t indent = 0) {
  const bool flat =
      std::none_of(value.begin(), value.end(), [](const OrderedJson& one) { return one.is_structured(); });
  if (!value.is_structured() || flat) {
    return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  }
  const std::string margin(indent + 1, ' ');
  std::string text;
  for (const auto& [name, one] : value.items()) {
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ",\n", margin,
                        value.is_object() ? OrderedJson(name).dump() + ": " : "", lines_of(one, indent + 1));
  }
  const char* const brackets = value.is_object() ? "{}" : "[]";
  return fmt::format("{}\n{}\n{}{}", brackets[0], text, margin.substr(1), brackets[1]);
}

}  // namespace

std::string to_json(const Ladder& ladder) {
  return lines_of(model::Writer::json_of(ladder)) + "\n";
}

Result<Ladder> ladder_from_json(const std::string& text) {
  auto ladder = model::read_file_of<Ladder>(text, "a ladder", "Measure it again with `warpmark ladder`.");
  // After a benchmark file has been read, the rates are recomputed from the times, because the file holds
  // rounded rates.
  if (ladder) ladder->add_rates();
  return ladder;
}

std::string to_json(const Comparison& comparison) {
  return lines_of(model::Writer::json_of(comparison)) + "\n";
}

Result<Comparison> comparison_from_json(const std::string& text) {
  return model::read_file_of<Comparison>(text, "a comparison",
                                         "Measure it again with `warpmark ladder --compare A B`.");
}

}  // namespace warpmark

// Schemas "warpmark.ladder/1" and "warpmark.comparison/1".
#include "harness/model/json.h"
#include "harness/model/ladder.h"

namespace warpmark {

using model::Of;
using model::OrderedJson;
using model::rounded;

void describe(auto& archive, Of<BenchSetting> auto& setting) {
  archive("date", setting.date);
  archive("gpu", setting.gpu);
  archive("driver", setting.driver);
  archive("compiler", setting.compiler);
  archive("peak_gb_per_s", rounded(setting.peak_gb_per_s));
  archive("l2_bytes", setting.l2_bytes);
  archive("cpu", setting.cpu);
  archive("cpu_threads", setting.cpu_threads);
  archive("tool_version", setting.tool_version);
  archive("seconds", rounded(setting.seconds));
  if (archive.has("peak_gflops", setting.peak_gflops > 0)) {
    archive("peak_gflops", rounded(setting.peak_gflops));
  }
}

void describe(auto& archive, Of<LadderWork> auto& work) {
  archive("n", work.n);
  archive("bytes", work.bytes);
  archive("operations", work.operations);
}

void describe(auto& archive, Of<LadderMissing> auto& missing) {
  archive("way", missing.way);
  archive("why", missing.why);
}

void describe(auto& archive, Of<LadderTime> auto& time) {
  archive("n", time.n);
  if (archive.has("samples", time.samples != 0)) {
    archive("samples", time.samples);
    archive("median_ms", rounded(time.median_ms));
    archive("low_ms", rounded(time.low_ms));
    archive("high_ms", rounded(time.high_ms));
    archive("gb_per_s", rounded(time.gb_per_s));
    if (archive.has("gflops", time.gflops > 0)) archive("gflops", rounded(time.gflops));
    archive("percent_of_peak", rounded(time.percent_of_peak));
  }
  archive.unless_empty("note", time.note);
}

void describe(auto& archive, Of<LadderSeries> auto& series) {
  archive("name", series.name);
  archive("cpu", series.cpu);
  archive.unless_empty("way", series.way);
  archive.unless_empty("ranks", series.ranks);
  archive("times", series.times);
}

void describe(auto&& archive, Of<Ladder> auto& ladder) {
  archive.schema("warpmark.ladder/1");
  archive("assignment", ladder.assignment);
  archive("submission", ladder.submission);
  archive("type", ladder.type);
  archive("value_bytes", ladder.value_bytes);
  archive("confidence", ladder.confidence);
  archive("setting", ladder.setting);
  archive.unless_empty("precision", ladder.precision);
  archive.unless_empty("work", ladder.work);
  archive.unless_empty("missing", ladder.missing);
  archive("series", ladder.series);
}

void describe(auto& archive, Of<ComparedSize> auto& size) {
  archive("type", size.type);
  archive("n", size.n);
  archive("aligned", size.aligned);
  if (archive.has("rounds", size.rounds != 0)) {
    archive("rounds", size.rounds);
    archive("first_ms", rounded(size.first_ms));
    archive("second_ms", rounded(size.second_ms));
    archive("ratio", rounded(size.ratio));
    archive("low", rounded(size.low));
    archive("high", rounded(size.high));
    archive("gb_per_s", rounded(size.gb_per_s));
  }
  archive.unless_empty("note", size.note);
}

void describe(auto&& archive, Of<Comparison> auto& comparison) {
  archive.schema("warpmark.comparison/1");
  archive("assignment", comparison.assignment);
  archive("first", comparison.first);
  archive("second", comparison.second);
  archive("confidence", comparison.confidence);
  archive("setting", comparison.setting);
  archive("sizes", comparison.sizes);
}

namespace {

// Indents nested values; a list or object without nested ones is written on one line.
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
  if (ladder) ladder->add_rates();  // recomputed, since the file's rates are rounded
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

// warpmark.ladder/1 and warpmark.comparison/1: the models written down member by member, and read back.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "harness/model/ladder.h"

namespace warpmark {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kLadder = "warpmark.ladder/1";
constexpr std::string_view kComparison = "warpmark.comparison/1";
constexpr double kDigits = 1e6;  // six significant digits are more than a measurement has

// Rounded, so that a file is read by people, too.
double rounded(double value) {
  if (!(std::abs(value) > 0) || !std::isfinite(value)) return 0;
  const double scale = kDigits / std::pow(10, std::ceil(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

Json json_of(const BenchSetting& setting) {
  return Json{{"date", setting.date},
              {"gpu", setting.gpu},
              {"driver", setting.driver},
              {"compiler", setting.compiler},
              {"peak_gb_per_s", rounded(setting.peak_gb_per_s)},
              {"l2_bytes", setting.l2_bytes},
              {"cpu", setting.cpu},
              {"cpu_threads", setting.cpu_threads},
              {"tool_version", setting.tool_version},
              {"seconds", rounded(setting.seconds)}};
}

BenchSetting setting_from(const Json& object) {
  BenchSetting setting;
  object.at("date").get_to(setting.date);
  object.at("gpu").get_to(setting.gpu);
  object.at("driver").get_to(setting.driver);
  object.at("compiler").get_to(setting.compiler);
  object.at("peak_gb_per_s").get_to(setting.peak_gb_per_s);
  object.at("l2_bytes").get_to(setting.l2_bytes);
  object.at("cpu").get_to(setting.cpu);
  object.at("cpu_threads").get_to(setting.cpu_threads);
  object.at("tool_version").get_to(setting.tool_version);
  object.at("seconds").get_to(setting.seconds);
  return setting;
}

// A time's rates are written for whoever reads the file and not read back: they follow from the rest.
Json json_of(const Ladder& ladder, const LadderSeries& of, const LadderTime& time) {
  Json object{{"n", time.n}};
  if (time.samples != 0) {
    object["samples"] = time.samples;
    object["median_ms"] = rounded(time.median_ms);
    object["low_ms"] = rounded(time.low_ms);
    object["high_ms"] = rounded(time.high_ms);
    object["gb_per_s"] = rounded(ladder.gb_per_s(time));
    object["percent_of_peak"] = rounded(ladder.percent_of_peak(of, time));
  }
  if (!time.note.empty()) object["note"] = time.note;
  return object;
}

LadderTime time_from(const Json& object) {
  LadderTime time;
  object.at("n").get_to(time.n);
  time.note = object.value("note", std::string());
  if (!object.contains("samples")) return time;
  object.at("samples").get_to(time.samples);
  object.at("median_ms").get_to(time.median_ms);
  object.at("low_ms").get_to(time.low_ms);
  object.at("high_ms").get_to(time.high_ms);
  return time;
}

LadderSeries series_from(const Json& object) {
  LadderSeries series;
  object.at("name").get_to(series.name);
  object.at("cpu").get_to(series.cpu);
  for (const Json& time : object.at("times")) series.times.push_back(time_from(time));
  return series;
}

Json json_of(const ComparedSize& size) {
  Json object{{"type", size.type}, {"n", size.n}, {"aligned", size.aligned}};
  if (size.rounds != 0) {
    object["rounds"] = size.rounds;
    object["first_ms"] = rounded(size.first_ms);
    object["second_ms"] = rounded(size.second_ms);
    object["ratio"] = rounded(size.ratio);
    object["low"] = rounded(size.low);
    object["high"] = rounded(size.high);
    object["gb_per_s"] = rounded(size.gb_per_s);
  }
  if (!size.note.empty()) object["note"] = size.note;
  return object;
}

ComparedSize size_from(const Json& object) {
  ComparedSize size;
  object.at("type").get_to(size.type);
  object.at("n").get_to(size.n);
  object.at("aligned").get_to(size.aligned);
  size.note = object.value("note", std::string());
  if (!object.contains("rounds")) return size;
  object.at("rounds").get_to(size.rounds);
  object.at("first_ms").get_to(size.first_ms);
  object.at("second_ms").get_to(size.second_ms);
  object.at("ratio").get_to(size.ratio);
  object.at("low").get_to(size.low);
  object.at("high").get_to(size.high);
  object.at("gb_per_s").get_to(size.gb_per_s);
  return size;
}

// Indented, but what holds no list and no object of its own stands on one line.
std::string lines_of(const Json& value, std::size_t indent = 0) {
  const bool flat =
      std::none_of(value.begin(), value.end(), [](const Json& one) { return one.is_structured(); });
  if (!value.is_structured() || flat) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string margin(indent + 1, ' ');
  std::string text;
  for (const auto& [name, one] : value.items()) {
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ",\n", margin,
                        value.is_object() ? Json(name).dump() + ": " : "", lines_of(one, indent + 1));
  }
  const char* const brackets = value.is_object() ? "{}" : "[]";
  return fmt::format("{}\n{}\n{}{}", brackets[0], text, margin.substr(1), brackets[1]);
}

// Parses a file of one schema; `read` may throw what the JSON library does.
template <class Model, class Read>
Result<Model> parsed(const std::string& text, std::string_view schema, const Read& read) {
  try {
    const Json object = Json::parse(text);
    const std::string found = object.value("schema", std::string("none"));
    if (found != schema) return fail(fmt::format("its schema is {}, not {}", found, schema));
    return read(object);
  } catch (const nlohmann::json::exception& error) {
    return fail(fmt::format("not a whole {} file: {}", schema, error.what()));
  }
}

}  // namespace

std::string to_json(const Ladder& ladder) {
  Json series = Json::array();
  for (const LadderSeries& one : ladder.series) {
    Json times = Json::array();
    for (const LadderTime& time : one.times) times.push_back(json_of(ladder, one, time));
    series.push_back(Json{{"name", one.name}, {"cpu", one.cpu}, {"times", times}});
  }
  const Json object{{"schema", kLadder},
                    {"assignment", ladder.assignment},
                    {"submission", ladder.submission},
                    {"type", ladder.type},
                    {"value_bytes", ladder.value_bytes},
                    {"confidence", ladder.confidence},
                    {"setting", json_of(ladder.setting)},
                    {"series", series}};
  return lines_of(object) + "\n";
}

Result<Ladder> ladder_from_json(const std::string& text) {
  return parsed<Ladder>(text, kLadder, [](const Json& object) {
    Ladder ladder;
    object.at("assignment").get_to(ladder.assignment);
    object.at("submission").get_to(ladder.submission);
    object.at("type").get_to(ladder.type);
    object.at("value_bytes").get_to(ladder.value_bytes);
    object.at("confidence").get_to(ladder.confidence);
    ladder.setting = setting_from(object.at("setting"));
    for (const Json& one : object.at("series")) ladder.series.push_back(series_from(one));
    return ladder;
  });
}

std::string to_json(const Comparison& comparison) {
  Json sizes = Json::array();
  for (const ComparedSize& size : comparison.sizes) sizes.push_back(json_of(size));
  const Json object{{"schema", kComparison},
                    {"assignment", comparison.assignment},
                    {"first", comparison.first},
                    {"second", comparison.second},
                    {"confidence", comparison.confidence},
                    {"setting", json_of(comparison.setting)},
                    {"sizes", sizes}};
  return lines_of(object) + "\n";
}

Result<Comparison> comparison_from_json(const std::string& text) {
  return parsed<Comparison>(text, kComparison, [](const Json& object) {
    Comparison comparison;
    object.at("assignment").get_to(comparison.assignment);
    object.at("first").get_to(comparison.first);
    object.at("second").get_to(comparison.second);
    object.at("confidence").get_to(comparison.confidence);
    comparison.setting = setting_from(object.at("setting"));
    for (const Json& size : object.at("sizes")) comparison.sizes.push_back(size_from(size));
    return comparison;
  });
}

}  // namespace warpmark

// grade.json, schema "warpmark.grade/1": the model written down member by member, and read back.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "harness/model/grade.h"

namespace warpmark {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "warpmark.grade/1";
// A complaint shows the value that it is about, unless that is longer.
constexpr std::size_t kShownAtMost = 60;
// Beyond this a double no longer holds every whole number, so it is written as a double.
constexpr double kLargestWhole = 9007199254740992.0;  // 2^53

// 3 points are "3", not "3.0": people and spreadsheets read this file.
Json number(double value) {
  if (std::isfinite(value) && std::trunc(value) == value && std::abs(value) < kLargestWhole) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

void put_unless_empty(Json& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

Json json_of(const Cause& cause) {
  Json object;
  object["kind"] = name_of(cause.kind);
  put_unless_empty(object, "type", cause.type);
  put_unless_empty(object, "message", cause.message);
  put_unless_empty(object, "file", cause.file);
  if (cause.line != 0) object["line"] = cause.line;
  if (cause.other_line != 0) object["other_line"] = cause.other_line;
  put_unless_empty(object, "expected", cause.expected);
  put_unless_empty(object, "actual", cause.actual);
  if (cause.n) object["n"] = *cause.n;
  put_unless_empty(object, "seed", cause.seed);
  put_unless_empty(object, "again", cause.again);
  put_unless_empty(object, "details", cause.details);
  for (const SourceLine& line : cause.excerpt) {
    object["excerpt"].push_back(Json{{"number", line.number}, {"text", line.text}});
  }
  return object;
}

Json json_of(const CheckResult& check) {
  Json object;
  object["id"] = check.id;
  object["version"] = check.version;
  object["check"] = check.check;
  object["engine"] = name_of(check.engine);
  object["verdict"] = name_of(check.verdict);
  object["points"] = number(check.points);
  object["possible"] = number(check.possible);
  object["taken_out"] = number(check.taken_out);
  object["seconds"] = number(check.seconds);
  if (!check.causes.empty()) object["cause"] = json_of(check.causes.front());
  object["causes"] = Json::array();
  for (const Cause& cause : check.causes) object["causes"].push_back(json_of(cause));
  for (const Cause& note : check.notes) object["notes"].push_back(json_of(note));
  return object;
}

Json json_of(const EngineUsed& used) {
  return Json{{"engine", name_of(used.engine)},
              {"device", used.device},
              {"compiler", used.compiler},
              {"peak_gb_per_s", number(used.peak_gb_per_s)}};
}

Json json_of(const std::optional<Span>& span) {
  return span ? Json{number(span->low), number(span->high)} : Json();
}

Json json_of(const Conditions& conditions) {
  Json object = Json::object();
  put_unless_empty(object, "driver", conditions.driver);
  const auto put = [&](const char* name, const std::optional<std::uint64_t>& value) {
    if (value) object[name] = *value;
  };
  put("other_processes", conditions.other_processes);
  put("sm_mhz", conditions.sm_mhz);
  put("memory_mhz", conditions.memory_mhz);
  put("celsius", conditions.celsius);
  object["throttled_by"] = conditions.throttled_by;
  return object;
}

Json json_of(const std::optional<Timing>& timing) {
  if (!timing) return {};
  return Json{{"calibration", timing->calibration},
              {"control_span", json_of(timing->control_span)},
              {"before", json_of(timing->before)},
              {"after", json_of(timing->after)}};
}

Json json_of(const Measurement& measured) {
  Json object;
  object["version"] = measured.version;
  object["n"] = measured.n;
  object["naive_ms"] = numbers(measured.naive_ms);
  object["student_ms"] = numbers(measured.student_ms);
  object["naive_median_ms"] = number(measured.naive_median_ms);
  object["student_median_ms"] = number(measured.student_median_ms);
  object["speedup"] = number(measured.speedup);
  object["speedup_span"] = json_of(measured.speedup_span);
  object["control_span"] = json_of(measured.control_span);
  object["threshold"] = number(measured.threshold);
  object["calibrated"] = measured.calibrated;
  object["decided_by"] = measured.decided_by;
  object["naive_before_ms"] = number(measured.naive_before_ms);
  object["naive_after_ms"] = number(measured.naive_after_ms);
  object["naive_calibrated_ms"] = number(measured.naive_calibrated_ms);
  object["beyond_events_ms"] = number(measured.beyond_events_ms);
  object["over_previous"] = number(measured.over_previous);
  object["gb_per_s"] = number(measured.gb_per_s);
  object["percent_of_peak"] = number(measured.percent_of_peak);
  return object;
}

void add_period(Json& object, const std::optional<Period>& when) {
  if (!when) return;
  object["start_us"] = number(when->start_us);
  object["end_us"] = number(when->end_us);
}

Json json_of(const Transfer& transfer) {
  Json object{{"during", transfer.during}, {"phase", name_of(transfer.phase)},
              {"order", transfer.order},   {"direction", transfer.direction},
              {"kind", transfer.kind},     {"bytes", transfer.bytes},
              {"count", transfer.count},   {"canary", transfer.canary}};
  add_period(object, transfer.when);
  return object;
}

Json json_of(const Launch& launch) {
  Json object{{"during", launch.during},
              {"phase", name_of(launch.phase)},
              {"order", launch.order},
              {"kernel", launch.kernel},
              {"count", launch.count}};
  add_period(object, launch.when);
  return object;
}

Json json_of(const CountedKernel& kernel) {
  Json counters = Json::object();
  for (const auto& [name, value] : kernel.counters) counters[name] = number(value);
  return Json{{"kernel", kernel.kernel}, {"launches", kernel.launches}, {"counters", counters}};
}

Json json_of(const CountedLine& line) {
  Json object{{"file", line.file}, {"line", line.line}, {"text", line.text}};
  if (line.instructions == 0) return object;
  object["instructions"] = line.instructions;
  object["active_lanes"] = number(line.active_lanes);
  object["requests"] = line.requests;
  object["sectors_per_request"] = number(line.sectors_per_request);
  object["shared_requests"] = line.shared_requests;
  object["bank_conflicts"] = line.bank_conflicts;
  object["atomics"] = line.atomics;
  object["barriers"] = line.barriers;
  return object;
}

template <class T>
Json json_of(const std::vector<T>& values);

Json json_of(const Counted& counted) {
  Json object;
  object["version"] = counted.version;
  object["type"] = counted.type;
  object["n"] = counted.n;
  object["sectors_per_request"] = number(counted.sectors_per_request);
  object["requests_per_element"] = number(counted.requests_per_element);
  object["bank_conflicts"] = counted.bank_conflicts;
  object["barriers"] = counted.barriers;
  object["global_atomics"] = counted.global_atomics;
  object["active_lanes"] = number(counted.active_lanes);
  object["kernels"] = json_of(counted.kernels);
  object["lines"] = json_of(counted.lines);
  return object;
}

template <class T>
Json json_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(json_of(value));
  return list;
}

// Thrown by Node, caught in grade_from_json: the reading functions below stay free of error plumbing.
struct BadMember : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A value inside the file together with its path, so that each complaint says where ("checks[3].verdict").
class Node {
 public:
  Node(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] std::optional<Node> find(const char* name) const {
    if (!value_->is_object()) complain("an object");
    const auto found = value_->find(name);
    if (found == value_->end()) return std::nullopt;
    return Node(*found, path_.empty() ? name : path_ + "." + name);
  }

  [[nodiscard]] Node at(const char* name) const {
    const auto found = find(name);
    if (!found) throw BadMember(fmt::format("{}{}{} is missing", path_, path_.empty() ? "" : ".", name));
    return *found;
  }

  [[nodiscard]] bool is_null() const { return value_->is_null(); }

  [[nodiscard]] std::string text() const {
    if (!value_->is_string()) complain("a string");
    return value_->get<std::string>();
  }

  [[nodiscard]] double number() const {
    if (!value_->is_number()) complain("a number");
    return value_->get<double>();
  }

  // JSON has no word for a sample that is not finite: it is written as null.
  [[nodiscard]] double sample() const {
    return value_->is_null() ? std::numeric_limits<double>::quiet_NaN() : number();
  }

  [[nodiscard]] std::uint64_t count() const {
    if (!value_->is_number_unsigned()) complain("a whole number from 0");
    return value_->get<std::uint64_t>();
  }

  [[nodiscard]] int small_count() const {
    const std::uint64_t value = count();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) complain("a small whole number");
    return static_cast<int>(value);
  }

  [[nodiscard]] bool flag() const {
    if (!value_->is_boolean()) complain("true or false");
    return value_->get<bool>();
  }

  // The members of an object that holds numbers alone.
  [[nodiscard]] std::vector<std::pair<std::string, double>> named_numbers() const {
    if (!value_->is_object()) complain("an object");
    std::vector<std::pair<std::string, double>> all;
    for (const auto& item : value_->items()) {
      all.emplace_back(item.key(), Node(item.value(), path_ + "." + item.key()).number());
    }
    return all;
  }

  template <class T>
  [[nodiscard]] std::vector<T> list(T (*read)(const Node&)) const {
    if (!value_->is_array()) complain("a list");
    std::vector<T> items;
    items.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i) {
      items.push_back(read(Node((*value_)[i], fmt::format("{}[{}]", path_, i))));
    }
    return items;
  }

  [[noreturn]] void complain(std::string_view wanted) const {
    std::string shown = value_->dump(-1, ' ', false, Json::error_handler_t::replace);
    if (shown.size() > kShownAtMost) shown = value_->type_name();
    throw BadMember(fmt::format("{} is {}, must be {}", path_.empty() ? "the file" : path_, shown, wanted));
  }

 private:
  const Json* value_;
  std::string path_;
};

std::string text_or_empty(const Node& object, const char* name) {
  const auto member = object.find(name);
  return member ? member->text() : std::string();
}

Engine engine_from(const Node& node) {
  const std::string name = node.text();
  for (const Engine engine : {Engine::gpu, Engine::simulator}) {
    if (name == name_of(engine)) return engine;
  }
  node.complain("\"gpu\" or \"simulator\"");
}

Verdict verdict_from(const Node& node) {
  const std::string name = node.text();
  for (const Verdict verdict :
       {Verdict::passed, Verdict::failed, Verdict::not_run, Verdict::inconclusive, Verdict::broken}) {
    if (name == name_of(verdict)) return verdict;
  }
  node.complain("\"passed\", \"failed\", \"not_run\", \"inconclusive\" or \"broken\"");
}

CauseKind cause_kind_from(const Node& node) {
  const auto kind = warpmark::cause_kind_from(node.text());
  if (!kind) node.complain("a kind of cause that this tool knows");
  return *kind;
}

SourceLine source_line_from(const Node& node) {
  return {node.at("number").small_count(), node.at("text").text()};
}

Cause cause_from(const Node& node) {
  Cause cause;
  cause.kind = cause_kind_from(node.at("kind"));
  cause.message = text_or_empty(node, "message");
  cause.type = text_or_empty(node, "type");
  cause.file = text_or_empty(node, "file");
  if (const auto line = node.find("line")) cause.line = line->small_count();
  if (const auto line = node.find("other_line")) cause.other_line = line->small_count();
  cause.expected = text_or_empty(node, "expected");
  cause.actual = text_or_empty(node, "actual");
  if (const auto n = node.find("n")) cause.n = n->count();
  cause.seed = text_or_empty(node, "seed");
  cause.again = text_or_empty(node, "again");
  cause.details = text_or_empty(node, "details");
  if (const auto excerpt = node.find("excerpt")) cause.excerpt = excerpt->list(source_line_from);
  return cause;
}

CheckResult check_from(const Node& node) {
  CheckResult check;
  check.id = node.at("id").text();
  check.version = node.at("version").text();
  check.check = node.at("check").text();
  check.engine = engine_from(node.at("engine"));
  check.verdict = verdict_from(node.at("verdict"));
  check.points = node.at("points").number();
  check.possible = node.at("possible").number();
  check.taken_out = node.at("taken_out").number();
  check.seconds = node.at("seconds").number();
  check.causes = node.at("causes").list(cause_from);  // "cause" only repeats the first of them
  if (const auto notes = node.find("notes")) check.notes = notes->list(cause_from);
  return check;
}

EngineUsed engine_used_from(const Node& node) {
  return {engine_from(node.at("engine")), node.at("device").text(), node.at("compiler").text(),
          node.at("peak_gb_per_s").number()};
}

std::string text_from(const Node& node) {
  return node.text();
}

double sample_from(const Node& node) {
  return node.sample();
}

// Null where there is none.
std::optional<Span> span_from(const Node& node) {
  const auto ends = node.is_null() ? std::vector<double>() : node.list(sample_from);
  if (ends.empty()) return std::nullopt;
  if (ends.size() != 2) node.complain("two numbers or null");
  return Span{ends[0], ends[1]};
}

Conditions conditions_from(const Node& node) {
  Conditions conditions;
  conditions.driver = text_or_empty(node, "driver");
  const auto take = [&](const char* name, std::optional<std::uint64_t>& value) {
    if (const auto member = node.find(name)) value = member->count();
  };
  take("other_processes", conditions.other_processes);
  take("sm_mhz", conditions.sm_mhz);
  take("memory_mhz", conditions.memory_mhz);
  take("celsius", conditions.celsius);
  conditions.throttled_by = node.at("throttled_by").list(text_from);
  return conditions;
}

std::optional<Timing> timing_from(const Node& node) {
  if (node.is_null()) return std::nullopt;
  return Timing{node.at("calibration").text(), span_from(node.at("control_span")),
                conditions_from(node.at("before")), conditions_from(node.at("after"))};
}

Measurement measurement_from(const Node& node) {
  Measurement measured;
  measured.version = node.at("version").text();
  measured.n = node.at("n").count();
  measured.naive_ms = node.at("naive_ms").list(sample_from);
  measured.student_ms = node.at("student_ms").list(sample_from);
  measured.naive_median_ms = node.at("naive_median_ms").sample();
  measured.student_median_ms = node.at("student_median_ms").sample();
  measured.speedup = node.at("speedup").sample();
  measured.speedup_span = span_from(node.at("speedup_span"));
  measured.control_span = span_from(node.at("control_span"));
  measured.threshold = node.at("threshold").sample();
  measured.calibrated = node.at("calibrated").flag();
  measured.decided_by = node.at("decided_by").text();
  measured.naive_before_ms = node.at("naive_before_ms").sample();
  measured.naive_after_ms = node.at("naive_after_ms").sample();
  measured.naive_calibrated_ms = node.at("naive_calibrated_ms").sample();
  measured.beyond_events_ms = node.at("beyond_events_ms").sample();
  measured.over_previous = node.at("over_previous").sample();
  measured.gb_per_s = node.at("gb_per_s").sample();
  measured.percent_of_peak = node.at("percent_of_peak").sample();
  return measured;
}

Phase phase_from(const Node& node) {
  const std::string name = node.text();
  for (const Phase phase : {Phase::load, Phase::call, Phase::between}) {
    if (name == name_of(phase)) return phase;
  }
  node.complain("\"load\", \"call\" or \"between\"");
}

std::optional<Period> period_from(const Node& node) {
  const auto start = node.find("start_us");
  if (!start) return std::nullopt;
  return Period{start->number(), node.at("end_us").number()};
}

Transfer transfer_from(const Node& node) {
  Transfer transfer;
  transfer.during = node.at("during").text();
  transfer.phase = phase_from(node.at("phase"));
  transfer.order = node.at("order").count();
  transfer.direction = node.at("direction").text();
  transfer.kind = node.at("kind").text();
  transfer.bytes = node.at("bytes").count();
  transfer.count = node.at("count").count();
  transfer.canary = node.at("canary").flag();
  transfer.when = period_from(node);
  return transfer;
}

Launch launch_from(const Node& node) {
  return {node.at("during").text(), phase_from(node.at("phase")), node.at("kernel").text(),
          node.at("count").count(), node.at("order").count(),     period_from(node)};
}

CountedKernel counted_kernel_from(const Node& node) {
  return {node.at("kernel").text(), node.at("launches").count(), node.at("counters").named_numbers()};
}

CountedLine counted_line_from(const Node& node) {
  CountedLine line;
  line.file = node.at("file").text();
  line.line = node.at("line").small_count();
  line.text = node.at("text").text();
  const auto instructions = node.find("instructions");
  if (!instructions) return line;
  line.instructions = instructions->count();
  line.active_lanes = node.at("active_lanes").number();
  line.requests = node.at("requests").count();
  line.sectors_per_request = node.at("sectors_per_request").number();
  line.shared_requests = node.at("shared_requests").count();
  line.bank_conflicts = node.at("bank_conflicts").count();
  line.atomics = node.at("atomics").count();
  line.barriers = node.at("barriers").count();
  return line;
}

Counted counted_from(const Node& node) {
  Counted counted;
  counted.version = node.at("version").text();
  counted.type = node.at("type").text();
  counted.n = node.at("n").count();
  counted.sectors_per_request = node.at("sectors_per_request").number();
  counted.requests_per_element = node.at("requests_per_element").number();
  counted.bank_conflicts = node.at("bank_conflicts").count();
  counted.barriers = node.at("barriers").count();
  counted.global_atomics = node.at("global_atomics").count();
  counted.active_lanes = node.at("active_lanes").number();
  counted.kernels = node.at("kernels").list(counted_kernel_from);
  counted.lines = node.at("lines").list(counted_line_from);
  return counted;
}

Grade read_grade(const Node& file) {
  if (const Node schema = file.at("schema"); schema.text() != kSchema) {
    schema.complain(fmt::format("\"{}\"", kSchema));
  }
  Grade grade;
  grade.assignment = file.at("assignment").text();
  const Node submission = file.at("submission");
  grade.submission_name = submission.at("name").text();
  grade.submission_hash = submission.at("hash").text();
  grade.engines = file.at("engines").list(engine_used_from);
  const Node score = file.at("score");
  grade.score = {score.at("points").number(), score.at("possible").number(), score.at("needs_gpu").number(),
                 score.at("taken_out").number()};
  grade.checks = file.at("checks").list(check_from);
  grade.measurements = file.at("measurements").list(measurement_from);
  grade.timing = timing_from(file.at("timing"));
  grade.transfers = file.at("transfers").list(transfer_from);
  grade.counters = file.at("counters").list(counted_from);
  grade.launches = file.at("launches").list(launch_from);
  grade.exit_status = file.at("exit_status").small_count();
  grade.seconds = file.at("seconds").number();
  grade.tool_version = file.at("tool_version").text();
  return grade;
}

}  // namespace

std::string to_json(const Grade& grade) {
  Json file;
  file["schema"] = kSchema;
  file["assignment"] = grade.assignment;
  file["submission"] = Json{{"name", grade.submission_name}, {"hash", grade.submission_hash}};
  file["engines"] = json_of(grade.engines);
  file["score"] = Json{{"points", number(grade.score.points)},
                       {"possible", number(grade.score.possible)},
                       {"needs_gpu", number(grade.score.needs_gpu)},
                       {"taken_out", number(grade.score.taken_out)}};
  file["checks"] = json_of(grade.checks);
  file["measurements"] = json_of(grade.measurements);
  file["timing"] = json_of(grade.timing);
  file["transfers"] = json_of(grade.transfers);
  file["launches"] = json_of(grade.launches);
  file["counters"] = json_of(grade.counters);
  file["exit_status"] = grade.exit_status;
  file["seconds"] = number(grade.seconds);
  file["tool_version"] = grade.tool_version;
  return file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Grade> grade_from_json(const std::string& text) {
  try {
    const Json file = Json::parse(text);
    return read_grade(Node(file, ""));
  } catch (const BadMember& bad) {
    return fail(fmt::format("This is not a grade that this tool can read: {}. Grade the submission again.",
                            bad.what()));
  } catch (const Json::exception& bad) {
    return fail(
        fmt::format("This is not a grade, nor any JSON: {}. Grade the submission again.", bad.what()));
  }
}

}  // namespace warpmark

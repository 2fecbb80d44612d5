#include "harness/program_analysis/simulation.h"
#include "harness/wire/describe.h"

namespace warpmark::program_analysis {
namespace {

using nlohmann::json;

constexpr char kSchema[] = "warpmark.simulation/1";

// Serialises the report of a simulated program as JSON. Invalid UTF-8 is replaced, because names and messages
// may quote a program's output.
std::string dumped(const json& all) {
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

json to_json_value(const ShownFinding& finding) {
  json object{{"kind", name_of(finding.kind)}, {"severity", finding.note ? "note" : "error"},
              {"kernel", finding.kernel},      {"file", finding.file},
              {"line", finding.line},          {"message", finding.message}};
  if (finding.other_line != 0) object["other_line"] = finding.other_line;
  if (!finding.seen.empty()) object["seen"] = finding.seen;
  return object;
}

template <class T>
json described(const T& value) {
  json object;
  wire::Writer writer(object);
  describe(writer, value);
  return object;
}

// Serialises a kernel launch as a JSON object, with its counters and source lines as direct members instead
// of a nested "work" object.
json to_json_value(const wire::Launch& launch) {
  json object = described(launch);
  if (launch.work) {
    object.update(object["work"]);
    object.erase("work");
  }
  return object;
}

json to_json_value(const wire::Transfer& transfer) {
  json object = described(transfer);
  object.erase("frames");
  return object;
}

json to_json_value(const RunSummary& run) {
  return {{"level", run.mode.checking ? "O0" : "O2"},
          {"schedule", run.mode.schedule},
          {"exit", run.status},
          {"seconds", run.seconds}};
}

template <class T>
json list_of(const std::vector<T>& values) {
  json list = json::array();
  for (const T& value : values) list.push_back(to_json_value(value));
  return list;
}

}  // namespace

std::string to_json(const Simulation& simulation) {
  return dumped({{"schema", kSchema},
                 {"exit", simulation.exit_status},
                 {"seconds", simulation.seconds},
                 {"runs", list_of(simulation.runs)},
                 {"launches", list_of(simulation.launches)},
                 {"findings", list_of(simulation.findings)},
                 {"transfers", list_of(simulation.transfers)},
                 {"remarks", simulation.remarks}});
}

std::string to_json(const Unusable& unusable) {
  json findings = json::array();
  for (const Cause& cause : unusable.causes) {
    findings.push_back({{"kind", name_of(cause.kind)},
                        {"severity", "error"},
                        {"kernel", ""},
                        {"file", cause.file},
                        {"line", cause.line},
                        {"message", cause.message}});
  }
  json all{{"schema", kSchema},          {"exit", 2},
           {"launches", json::array()},  {"findings", std::move(findings)},
           {"transfers", json::array()}, {"remarks", json::array()}};
  if (!unusable.message.empty()) all["remarks"].push_back(unusable.message);
  return dumped(all);
}

}  // namespace warpmark::program_analysis

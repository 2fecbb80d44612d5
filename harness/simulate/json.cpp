#include "harness/simulate/simulation.h"

namespace warpmark::simulate {
namespace {

using nlohmann::json;

constexpr char kSchema[] = "warpmark.simulation/1";

// Names and messages may quote a program's bytes: what is no UTF-8 is replaced.
std::string dumped(const json& all) {
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

json to_json_value(const Finding& finding) {
  json object{{"kind", finding.kind},     {"severity", finding.note ? "note" : "error"},
              {"kernel", finding.kernel}, {"file", finding.file},
              {"line", finding.line},     {"message", finding.message}};
  if (finding.other_line != 0) object["other_line"] = finding.other_line;
  if (!finding.seen.empty()) object["seen"] = finding.seen;
  return object;
}

json to_json_value(const RunSummary& run) {
  return {{"level", run.mode.checking ? "O0" : "O2"},
          {"schedule", run.mode.schedule},
          {"exit", run.status},
          {"seconds", run.seconds}};
}

}  // namespace

std::string to_json(const Simulation& simulation) {
  json findings = json::array();
  for (const Finding& finding : simulation.findings) findings.push_back(to_json_value(finding));
  json runs = json::array();
  for (const RunSummary& run : simulation.runs) runs.push_back(to_json_value(run));
  return dumped({{"schema", kSchema},
                 {"exit", simulation.exit_status},
                 {"seconds", simulation.seconds},
                 {"runs", std::move(runs)},
                 {"launches", simulation.launches},
                 {"findings", std::move(findings)},
                 {"transfers", simulation.transfers},
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

}  // namespace warpmark::simulate

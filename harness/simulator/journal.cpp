#include "harness/simulator/journal.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace warpmark::simulator {
namespace {

nlohmann::json to_json(Dim3 size) {
  return {size.x, size.y, size.z};
}

}  // namespace

void Journal::launched(std::string_view kernel, Dim3 grid, Dim3 block) {
  launches_.push_back({std::string(kernel), grid, block});
}

void Journal::add(Found found) {
  if (std::find(findings_.begin(), findings_.end(), found) == findings_.end())
    findings_.push_back(std::move(found));
}

void Journal::found(const Finding& finding) {
  add({.kind = std::string(name_of(finding.kind)),
       .kernel = finding.kernel,
       .file = finding.file,
       .line = finding.line,
       .other_line = finding.other_line,
       .message = finding.message});
}

void Journal::found(std::string_view kind, std::string_view kernel, std::string_view message) {
  add({.kind = std::string(kind),
       .kernel = std::string(kernel),
       .file = {},
       .message = std::string(message)});
}

void Journal::transferred(std::string_view direction, std::size_t bytes, std::string_view kind) {
  transfers_.push_back({direction, bytes, kind});
}

std::string Journal::drain() {
  auto launches = nlohmann::json::array();
  for (const auto& launch : launches_) {
    launches.push_back(
        {{"kernel", launch.kernel}, {"grid", to_json(launch.grid)}, {"block", to_json(launch.block)}});
  }
  auto findings = nlohmann::json::array();
  for (const auto& found : findings_) {
    findings.push_back({{"kind", found.kind},
                        {"kernel", found.kernel},
                        {"file", found.file},
                        {"line", found.line},
                        {"message", found.message}});
    if (found.other_line != 0) findings.back()["other_line"] = found.other_line;
  }
  auto transfers = nlohmann::json::array();
  for (const auto& transfer : transfers_) {
    transfers.push_back(
        {{"direction", transfer.direction}, {"bytes", transfer.bytes}, {"kind", transfer.kind}});
  }
  *this = {};
  const nlohmann::json all = {{"launches", std::move(launches)},
                              {"findings", std::move(findings)},
                              {"transfers", std::move(transfers)}};
  // Messages may quote a submission's bytes: what is no UTF-8 is replaced, it must not end the process.
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace warpmark::simulator

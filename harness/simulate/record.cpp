#include "harness/simulate/record.h"

#include <algorithm>
#include <utility>

namespace warpmark::simulate {
namespace {

using nlohmann::json;

template <class T>
T member(const json& object, const char* name, T otherwise) {
  try {
    return object.value(name, otherwise);
  } catch (const json::exception&) {
    return otherwise;
  }
}

RawFinding finding_from(const json& object) {
  return {.kind = member<std::string>(object, "kind", ""),
          .kernel = member<std::string>(object, "kernel", ""),
          .file = member<std::string>(object, "file", ""),
          .line = member(object, "line", 0),
          .other_line = member(object, "other_line", 0),
          .message = member<std::string>(object, "message", ""),
          .frames = member(object, "frames", std::vector<std::uint64_t>())};
}

void append(std::vector<json>& all, json& object, const char* name) {
  const auto list = object.find(name);
  if (list == object.end() || !list->is_array()) return;
  for (json& each : *list) all.push_back(std::move(each));
}

void take(json& line, Record& record) {
  if (line.contains("running")) {
    record.running = std::move(line["running"]);
  } else if (line.contains("kind")) {
    record.findings.push_back(finding_from(line));
  } else if (line.contains("frames")) {
    if (!record.findings.empty())
      record.findings.back().frames = member(line, "frames", std::vector<std::uint64_t>());
  } else {
    // What is drained after a launch began shows that it came back.
    if (line.contains("launches") && !line["launches"].empty()) record.running.reset();
    append(record.launches, line, "launches");
    append(record.transfers, line, "transfers");
    std::vector<json> findings;
    append(findings, line, "findings");
    for (const json& finding : findings) record.findings.push_back(finding_from(finding));
    std::vector<json> notes;
    append(notes, line, "notes");
    for (const json& note : notes) {
      auto message = member<std::string>(note, "message", "");
      if (std::ranges::find(record.notes, message) == record.notes.end())
        record.notes.push_back(std::move(message));
    }
  }
}

}  // namespace

Record parse_record(std::string_view text) {
  Record record;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    json line = json::parse(text.substr(0, end), nullptr, false);
    if (line.is_object()) take(line, record);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return record;
}

}  // namespace warpmark::simulate

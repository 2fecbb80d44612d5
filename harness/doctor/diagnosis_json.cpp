#include <array>
#include <string_view>

#include "harness/doctor/diagnosis.h"
#include "harness/model/json.h"

namespace warpmark::doctor {

static std::string_view name_of(Status status) {
  constexpr std::array<std::string_view, 3> names{"pass", "caution", "fail"};
  return names[static_cast<std::size_t>(status)];
}

static void describe(auto& archive, const Assessment& finding) {
  archive("name", finding.name);
  archive("status", finding.status);
  archive("found", finding.found);
  archive("repair", finding.repair);
}

static void describe(auto& archive, const Diagnosis& diagnosis) {
  archive.schema("warpmark.doctor/1");
  archive("engine", diagnosis.engine);
  archive("findings", diagnosis.findings);
}

std::string to_json(const Diagnosis& diagnosis) {
  return model::text_of(model::Writer::json_of(diagnosis));
}

}  // namespace warpmark::doctor

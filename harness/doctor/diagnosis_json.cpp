
#include "harness/doctor/diagnosis.h"
#include "harness/model/json.h"

namespace warpmark::doctor {

WARPMARK_DESCRIBE(Assessment, name, status, found, repair)

static void describe(auto& archive, const Diagnosis& value) {
  archive.schema("warpmark.doctor/1");
  WARPMARK_MEMBERS(engine, findings);
}

std::string to_json(const Diagnosis& diagnosis) {
  return model::text_of(model::Writer::json_of(diagnosis));
}

}  // namespace warpmark::doctor

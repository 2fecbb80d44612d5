#include "tests/reports/schema.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/file.h"

namespace warpmark {

std::string against_schema(const nlohmann::json& file, const std::string& name) {
  using Adapter = valijson::adapters::NlohmannJsonAdapter;
  const auto text = read_file(fmt::format("{}/harness/model/schemas/{}.schema.json", WARPMARK_ROOT, name));
  if (!text) return text.error().message;
  const nlohmann::json document = nlohmann::json::parse(*text, nullptr, false);
  if (document.is_discarded()) return name + ".schema.json is not JSON";
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(Adapter(document), schema);
  valijson::ValidationResults results;
  valijson::Validator().validate(schema, Adapter(file), &results);
  std::string all;
  valijson::ValidationResults::Error error;
  while (results.popError(error))
    all += fmt::format("{}: {}\n", fmt::join(error.context, ""), error.description);
  return all;
}

}  // namespace warpmark

// Holds a file to its JSON Schema in harness/model/schemas.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpmark {

// What in `file` goes against the schema of that name ("grade"); empty when nothing does.
std::string against_schema(const nlohmann::json& file, const std::string& schema);

}  // namespace warpmark

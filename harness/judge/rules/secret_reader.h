// Reads which secret input sizes a rubric's table [correct] asks for.
#pragma once

#include <string>
#include <vector>

#include "harness/assignments/toml_table.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Reads secret = {count = 4, n = [1, 100000], m = [1, "n"], where = "..."}, or the short form for sizes of
// one number: secret_sizes and secret_max. `names` are the parts of a size, in order. Throws Broken at the
// first violated rule.
SecretSizes read_secret(TomlTable& correct, const std::vector<std::string>& names);

}  // namespace warpmark::judge

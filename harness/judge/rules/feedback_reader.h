// Reads the rubric's table [feedback]: what students see of a failure, and when.
#pragma once

#include "harness/assignments/toml_table.h"
#include "harness/model/staged_help.h"

namespace warpmark::judge {

// Throws Broken with file, line and remedy.
HelpRules read_feedback(TomlTable& table);

}  // namespace warpmark::judge

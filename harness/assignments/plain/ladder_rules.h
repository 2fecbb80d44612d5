// What an assignment.toml says for ladders: sizes, least work, versions on the CPU.
#pragma once

#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// Read [ladder] and each [[cpu]] of the file into `spec`. The sizes of `spec` must have been read. Throw
// Broken at the first violated rule.
void read_ladder(TomlTable& top, Spec& spec);
void read_cpu(TomlTable& top, Spec& spec);

}  // namespace warpmark::plain

// Reads an assignment's rules for benchmarks over growing sizes from assignment.toml: sizes, least work, CPU
// baselines.
#pragma once

#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// Read [ladder] and each [[cpu]] of the file into `spec`. The sizes of `spec` must have been read. Throw
// Broken at the first violated rule.
void read_ladder(TomlTable& top, Spec& spec);
void read_cpu(TomlTable& top, Spec& spec);

}  // namespace warpmark::plain

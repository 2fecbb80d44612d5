// Fatal findings that a single instruction causes, and their wording.
#pragma once

#include <string>

#include "harness/simulator/operations/context.h"

namespace warpmark::simulator {

void report_trap(Context& context, const Instruction& instruction);
// An index that is none of a local array's; operands[0]: its register, if known, of `width` bytes.
void report_index(Context& context, const Instruction& instruction);
void report_unsupported(Context& context, const Instruction& instruction);

// Where an access lies, in words: "element 5 of the shared array sums", "just past the end of ...".
struct LaunchState;
std::string name_of_shared(const LaunchState& launch, std::int64_t offset, unsigned width);
std::string name_of_global(const LaunchState& launch, Address address, unsigned width);

}  // namespace warpmark::simulator

// What the text of a submission's files may not say, whatever library it makes.
#pragma once

#include <optional>
#include <string>

#include "harness/build/builder.h"

namespace warpmark::build {

// A file of the submission that the library was made of.
struct OwnFile {
  std::string name;  // relative to the submission
  std::string text;
};

// A cause in the file that the request is for, or in one that it includes; 0: no line.
Cause refused(CauseKind kind, const Request& request, std::string message);
Cause refused_in(const OwnFile& file, int line, const Request& request, std::string message);

// Words by which code could tell the compilers, the levels of optimisation or the devices apart, and be right
// where it is judged alone.
std::optional<Cause> tells_apart(const Request& request, const OwnFile& file);

// Attributes by which host code is left out of what the sanitizers watch; a kernel is watched by the device.
std::optional<Cause> hides_from_sanitizers(const Request& request, const OwnFile& file);

// Assembler directives that read files or choose where code goes.
std::optional<Cause> directs_the_assembler(const Request& request, const OwnFile& file);

}  // namespace warpmark::build

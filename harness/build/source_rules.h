// Rules about the text of a submission's sources, independent of the library built from them.
#pragma once

#include <optional>
#include <string>

#include "harness/build/builder.h"

namespace warpmark::build {

// A source file or header of the submission that went into the built library.
struct OwnFile {
  std::string name;  // source file's path relative to the submission's folder
  std::string text;
};

// Functions that make the error message for a broken rule of the assignment: refused() at the compiled source
// file, refused_in() at a line of a file that it includes (line 0: no line).
Cause refused(CauseKind kind, const Request& request, std::string message);
Cause refused_in(const OwnFile& file, int line, const Request& request, std::string message);

// Rejects macros by which code could distinguish the compilers, optimisation levels or devices, and so behave
// correctly only where it is graded.
std::optional<Cause> tells_apart(const Request& request, const OwnFile& file);

// Rejects attributes that exclude host code from sanitizer instrumentation. (Kernels are checked by the
// simulator.)
std::optional<Cause> hides_from_sanitizers(const Request& request, const OwnFile& file);

// Rejects `#line` directives in versions that may use a library: which kernels are the library's is told by
// the files that the compiler names.
std::optional<Cause> renames_files(const Request& request, const OwnFile& file);

// Rejects assembler directives that read files or choose the section of the code.
std::optional<Cause> directs_the_assembler(const Request& request, const OwnFile& file);

}  // namespace warpmark::build

// Generates the stubs that students start from by cutting the solutions out of the reference.
//
// A reference file marks what a student has to write; each marker stands on a line of its own:
//
//     // <solution> TODO: add up the block's values     -> becomes "// TODO: add up the block's values"
//     // <solution> in shared memory.                   -> a second line of that text
//     // <stub> (void)values;                           -> becomes "(void)values;", anywhere in the region
//     ... the solution ...                              -> gone
//     // </solution>
//
// Everything else is copied byte for byte. A file without regions (a worked example, a header) is copied
// whole.
//
// A file whose first line is `// <reference only>` gets no stub.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

// Returns true if the first line of a reference file says that students get no stub of it.
bool is_reference_only(std::string_view reference_text);

// Returns the stub of one reference file; line endings (LF or CRLF) are preserved. Fails on a marker that is
// misspelt, nested, unclosed or unopened, and on a reference-only file; the message begins with
// "file_name:line: ".
Result<std::string> cut_stub(std::string_view reference_text, std::string_view file_name);

// Returns the stubs of one assignment, by path relative to the folder. Hidden and reference-only files are
// skipped.
Result<std::map<std::string, std::string>> cut_stubs(const std::filesystem::path& folder);

// Result of generating stubs: relative paths of files in the template, sorted.
struct StubsReport {
  std::vector<std::string> written;      // stub files created or updated; empty if check_only
  std::vector<std::string> differing;    // stubs missing or different from the reference; empty after writing
  std::vector<std::string> superfluous;  // files in the template but not in the reference; never deleted

  [[nodiscard]] bool in_step() const { return differing.empty() && superfluous.empty(); }
};

// Updates template_root/<assignment>/ from reference_root/<assignment>/ for every assignment, or reports the
// differences (check_only). README.md files of the template are written by hand and left alone. Fails on a
// bad marker before anything is written, and on files that cannot be read or written.
Result<StubsReport> write_stubs(const std::filesystem::path& reference_root,
                                const std::filesystem::path& template_root, bool check_only);

}  // namespace warpmark

// Stubs: what students start from. They are cut from the reference, so that both always have the same shape.
//
// A reference file marks what a student has to write; each marker stands on a line of its own:
//
//     // <solution> TODO: add up the block's values     -> becomes "// TODO: add up the block's values"
//     // <solution> in shared memory.                   -> a second line of that text
//     // <stub> (void)values;                           -> becomes "(void)values;", anywhere in the region
//     ... the solution ...                              -> gone
//     // </solution>
//
// What is outside stays as it is, to the byte. A file without regions (a worked example, a header) is copied.
//
// A file whose first line is `// <reference only>` stays with the course: it has no stub.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

// Whether the file says in its first line that it has no stub.
bool is_reference_only(std::string_view reference_text);

// The stub of one reference file; lines end as they do there (LF or CRLF). Fails on a marker that is
// misspelt, nested, never closed or never opened, and on a file that is reference only; the message begins
// with "file_name:line: ".
Result<std::string> cut_stub(std::string_view reference_text, std::string_view file_name);

// The stubs of one assignment: path relative to the folder -> text. Hidden files, and those that are
// reference only, are left out.
Result<std::map<std::string, std::string>> cut_stubs(const std::filesystem::path& folder);

// Paths relative to the template's root, sorted.
struct StubsReport {
  std::vector<std::string> written;      // made or brought up to date; empty when only checking
  std::vector<std::string> differing;    // missing, or not what the reference gives; empty after writing
  std::vector<std::string> superfluous;  // in the template, but not in the reference; never deleted by us

  [[nodiscard]] bool in_step() const { return differing.empty() && superfluous.empty(); }
};

// Brings template_root/<assignment>/ in step with reference_root/<assignment>/ for every assignment there, or
// tells what is not in step (check_only). README.md files of the template are written by hand and left alone.
// Fails on a bad marker before anything is written, and on files that cannot be read or written.
Result<StubsReport> write_stubs(const std::filesystem::path& reference_root,
                                const std::filesystem::path& template_root, bool check_only);

}  // namespace warpmark

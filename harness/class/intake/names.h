// Sanitises untrusted file names from archives, exports and an instructor's disk.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/error.h"

namespace warpmark::classroom {

// Returns a relative path with `/` as separator that cannot leave its base folder; "." and empty components
// are removed. Backslashes count as `/`, because Windows archives use them; bytes that are not valid UTF-8
// become %XX. Fails with a sentence if the path is absolute, contains "..", or is too long or deep.
Result<std::string> safe_path(std::string_view name);

// Returns true for files that operating systems and tools leave behind ("__MACOSX", ".DS_Store", ".git"),
// which no submission needs.
bool is_litter(std::string_view path);

// Returns true if the extension is that of an archive that Warpmark can read: zip, or tar, compressed or not.
bool is_archive(std::string_view path);
// Returns true if the extension is that of an archive that Warpmark cannot read (rar, 7z).
bool is_foreign_archive(std::string_view path);
// Returns an archive's file name without its extension: "anna" for "in/anna.tar.gz".
std::string archive_stem(std::string_view path);

// Folds case and Unicode normalisation, so that two names that a file system may treat as equal give the same
// result.
std::string folded(std::string_view text);

std::string_view first_part(std::string_view path);  // returns "anna" for "anna/v01.cu"
std::string_view last_part(std::string_view path);   // returns "v01.cu" for "anna/v01.cu"
// Returns the folder part of a path: "anna" for "anna/v01.cu"; empty if there is no folder.
std::string_view folder_part(std::string_view path);

}  // namespace warpmark::classroom

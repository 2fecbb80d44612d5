// Names of files that strangers chose: in archives, in exports, on an instructor's disk.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/error.h"

namespace warpmark::classroom {

// A relative path with `/` between its parts, which cannot leave the folder that it is put in: "." and empty
// parts are gone. Backslashes count as `/`, as archives of Windows write them; bytes that are not UTF-8
// become %XX. Fails with a sentence for a path that is absolute, climbs (".."), or is too long or deep.
Result<std::string> safe_path(std::string_view name);

// What systems leave behind in folders and archives: "__MACOSX", ".DS_Store", ".git". No submission needs it.
bool is_litter(std::string_view path);

// Whether the name says that it is an archive which Warpmark reads: zip, or tar in one of its compressions.
bool is_archive(std::string_view path);
// Whether it says that it is one which Warpmark does not read (rar, 7z).
bool is_foreign_archive(std::string_view path);
// The name of an archive's file without what says so: "anna" of "in/anna.tar.gz".
std::string archive_stem(std::string_view path);

// The same for two names that one system would take for one: case and the ways to write an accent do not
// count.
std::string folded(std::string_view text);

std::string_view first_part(std::string_view path);  // "anna" of "anna/v01.cu"
std::string_view last_part(std::string_view path);   // "v01.cu"
// "anna" of "anna/v01.cu"; empty where there is no folder.
std::string_view folder_part(std::string_view path);

}  // namespace warpmark::classroom

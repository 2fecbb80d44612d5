// Finds the files that a source includes by quoted names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

// Returns the names in #include "...".
std::vector<std::string> quoted_includes(std::string_view source);

// Returns the folders of the files that a source includes, directly or indirectly, by quoted names (such as
// "../common/book.h") if they lie neither below the source's folder nor in one of `searched`. Symbolic links
// are resolved.
std::vector<std::filesystem::path> folders_included_from(const std::filesystem::path& source,
                                                         const std::vector<std::filesystem::path>& searched);

// Returns the folder below which an #include of `header` ("deep/x.h") would be found: one below `folder` or,
// if there is none, below its parent or that one's parent. Hidden folders and large trees are left out.
std::optional<std::filesystem::path> folder_that_has(const std::string& header,
                                                     const std::filesystem::path& folder);

}  // namespace warpmark::build

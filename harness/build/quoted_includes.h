// What a source includes by quoted names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::build {

// The names in #include "...".
std::vector<std::string> quoted_includes(std::string_view source);

// The folders of the files that a source includes by such names, and that these include, where they lie
// neither below the source's own folder nor in one of `searched`: "../common/book.h". Without links.
std::vector<std::filesystem::path> folders_included_from(const std::filesystem::path& source,
                                                         const std::vector<std::filesystem::path>& searched);

}  // namespace warpmark::build

// Reads files of /proc that consist of lines "name: value".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpmark {

// Returns the text after the colon in the first line of a system file that begins with `name`; empty if there
// is none.
std::string system_entry(const std::filesystem::path& file, std::string_view name);

}  // namespace warpmark

// Removes files and folders that a killed process left behind.
#pragma once

#include <cstddef>
#include <filesystem>

namespace warpmark {

// Removes unfinished files of write_file() and folders whose name begins with ".fresh-", in `folder` and up
// to `deep` levels below. Keeps what a living process may be writing: entries younger than a minute, or
// locked. Follows no symbolic links. Returns the number of entries removed.
std::size_t sweep_leftovers(const std::filesystem::path& folder, int deep);

}  // namespace warpmark

// What a process that was killed could not clear away.
#pragma once

#include <cstddef>
#include <filesystem>

namespace warpmark {

// Removes files that write_file() did not finish, and folders whose name begins with ".fresh-", in a folder
// and in those below it, `deep` levels down. What a living process may be writing stays: what is younger than
// a minute, or locked. Returns how many there were. Links are not followed.
std::size_t sweep_leftovers(const std::filesystem::path& folder, int deep);

}  // namespace warpmark

// Searching a text for the course's solutions, however they are laid out and whatever file they stand in.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

// So many tokens in a row that two people do not write by chance.
inline constexpr std::size_t kWindow = 24;

// The runs of kWindow tokens of a text, each as one string.
std::vector<std::string> windows_of(std::string_view text);

// The runs that stand in a reference's solutions and in nothing that students get of the assignment anyway
// (template, contract, given versions).
std::set<std::string> solution_windows(const std::filesystem::path& root, const std::string& assignment);

}  // namespace warpmark

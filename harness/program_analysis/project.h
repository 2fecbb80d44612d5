// Source files in a folder without a build system: which of them make a program.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpmark::program_analysis {

// A program in a folder: the sources to compile, the one that defines main first, as paths below the folder.
struct ProjectProgram {
  std::vector<std::string> sources;
  std::vector<std::string> include_folders;  // -I for the headers that are included by name alone
};

// Returns the programs in a folder, one for each file that defines main, in the order of their names. Sources
// without main belong to every program of their folder, unless another source includes them. sources: the
// text of each .cu, .cpp, .cc, .cxx and .c file and of each header below the folder, by its path.
std::vector<ProjectProgram> programs_in(const std::map<std::string, std::string>& sources);

// Reads the sources and headers below a folder, hidden folders and build folders left out, at most a
// thousand.
std::map<std::string, std::string> sources_in(const std::filesystem::path& folder);

}  // namespace warpmark::program_analysis

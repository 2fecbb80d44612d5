#include "harness/base/system_entry.h"

#include <fstream>

namespace warpmark {

std::string system_entry(const std::filesystem::path& file, std::string_view name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t colon = line.find(':');
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    if (colon != std::string::npos && value != std::string::npos) return line.substr(value);
  }
  return {};
}

}  // namespace warpmark

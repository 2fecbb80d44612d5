#include "harness/build/depfile.h"

#include <set>

namespace warpmark::build {

std::vector<std::string> files_of_depfile(std::string_view text) {
  // Skips the target of a depfile's make rule, a file name chosen by the harness without blanks or escapes.
  // nvcc writes a blank before the colon, other compilers after it.
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  text.remove_prefix(colon + 1);

  std::vector<std::string> files;
  std::set<std::string> seen;
  std::string file;
  const auto finish = [&] {
    if (!file.empty() && seen.insert(file).second) files.push_back(file);
    file.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] == '\\' && (next == '\n' || next == '\r')) {
      finish();
      ++i;
    } else if (text[i] == '\\' && (next == ' ' || next == '#' || next == '\t')) {
      file += next;
      ++i;
    } else if (text[i] == '$' && next == '$') {
      file += '$';
      ++i;
    } else if (text[i] == '\n') {
      finish();
      // Stops after the first make rule: -MP appends rules that repeat the same files as targets.
      break;
    } else if (text[i] == ' ' || text[i] == '\t' || text[i] == '\r') {
      finish();
    } else {
      file += text[i];
    }
  }
  finish();
  return files;
}

}  // namespace warpmark::build

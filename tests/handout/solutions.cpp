#include "tests/handout/solutions.h"

#include "harness/assignments/stubs.h"
#include "harness/assignments/tokens.h"
#include "harness/base/file.h"
#include "harness/base/text.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

// What stands in the regions of a reference file; all of a file that stays with the course.
std::string solutions_of(const std::string& text) {
  if (is_reference_only(text)) return text;
  std::string solutions;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    const std::string_view words = trimmed(line);
    if (words.starts_with("// </solution>")) inside = false;
    if (inside && !words.starts_with("// <")) solutions += line + "\n";
    if (words.starts_with("// <solution>")) inside = true;
  }
  return solutions;
}

}  // namespace

std::vector<std::string> windows_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (std::string& token : tokens_of(text)) {
    if (token != "\n") tokens.push_back(std::move(token));
  }
  std::vector<std::string> windows;
  for (std::size_t i = 0; i + kWindow <= tokens.size(); ++i) {
    std::string window;
    for (std::size_t k = 0; k < kWindow; ++k) window += tokens[i + k] + " ";
    windows.push_back(std::move(window));
  }
  return windows;
}

std::set<std::string> solution_windows(const fs::path& root, const std::string& assignment) {
  std::set<std::string> windows;
  for (const auto& entry : fs::directory_iterator(root / "reference" / assignment)) {
    if (!entry.is_regular_file()) continue;
    for (std::string& window : windows_of(solutions_of(read_file(entry.path()).value_or(""))))
      windows.insert(std::move(window));
  }
  for (const fs::path& known :
       {root / "student_template" / assignment, root / "harness/assignments" / assignment}) {
    for (const auto& entry : fs::directory_iterator(known)) {
      if (!entry.is_regular_file()) continue;
      for (const std::string& window : windows_of(read_file(entry.path()).value_or("")))
        windows.erase(window);
    }
  }
  return windows;
}

}  // namespace warpmark
